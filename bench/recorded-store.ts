/** A store in which recorded sessions have happened, as the worker leaves it. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { compressTurn } from "../src/compress/job.ts";
import { compressLocally } from "../src/compress/local/compress.ts";
import { runDue } from "../src/queue/runner.ts";
import { indexPending } from "../src/store/fulltext.ts";
import { ingest } from "../src/store/ingest.ts";
import { type Db, openStore } from "../src/store/open.ts";
import { eventsOf, recordedSessions } from "./sessions.ts";

const DAY_MS = 86_400_000;

/** The store, and the moment after everything in it (Unix ms). */
export function recordedStore(data: string): { db: Db; now: number; dispose: () => void } {
  const dir = mkdtempSync(join(tmpdir(), "bench-recorded-"));
  const db = openStore(join(dir, "store.sqlite"), join(dir, "backups"));
  // Nothing here has to outlive the bench.
  db.run("pragma synchronous = off");
  let now = 0;
  for (const session of recordedSessions(data)) {
    const events = eventsOf(data, session);
    now = Math.max(now, events.at(-1)?.at ?? 0) + DAY_MS;
    ingest(db, events, { now, isAlive: () => false });
    workOff(db, now);
  }
  indexPending(db);
  return {
    db,
    now,
    dispose: () => {
      db.close();
      rmSync(dir, { recursive: true, force: true });
    },
  };
}

function workOff(db: Db, now: number): void {
  const parts = {
    db,
    owner: "bench",
    maxAttempts: 1,
    now: () => now,
    work: (job: Parameters<typeof compressTurn>[1]) => {
      if (job.kind === "compress") compressTurn(db, job, compressLocally);
    },
    onFailure: (_: unknown, why: string) => {
      throw new Error(`A turn could not be compressed: ${why}`);
    },
  };
  while (runDue(parts, 100) > 0);
}
