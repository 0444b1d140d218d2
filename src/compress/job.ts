/** Compressing one stored turn into rows. */
import type { Compressor } from "../core/turn.ts";
import { turnEvents } from "../store/events.ts";
import type { Job } from "../store/jobs.ts";
import { replaceLocal } from "../store/observations.ts";
import { type Db, inTransaction } from "../store/open.ts";
import { findPrompt } from "../store/prompts.ts";
import { findSession } from "../store/sessions.ts";
import { replaceLocalSummary } from "../store/summaries.ts";

/**
 * Reads the job's turn, compresses it and makes the store say what came out. Doing it again with the same events
 * changes nothing, so a crash at any point costs only the repetition.
 */
export function compressTurn(db: Db, job: Job, compress: Compressor): { added: number } {
  return inTransaction(db, () => {
    const session = findSession(db, job.sessionRow);
    if (!session) return { added: 0 };
    const prompt = findPrompt(db, job.sessionRow, job.promptNumber);
    const turn = { sessionRow: session.id, projectId: session.projectId, promptNumber: job.promptNumber };
    const compressed = prompt?.private
      ? { observations: [], summary: null }
      : compress({
          root: session.projectId === null ? null : session.root,
          promptNumber: job.promptNumber,
          prompt: prompt?.text ?? "",
          events: turnEvents(db, job.sessionRow, job.promptNumber),
        });
    replaceLocalSummary(db, turn, compressed.summary);
    return { added: replaceLocal(db, turn, compressed.observations).added };
  });
}
