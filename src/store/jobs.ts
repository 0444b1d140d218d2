/** Work still to be done. Every change of state is one statement by whoever still owns the row. */
import type { Db } from "./open.ts";

/** `compress` is about a turn; `discover` looks for other sessions' transcripts beside the session's own. */
export type JobKind = "compress" | "discover";

export type Job = {
  id: number;
  kind: JobKind;
  sessionRow: number;
  promptNumber: number;
  generation: number;
  attempts: number;
};

export type QueueCounts = { pending: number; processing: number; failed: number };

/** Asks for the work at `runAt` (or sooner, if it was wanted sooner already). A finished or failed job is opened again. */
export function wantJob(
  db: Db,
  kind: JobKind,
  turn: { sessionRow: number; promptNumber: number },
  runAt: number,
  now: number,
): void {
  db.query(
    `insert into jobs (kind, session_row, prompt_number, run_at, created_at) values ($kind, $session, $prompt, $runAt, $now)
     on conflict (kind, session_row, prompt_number) do update set
       generation = generation + 1,
       run_at = case when finished_at is null and failed_at is null then min(run_at, excluded.run_at) else excluded.run_at end,
       attempts = 0, error = null, finished_at = null, failed_at = null`,
  ).run({ kind, session: turn.sessionRow, prompt: turn.promptNumber, runAt, now });
}

/** Takes the due job that waits longest, for `leaseMs`; a lease that ran out frees it for others. */
export function claimJob(db: Db, owner: string, now: number, leaseMs: number): Job | null {
  return db
    .query(
      `update jobs set lease_owner = $owner, lease_until = $until, attempts = attempts + 1
       where id = (select id from jobs where finished_at is null and failed_at is null and run_at <= $now
                     and (lease_until is null or lease_until < $now) order by run_at, id limit 1)
       returning id, kind, session_row as sessionRow, prompt_number as promptNumber, generation, attempts`,
    )
    .get({ owner, until: now + leaseMs, now }) as Job | null;
}

/** The work is done, unless it was asked for again meanwhile: then the job goes back. `false` where it is not ours. */
export function finishJob(db: Db, job: Job, owner: string, now: number): boolean {
  const changed = db
    .query(
      `update jobs set lease_owner = null, lease_until = null, error = null, attempts = 0,
         finished_at = case when generation = $generation then $now end
       where id = $id and lease_owner = $owner`,
    )
    .run({ id: job.id, generation: job.generation, owner, now }).changes;
  return changed > 0;
}

/**
 * The work went wrong: again at `retryAt`, or failed for good where that is `null`. Where it was asked for again
 * meanwhile, that wish stands as it is.
 */
export function failJob(
  db: Db,
  job: Job,
  owner: string,
  error: string,
  retryAt: number | null,
  now: number,
): void {
  db.query(
    `update jobs set lease_owner = null, lease_until = null, error = $error,
       run_at = case when generation = $generation then coalesce($retryAt, run_at) else run_at end,
       failed_at = case when $retryAt is null and generation = $generation then $now end
     where id = $id and lease_owner = $owner`,
  ).run({ id: job.id, generation: job.generation, error: error.slice(0, 2_000), retryAt, owner, now });
}

/** Gives back everything this owner holds; at a clean stop, and at start for one that died. */
export function releaseLeases(db: Db, owner?: string): void {
  if (owner === undefined)
    db.run("update jobs set lease_owner = null, lease_until = null where lease_until is not null");
  else db.query("update jobs set lease_owner = null, lease_until = null where lease_owner = ?").run(owner);
}

/** When the next job is due; `null` where none waits. */
export function nextJobAt(db: Db): number | null {
  const row = db
    .query(
      "select min(max(run_at, coalesce(lease_until, 0))) as at from jobs where finished_at is null and failed_at is null",
    )
    .get() as { at: number | null };
  return row.at;
}

export function countJobs(db: Db, now: number): QueueCounts {
  return db
    .query(
      `select coalesce(sum(finished_at is null and failed_at is null and coalesce(lease_until, 0) < $now), 0) as pending,
         coalesce(sum(finished_at is null and failed_at is null and lease_until >= $now), 0) as processing,
         coalesce(sum(failed_at is not null), 0) as failed
       from jobs where finished_at is null or failed_at is not null`,
    )
    .get({ now }) as QueueCounts;
}

/** Forgets finished work older than `before`. */
export function pruneJobs(db: Db, before: number): void {
  db.query("delete from jobs where finished_at < ?").run(before);
}
