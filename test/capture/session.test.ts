/** Whole sessions through the real hook program and the real worker. */
import { beforeAll, describe, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { appendEvent } from "../../src/spool/append.ts";
import { toolEvent } from "../support/events.ts";
import { workersOf } from "../support/processes.ts";
import {
  each,
  ensureBuilt,
  type Json,
  payloadFor,
  runHook,
  spawnWorker,
  statusOf,
  toolPayload,
  until,
  waitForIdle,
  waitForStored,
} from "../support/programs.ts";
import { count, rows, spooled } from "../support/store.ts";
import { type Place, usePlaces, withoutWorker } from "../support/temp.ts";

const newPlace = usePlaces();
beforeAll(ensureBuilt);

const hook = (place: Place, event: string, fields: Json = {}) =>
  runHook(place, event, payloadFor(place, event, fields));
const start = (place: Place, source = "startup", sessionId = "s1") =>
  hook(place, "SessionStart", { source, session_id: sessionId });

describe("HK-10: Stop", () => {
  test("never blocks; one summary for what is new; the same again changes nothing", async () => {
    const place = newPlace("stop");
    const file = join(place.project, "a.ts");
    await hook(place, "UserPromptSubmit", { prompt: "make the retries configurable" });
    await runHook(
      place,
      "PostToolUse",
      toolPayload(place, "e", {
        tool_name: "Edit",
        tool_input: {
          file_path: file,
          old_string: "const retries = 3;",
          new_string: "const retries = limit();",
        },
        tool_response: { filePath: file },
      }),
    );
    const looped = await hook(place, "Stop", { stop_hook_active: true, last_assistant_message: "Going on." });
    const done = { last_assistant_message: "The retries come from the settings now." };
    const six = await each([1, 2, 3, 4, 5, 6], () => hook(place, "Stop", done));
    for (const run of [looped, ...six]) {
      expect({ exit: run.exitCode, out: run.stdout, err: run.stderr }).toEqual({
        exit: 0,
        out: "{}",
        err: "",
      });
    }
    await waitForIdle(place);
    expect(count(place, "events where kind = 'turn_end'")).toBe(2);
    const before = rows(place, "select * from summaries");
    // The turn's and the session's.
    expect(before).toHaveLength(2);
    await each(Array.from({ length: 12 }), () => hook(place, "Stop", done));
    await waitForIdle(place);
    expect(count(place, "events where kind = 'turn_end'")).toBe(2);
    expect(rows(place, "select * from summaries")).toEqual(before);
  });

  test("the closing words are taken from the transcript's end where the payload has none", async () => {
    const place = withoutWorker(newPlace("transcript"));
    const record = (type: string, text: string, more: Json = {}) =>
      JSON.stringify({ type, message: { content: [{ type: "text", text }] }, ...more });
    const transcript = join(place.root, "transcript.jsonl");
    writeFileSync(
      transcript,
      [
        record("assistant", "old"),
        record("assistant", "the last words"),
        record("assistant", "a subagent's", { isSidechain: true }),
        record("user", "x".repeat(300_000)),
        '{"torn',
      ].join("\n"),
    );
    await hook(place, "Stop");
    await hook(place, "Stop", { transcript_path: join(place.root, "none.jsonl") });
    expect(spooled(place).map(({ body }) => [body.message, body.summarize])).toEqual([
      ["the last words", true],
      ["", false],
    ]);
  });
});

describe("a session that ends badly", () => {
  test.each([
    ["HK-11: its end is killed", [3, 15, 40]],
    ["HK-12: nothing says that it ends", []],
  ])("%s: nothing is lost, and the next start marks it finished", async (_, kills) => {
    const place = newPlace("bad-end");
    await start(place);
    await hook(place, "UserPromptSubmit", { prompt: "run them all" });
    await each([...Array(40).keys()], (at) => runHook(place, "PostToolUse", toolPayload(place, `t${at}`)));
    for (const killAfterMs of kills) {
      await runHook(place, "SessionEnd", payloadFor(place, "SessionEnd", { reason: "other" }), {
        killAfterMs,
      });
    }
    await start(place, "startup", "s2");
    await waitForStored(place);
    expect(count(place, "events where kind = 'tool'")).toBe(40);
    expect(count(place, "sessions where session_id = 's1' and ended_at is not null")).toBe(1);
    expect(count(place, "sessions where session_id = 's2' and ended_at is null")).toBe(1);
  });

  test("DL-03: what comes after the end is stored and belongs to its session", async () => {
    const place = newPlace("late");
    await hook(place, "UserPromptSubmit", { prompt: "one", prompt_id: "p1" });
    await hook(place, "SessionEnd", { reason: "other" });
    await runHook(place, "PostToolUse", toolPayload(place, "late", { prompt_id: "p1" }));
    await waitForStored(place);
    expect(rows(place, "select prompt_number as n from events where kind = 'tool'")).toEqual([{ n: 1 }]);
  });
});

describe("DL-01: a worker that is killed again and again", () => {
  test("200 events are there exactly once", async () => {
    const place = newPlace("killed");
    const project = { key: place.project, name: "shop", worktree: null, root: place.project };
    let writing = true;
    const byHook = each(
      [...Array(60).keys()],
      (at) => runHook(place, "PostToolUse", toolPayload(place, `h${at}`)),
      2,
    );
    const direct = (async () => {
      for (let at = 0; at < 140; at += 1) {
        appendEvent(place.paths.spool, toolEvent(`toolu_d${at}`, { project, at: Date.now() }));
        if (at % 5 === 0) await Bun.sleep(3);
      }
    })();
    const written = Promise.all([byHook, direct]).finally(() => {
      writing = false;
    });
    for (let kill = 0; kill < 30 && (writing || kill < 5); kill += 1) {
      const worker = spawnWorker(place);
      await Bun.sleep(30 + ((kill * 37) % 120));
      await worker.kill();
      for (const { pid } of workersOf(place)) process.kill(pid, "SIGKILL");
    }
    await written;
    // One that a hook has started may be faster: then this one leaves again.
    spawnWorker(place);
    await waitForStored(place);
    const stored = rows(place, "select key from events where kind = 'tool'").map((row) => String(row.key));
    expect(stored).toHaveLength(200);
    expect(new Set(stored).size).toBe(200);
    expect(rows(place, "pragma integrity_check")).toEqual([{ integrity_check: "ok" }]);
  }, 30_000);
});

describe("processes", () => {
  test("PR-04: thirty sessions that open at once start one worker, and nobody sees an error", async () => {
    const place = newPlace("thirty");
    const runs = await each([...Array(30).keys()], (at) => start(place, "startup", `s${at}`), 30);
    for (const run of runs) {
      expect({ exit: run.exitCode, err: run.stderr, notice: run.notice }).toEqual({
        exit: 0,
        err: "",
        notice: "",
      });
      expect(run.context).toContain("from this session on");
    }
    await waitForStored(place);
    await until(() => workersOf(place).length === 1, "one worker is left");
    expect(count(place, "events where kind = 'session_start'")).toBe(30);
  });

  test("PR-01: sessions come and go, one worker stays, and leaves when asked", async () => {
    const place = newPlace("come-and-go");
    for (const id of ["a", "b", "c"]) {
      await start(place, "startup", id);
      await each([1, 2, 3, 4], (at) =>
        runHook(place, "PostToolUse", toolPayload(place, `${id}${at}`, { session_id: id })),
      );
      await hook(place, "SessionEnd", { reason: "other", session_id: id });
    }
    await waitForIdle(place);
    const [worker] = workersOf(place);
    expect(workersOf(place)).toHaveLength(1);
    expect(worker?.pid).toBe((await statusOf(place))?.pid ?? -1);
    if (worker) process.kill(worker.pid, "SIGTERM");
    await until(() => workersOf(place).length === 0, "the worker is gone");
    expect(count(place, "events")).toBe(18);
  });
});
