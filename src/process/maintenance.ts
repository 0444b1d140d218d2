/** What a worker does now and then, when nothing else is to be done. */
import { pruneLogs } from "../env/log.ts";
import type { Paths } from "../env/paths.ts";
import { wantTranscriptOf } from "../store/ingest.ts";
import { pruneJobs, wantJob } from "../store/jobs.ts";
import { type Db, emptyLog, inTransaction } from "../store/open.ts";
import { promptOf } from "../store/prompts.ts";
import { endSession, silentSessions } from "../store/sessions.ts";
import { pruneTranscripts } from "../store/transcripts.ts";

const DAY_MS = 86_400_000;
/** Longer than a transcript can be wanted after it was written to. */
const TRANSCRIPTS_KEPT_MS = 400 * DAY_MS;

/** Ends sessions that fell silent without a word, forgets finished work, keeps logs and the write-ahead log small. */
export function maintain(db: Db, paths: Paths, now: number): void {
  inTransaction(db, () => {
    for (const session of silentSessions(db, now - DAY_MS)) {
      endSession(db, session.id, session.lastEventAt, "silent");
      wantTranscriptOf(db, session, now);
      const promptNumber = promptOf(db, session.id, null, session.lastEventAt)?.number ?? 0;
      wantJob(db, "compress", { sessionRow: session.id, promptNumber }, now, now);
    }
    pruneJobs(db, now - DAY_MS);
    pruneTranscripts(db, now - TRANSCRIPTS_KEPT_MS);
  });
  emptyLog(db);
  try {
    pruneLogs(paths.logs, now);
  } catch {
    // No log folder yet.
  }
}
