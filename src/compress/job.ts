/** Compressing one stored turn into rows. */
import type { ObservationDraft } from "../core/observation.ts";
import type { Compressor } from "../core/turn.ts";
import { closingBefore, turnEvents } from "../store/events.ts";
import type { Job } from "../store/jobs.ts";
import { forgottenUnits } from "../store/memories.ts";
import { replaceLocal, sessionObservations, type TurnRef } from "../store/observations.ts";
import { type Db, inTransaction } from "../store/open.ts";
import { findPrompt } from "../store/prompts.ts";
import { findSession } from "../store/sessions.ts";
import { replaceLocalSummary, replaceSessionSummary, turnSummaries } from "../store/summaries.ts";
import { disturbedBy, relink } from "./links/consolidate.ts";
import { summarizeSession } from "./session/summary.ts";

/** A session is told from its newest turns and notes; only the longest have more. */
const TURNS_MAX = 200;
const NOTES_MAX = 400;

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
          previous: closingBefore(db, job.sessionRow, job.promptNumber),
          events: turnEvents(db, job.sessionRow, job.promptNumber),
        });
    replaceLocalSummary(db, turn, compressed.summary);
    const forgotten = forgottenUnits(db, session.id, job.promptNumber);
    const kept = compressed.observations.filter((draft) => !forgotten.has(draft.unit));
    const added = replaceObservations(db, turn, kept);
    const notes = sessionObservations(db, session.id, NOTES_MAX);
    replaceSessionSummary(db, turn, summarizeSession(turnSummaries(db, session.id, TURNS_MAX), notes));
    return { added };
  });
}

/** Stores the turn's observations and links them with those of other turns; answers how many are new. */
function replaceObservations(db: Db, turn: TurnRef, drafts: readonly ObservationDraft[]): number {
  const { projectId } = turn;
  let disturbed = new Set<number>();
  const before = (ids: number[]) => {
    if (projectId !== null) disturbed = disturbedBy(db, projectId, ids);
  };
  const { added, written } = replaceLocal(db, turn, drafts, before);
  if (projectId !== null) relink(db, projectId, written, disturbed);
  return added;
}
