/** The worker as a process: one at a time, found, handed over, stopped. */
import { beforeAll, describe, expect, test } from "bun:test";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { stopWorker } from "../../src/process/lifecycle.ts";
import { takeLock } from "../../src/process/lock.ts";
import { lives, readRecord } from "../../src/process/record.ts";
import { appendEvent } from "../../src/spool/append.ts";
import { toolEvent } from "../support/events.ts";
import { workersOf } from "../support/processes.ts";
import {
  ensureBuilt,
  runHook,
  spawnWorker,
  startWorker,
  statusOf,
  toolPayload,
  until,
  waitForIdle,
  waitForStored,
} from "../support/programs.ts";
import { count, treeOf } from "../support/store.ts";
import { type Place, usePlaces } from "../support/temp.ts";

const newPlace = usePlaces();
beforeAll(ensureBuilt);

function logOf(place: Place): string {
  return existsSync(place.paths.logs)
    ? treeOf(place.paths.logs)
        .filter((path) => path.includes("worker-"))
        .map((path) => readFileSync(path, "utf8"))
        .join("")
    : "";
}

function isRecordedAlive(place: Place): boolean {
  const record = readRecord(place.paths);
  return record !== null && lives(record);
}

describe("one worker a data directory", () => {
  test("a second one leaves at once and disturbs nothing", async () => {
    const place = newPlace("worker");
    const first = await startWorker(place);
    const files = [place.paths.pid, place.paths.port].map((path) => readFileSync(path, "utf8"));
    expect(await spawnWorker(place).exited).toBe(0);
    expect([place.paths.pid, place.paths.port].map((path) => readFileSync(path, "utf8"))).toEqual(files);
    expect((await statusOf(place))?.pid).toBe(first.pid);
    await first.stop();
  });

  test("the lock dies with its holder: after SIGKILL the next one starts and takes what waits", async () => {
    const place = newPlace("worker");
    const first = await startWorker(place);
    await first.kill();
    expect(existsSync(place.paths.socket)).toBe(true);
    appendEvent(place.paths.spool, toolEvent("waiting"));
    const second = await startWorker(place);
    await waitForStored(place);
    expect(count(place, "events")).toBe(1);
    await second.stop();
  });

  test("PR-02: killed and missed again and again, no process is left over", async () => {
    const place = newPlace("worker");
    for (let round = 0; round < 6; round += 1) {
      await runHook(place, "PostToolUse", toolPayload(place, `t${round}`));
      await until(async () => (await statusOf(place))?.ready === true, "a worker is up");
      const workers = workersOf(place);
      expect(workers).toHaveLength(1);
      for (const { pid } of workers) process.kill(pid, "SIGKILL");
      // By the record: a process that is dying has no environment any more, but its number for a moment.
      await until(() => !isRecordedAlive(place), "it is gone");
    }
    const last = await startWorker(place);
    await waitForStored(place);
    expect(count(place, "events")).toBe(6);
    await last.stop();
  });
});

describe("a recorded process", () => {
  const record = (place: Place, content: unknown) => {
    mkdirSync(place.paths.state.root, { recursive: true });
    writeFileSync(join(place.paths.state.root, "worker.json"), JSON.stringify(content));
    writeFileSync(place.paths.pid, `${(content as { pid: number }).pid}\n`);
  };

  test("that is another by now is never signalled, and does not keep a worker from starting", async () => {
    const place = newPlace("stale");
    const other = Bun.spawn(["sleep", "60"]);
    record(place, { pid: other.pid, version: "0.0.1", started: "1" });
    expect(await stopWorker(place.paths, 300)).toBe("not running");
    await runHook(place, "PostToolUse", toolPayload(place, "a"));
    await waitForStored(place);
    expect(other.exitCode).toBeNull();
    const [worker] = workersOf(place);
    expect(await stopWorker(place.paths)).toBe("stopped");
    expect(worker?.pid).not.toBe(other.pid);
    expect(other.exitCode).toBeNull();
    other.kill();
    await other.exited;
  });

  test("that cannot be proven ours is not signalled", async () => {
    const place = newPlace("stale");
    const other = Bun.spawn(["sleep", "60"]);
    record(place, { pid: other.pid, version: "0.0.1", started: null });
    expect(await stopWorker(place.paths, 300)).toBe("unproven");
    expect(other.exitCode).toBeNull();
    other.kill();
    await other.exited;
  });

  test.each([
    ["garbage", "{ torn"],
    ["a list", "[1]"],
    ["a text for a number", '{"pid":"1","version":"1.0.0"}'],
    ["a fraction", '{"pid":1.5,"version":"1.0.0"}'],
  ])("that holds %s is none", (_, content) => {
    const place = newPlace("stale");
    mkdirSync(place.paths.state.root, { recursive: true });
    writeFileSync(join(place.paths.state.root, "worker.json"), content);
    expect(readRecord(place.paths)).toBeNull();
  });

  test("lives as long as the process does", async () => {
    const child = Bun.spawn(["sleep", "60"]);
    const written = { pid: child.pid, version: "1.0.0", started: null };
    expect(lives(written)).toBe(true);
    child.kill("SIGKILL");
    await child.exited;
    expect(lives(written)).toBe(false);
  });
});

describe("leaving", () => {
  test.each(["SIGTERM", "SIGINT", "SIGHUP"] as const)(
    "%s: clean, with no files left that say it runs",
    async (signal) => {
      const place = newPlace("stop");
      const worker = await startWorker(place);
      await runHook(place, "PostToolUse", toolPayload(place, "a"));
      process.kill(worker.pid, signal);
      expect(await worker.exited).toBe(0);
      for (const path of [place.paths.pid, place.paths.port, place.paths.socket])
        expect(existsSync(path)).toBe(false);
      const lock = takeLock(place.paths.lock);
      expect(lock).not.toBeNull();
      lock?.release();
      expect(logOf(place)).toContain("worker leaves");
    },
  );

  test("in the midst of work: what is stored is stored once, the rest waits", async () => {
    const place = newPlace("stop");
    for (let at = 0; at < 1_500; at += 1) appendEvent(place.paths.spool, toolEvent(`t${at}`));
    const first = spawnWorker(place);
    await until(
      () => count(place, "sqlite_master where name = 'events'") > 0 && count(place, "events") > 0,
      "it works",
    );
    expect(await first.stop()).toBe(0);
    const second = await startWorker(place);
    await waitForStored(place);
    expect(count(place, "events")).toBe(1_500);
    expect(count(place, "jobs where lease_owner is not null")).toBe(0);
    await second.stop();
  });

  test("asked for when none runs", async () => {
    expect(await stopWorker(newPlace("stop").paths, 300)).toBe("not running");
  });

  test("a connection that a client keeps open does not hold it", async () => {
    const place = newPlace("stop");
    const worker = await startWorker(place);
    const idle = await Bun.connect({ unix: place.paths.socket, socket: { data: () => undefined } });
    const half = await Bun.connect({ unix: place.paths.socket, socket: { data: () => undefined } });
    half.write("GET /health HTT");
    expect(await worker.stop()).toBe(0);
    idle.end();
    half.end();
  }, 8_000);
});

describe("a store it cannot use", () => {
  test("it leaves with a line in the log, and events wait", async () => {
    const place = newPlace("store");
    mkdirSync(place.paths.data);
    writeFileSync(place.paths.store, "no database\n".repeat(500));
    appendEvent(place.paths.spool, toolEvent("a"));
    expect(await spawnWorker(place).exited).toBe(1);
    expect(logOf(place)).toContain("cannot be read");
    expect(existsSync(place.paths.pid)).toBe(false);
    expect(treeOf(place.paths.spool.new).filter((path) => path.endsWith(".json"))).toHaveLength(1);
  });
});

test("a spool file that no store can hold is set aside, the others are stored", async () => {
  const place = newPlace("poison");
  appendEvent(place.paths.spool, toolEvent("a"));
  const poison: Record<string, unknown>[] = [
    { ...toolEvent("no-cwd"), cwd: undefined },
    { ...toolEvent("project"), project: "shop" },
    { ...toolEvent("body"), body: { input: 1, tool: { a: 1 } } },
    { ...toolEvent("agent"), agentId: { a: 1 } },
    { ...toolEvent("prompt"), body: { prompt: 7 } },
  ];
  for (const event of poison) appendEvent(place.paths.spool, event as never);
  appendEvent(place.paths.spool, toolEvent("b"));
  const worker = await startWorker(place);
  await waitForStored(place);
  expect(count(place, "events where key like '%:a' or key like '%:b'")).toBe(2);
  expect((await statusOf(place))?.spool).toBe(0);
  await worker.stop();
});

test("it compresses what was said, so that the next session can be told", async () => {
  const place = newPlace("compress");
  const file = join(place.project, "retry.ts");
  await runHook(
    place,
    "UserPromptSubmit",
    toolPayload(place, "p", { hook_event_name: "UserPromptSubmit", prompt: "make the retries configurable" }),
  );
  const edit = {
    file_path: file,
    old_string: "const retries = 3;",
    new_string: "export function retries() {\n  return 5;\n}",
  };
  await runHook(
    place,
    "PostToolUse",
    toolPayload(place, "e", { tool_name: "Edit", tool_input: edit, tool_response: { filePath: file } }),
  );
  await runHook(
    place,
    "Stop",
    toolPayload(place, "s", {
      hook_event_name: "Stop",
      last_assistant_message: "The retries are configurable now.",
    }),
  );
  await waitForIdle(place);
  expect(count(place, "observations")).toBeGreaterThan(0);
  expect(count(place, "summaries")).toBe(2);
  const next = toolPayload(place, "n", {
    hook_event_name: "SessionStart",
    source: "startup",
    session_id: "s2",
  });
  expect((await runHook(place, "SessionStart", next)).context).toContain("retry.ts");
});

test("a worker that is stopped counts as stopped, also where the next one has come by then", async () => {
  const place = newPlace("next");
  const first = await startWorker(place);
  const stopping = stopWorker(place.paths);
  await until(() => readRecord(place.paths)?.pid !== first.pid, "the first to withdraw");
  const next = spawnWorker(place);
  expect(await stopping).toBe("stopped");
  await until(async () => (await statusOf(place))?.pid === next.pid, "the next to answer");
  await stopWorker(place.paths);
});
