/** Recorded sessions told to a store one after the other, as if they happened now. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { compressTurn } from "../src/compress/job.ts";
import { compressLocally } from "../src/compress/local/compress.ts";
import type { SessionEvent } from "../src/core/event.ts";
import { runDue } from "../src/queue/runner.ts";
import { ingest } from "../src/store/ingest.ts";
import { type Db, openStore } from "../src/store/open.ts";
import { commitSubjects, eventsOf, recordedSessions, touchedFiles, transcriptOf } from "./sessions.ts";

/** What is known when a session starts, and what it will turn out to be about. */
export type Start = {
  /** 1-based, in the order of time. */
  number: number;
  db: Db;
  /** Unix ms: nothing that happened at or after it is in the store. */
  now: number;
  /** The branch checked out then; `null` where the record does not say. */
  branch: string | null;
  touched: string[];
  subjects: string[];
};

/** Calls `visit` at the start of every session, the store holding exactly what happened before it. */
export function replay(data: string, visit: (start: Start) => void): void {
  const dir = mkdtempSync(join(tmpdir(), "bench-injection-"));
  const db = openStore(join(dir, "store.sqlite"), join(dir, "backups"));
  // Nothing here has to outlive the bench.
  db.run("pragma synchronous = off");
  try {
    const sessions = recordedSessions(data);
    const branches = sessions.map((session) => branchesIn(transcriptOf(data, session)));
    const [touched, subjects] = [touchedFiles(data), commitSubjects(data)];
    const events = sessions
      .flatMap((session, at) => withBranches(eventsOf(data, session), branches[at] ?? []))
      .sort((one, other) => one.at - other.at);
    let next = 0;
    sessions.forEach((session, at) => {
      const from = next;
      while ((events[next]?.at ?? Number.POSITIVE_INFINITY) < session.startedAt) next += 1;
      advance(db, events.slice(from, next), session.startedAt);
      visit({
        number: at + 1,
        db,
        now: session.startedAt,
        branch: branches[at]?.[0]?.branch ?? null,
        touched: touched.get(session.id) ?? [],
        subjects: subjects.get(session.id) ?? [],
      });
    });
  } finally {
    db.close();
    rmSync(dir, { recursive: true, force: true });
  }
}

/** Stores the events and does the work they ask for, as the worker does. */
function advance(db: Db, events: readonly SessionEvent[], now: number): void {
  for (let from = 0; from < events.length; from += 500) {
    ingest(db, events.slice(from, from + 500), { now, isAlive: () => false });
  }
  // Turns under way are compressed after a pause: by the clock of the next start it has passed.
  const runner = { db, owner: "bench", maxAttempts: 1, now: () => now + 60_000 };
  const work = (job: Parameters<typeof compressTurn>[1]) => {
    if (job.kind === "compress") compressTurn(db, job, compressLocally);
  };
  const onFailure = (_: unknown, why: string) => {
    throw new Error(`A recorded turn could not be compressed: ${why}`);
  };
  while (runDue({ ...runner, work, onFailure }, 100) > 0);
}

type Since = { at: number; branch: string };

/** The branches a transcript names, each with the time from which on it does. */
function branchesIn(transcript: string): Since[] {
  const found: Since[] = [];
  for (const line of transcript.split("\n")) {
    const branch = /"gitBranch":"([^"]+)"/.exec(line)?.[1];
    const at = Date.parse(/"timestamp":"([^"]+)"/.exec(line)?.[1] ?? "");
    if (branch && !Number.isNaN(at) && found.at(-1)?.branch !== branch) found.push({ at, branch });
  }
  return found;
}

function withBranches(events: readonly SessionEvent[], branches: readonly Since[]): SessionEvent[] {
  return events.map((event) => ({
    ...event,
    branch: branches.findLast((since) => since.at <= event.at)?.branch ?? null,
  }));
}
