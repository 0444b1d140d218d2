/** The loop that a worker's life is, below the level of whole minutes. */
import { describe, expect, test } from "bun:test";
import { maintain } from "../../src/process/maintenance.ts";
import { startLoop } from "../../src/queue/loop.ts";
import { runDue } from "../../src/queue/runner.ts";
import { ingest } from "../../src/store/ingest.ts";
import { countJobs, nextJobAt, wantJob } from "../../src/store/jobs.ts";
import { openStore } from "../../src/store/open.ts";
import { eventOf, promptEvent, T0, toolEvent } from "../support/events.ts";
import { usePlaces } from "../support/temp.ts";

const newPlace = usePlaces();
const DAY_MS = 86_400_000;

describe("the loop", () => {
  test("sleeps until it is woken, and stops between two rounds", async () => {
    let rounds = 0;
    const loop = startLoop(
      () => {
        rounds += 1;
        return 3_600_000;
      },
      () => expect.unreachable(),
    );
    await Bun.sleep(0);
    expect(rounds).toBe(1);
    loop.wake();
    await Bun.sleep(5);
    expect(rounds).toBe(2);
    await loop.stop();
    loop.wake();
    await Bun.sleep(5);
    expect(rounds).toBe(2);
  });

  test("woken during a round it does not sleep after it", async () => {
    let rounds = 0;
    const loop = startLoop(
      () => {
        rounds += 1;
        if (rounds === 1) loop?.wake();
        return 3_600_000;
      },
      () => undefined,
    );
    await loop.stop();
    expect(rounds).toBeGreaterThanOrEqual(1);
  });

  test("goes on after an error", async () => {
    const errors: unknown[] = [];
    let rounds = 0;
    const done = Promise.withResolvers<void>();
    const loop = startLoop(
      () => {
        rounds += 1;
        if (rounds === 3) done.resolve();
        if (rounds < 3) throw new Error(`round ${rounds}`);
        return 3_600_000;
      },
      (error) => errors.push(error),
      1,
    );
    await done.promise;
    await loop.stop();
    expect(errors).toHaveLength(2);
  });
});

describe("work that is due", () => {
  const newStore = () => {
    const { paths } = newPlace("due");
    const db = openStore(paths.store, paths.backups);
    ingest(db, [eventOf("session_start", { reason: "startup" })], { now: T0, isAlive: () => false });
    for (const promptNumber of [1, 2, 3]) wantJob(db, "compress", { sessionRow: 1, promptNumber }, T0, T0);
    return db;
  };

  test("is done up to the limit, in order", () => {
    const db = newStore();
    const seen: number[] = [];
    const parts = {
      db,
      owner: "w",
      maxAttempts: 3,
      now: () => T0,
      work: (job: { promptNumber: number }) => void seen.push(job.promptNumber),
      onFailure: () => expect.unreachable(),
    };
    expect([runDue(parts, 2), runDue(parts, 20), runDue(parts, 20)]).toEqual([2, 1, 0]);
    expect(seen).toEqual([1, 2, 3]);
    expect(nextJobAt(db)).toBeNull();
  });

  test("DL-05: that fails is tried again, ever later, and then listed as failed; the others are done", () => {
    const db = newStore();
    let now = T0;
    const failures: [number, boolean][] = [];
    const parts = {
      db,
      owner: "w",
      maxAttempts: 3,
      now: () => now,
      work: (job: { promptNumber: number }) => {
        if (job.promptNumber === 2) throw new Error("no");
      },
      onFailure: (_: unknown, why: string, final: boolean) => {
        expect(why).toBe("no");
        failures.push([now - T0, final]);
      },
    };
    for (; now < T0 + 60_000; now += 1_000) runDue(parts, 20);
    expect(failures).toEqual([
      [0, false],
      [5_000, false],
      [15_000, true],
    ]);
    expect(countJobs(db, now)).toEqual({ pending: 0, processing: 0, failed: 1 });
  });
});

describe("maintenance", () => {
  test("ends sessions that fell silent a day ago and has them compressed; forgets finished work", () => {
    const { paths } = newPlace("maintain");
    const db = openStore(paths.store, paths.backups);
    const silent = promptEvent("one", { at: T0 - DAY_MS - 1 });
    const busy = toolEvent("b", { sessionId: "s2", at: T0 - DAY_MS + 1 });
    ingest(db, [silent, busy], { now: T0 - DAY_MS, isAlive: () => false });
    db.run(`update jobs set finished_at = ${T0 - DAY_MS - 1}`);
    maintain(db, paths, T0);
    expect(db.query("select session_id, ended_at, end_reason from sessions order by id").all()).toEqual([
      { session_id: "s1", ended_at: silent.at, end_reason: "silent" },
      { session_id: "s2", ended_at: null, end_reason: null },
    ]);
    expect(db.query("select session_row, run_at from jobs").all()).toEqual([{ session_row: 1, run_at: T0 }]);
    maintain(db, paths, T0);
    db.close();
  });
});
