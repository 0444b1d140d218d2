/** Running what is due: claim with a lease, do, commit, finish or fail. */
import { messageOf } from "../core/errors.ts";
import { claimJob, failJob, finishJob, type Job } from "../store/jobs.ts";
import type { Db } from "../store/open.ts";

const LEASE_MS = 60_000;
/** First wait after a failure; doubled with each further one. Local work fails for reasons that do not pass quickly. */
const RETRY_MS = 5_000;

export type RunnerParts = {
  db: Db;
  owner: string;
  maxAttempts: number;
  now: () => number;
  work: (job: Job) => void;
  onFailure: (job: Job, why: string, final: boolean) => void;
};

/** Does at most `limit` jobs that are due; answers how many it took. */
export function runDue(parts: RunnerParts, limit: number): number {
  let taken = 0;
  for (; taken < limit; taken += 1) {
    const job = claimJob(parts.db, parts.owner, parts.now(), LEASE_MS);
    if (!job) break;
    try {
      parts.work(job);
      finishJob(parts.db, job, parts.owner, parts.now());
    } catch (error) {
      const final = job.attempts >= Math.max(1, parts.maxAttempts);
      const retryAt = final ? null : parts.now() + RETRY_MS * 2 ** (job.attempts - 1);
      failJob(parts.db, job, parts.owner, messageOf(error), retryAt, parts.now());
      parts.onFailure(job, messageOf(error), final);
    }
  }
  return taken;
}
