/** What the worker and those who start it do when something is taken from under them. */
import { beforeAll, describe, expect, test } from "bun:test";
import { existsSync, mkdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { readStartFailure } from "../../src/process/failure.ts";
import { appendEvent } from "../../src/spool/append.ts";
import { toolEvent } from "../support/events.ts";
import { workersOf } from "../support/processes.ts";
import {
  ensureBuilt,
  payloadFor,
  runHook,
  startWorker,
  toolPayload,
  until,
  waitForStored,
} from "../support/programs.ts";
import { count } from "../support/store.ts";
import { type Place, usePlaces } from "../support/temp.ts";

const newPlace = usePlaces();
beforeAll(ensureBuilt);

const starting = (place: Place) => join(place.paths.state.root, "worker.starting");

describe("the store under a living worker", () => {
  test("is deleted: what comes later is stored by the next worker, none of it lost", async () => {
    const place = newPlace("deleted");
    const worker = await startWorker(place);
    for (const suffix of ["", "-wal", "-shm"]) rmSync(`${place.paths.store}${suffix}`, { force: true });
    for (const id of ["a", "b", "c"]) appendEvent(place.paths.spool, toolEvent(id));
    await until(() => workersOf(place).every(({ pid }) => pid !== worker.pid), "the old worker to leave");
    await runHook(place, "PostToolUse", toolPayload(place, "d"));
    await waitForStored(place);
    expect(count(place, "events where kind = 'tool'")).toBe(4);
  });
});

describe("a worker that cannot open the store", () => {
  test("is not started again at every event, and the next session says why", async () => {
    const place = newPlace("broken");
    mkdirSync(dirname(place.paths.store), { recursive: true });
    writeFileSync(place.paths.store, "no store".repeat(1_000));
    await runHook(place, "SessionStart", payloadFor(place, "SessionStart", { source: "startup" }));
    await until(() => readStartFailure(place.paths) !== null, "the reason to be noted");
    await until(() => workersOf(place).length === 0, "the worker to be gone");
    for (const id of ["a", "b", "c"]) await runHook(place, "PostToolUse", toolPayload(place, id));
    expect(workersOf(place)).toEqual([]);
    const log = readFileSync(
      join(place.paths.logs, `worker-${new Date().toISOString().slice(0, 10)}.log`),
      "utf8",
    );
    expect(log.match(/worker fails/g)).toHaveLength(1);
    const start = await runHook(
      place,
      "SessionStart",
      payloadFor(place, "SessionStart", { source: "startup" }),
    );
    expect(String(start.json?.systemMessage)).toContain("worker cannot start");
    expect(readFileSync(place.paths.store, "utf8")).toBe("no store".repeat(1_000));
    expect(existsSync(place.paths.spool.new)).toBe(true);
  });
});

describe("a clock that jumped back", () => {
  test("does not keep the worker from being started", async () => {
    const place = newPlace("clock");
    mkdirSync(place.paths.state.root, { recursive: true });
    writeFileSync(starting(place), "");
    const nextYear = new Date(Date.now() + 365 * 86_400_000);
    utimesSync(starting(place), nextYear, nextYear);
    await runHook(place, "PostToolUse", toolPayload(place, "a"));
    await waitForStored(place);
    expect(count(place, "events")).toBe(1);
  });
});
