/** Whole sessions through the real hook program and the real worker. */
import { beforeAll, describe, expect, test } from "bun:test";
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { appendEvent } from "../../src/spool/append.ts";
import { toolEvent } from "../support/events.ts";
import { remember } from "../support/memories.ts";
import { workersOf } from "../support/processes.ts";
import {
  each,
  ensureBuilt,
  type Json,
  payloadFor,
  runHook,
  spawnWorker,
  startWorker,
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
    expect(before).toHaveLength(1);
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
    const worker = await startWorker(place).catch(() => null);
    await waitForStored(place);
    const stored = rows(place, "select key from events where kind = 'tool'").map((row) => String(row.key));
    expect(stored).toHaveLength(200);
    expect(new Set(stored).size).toBe(200);
    expect(rows(place, "pragma integrity_check")).toEqual([{ integrity_check: "ok" }]);
    await worker?.stop();
  }, 30_000);
});

describe("what a starting session is told", () => {
  const titles = Array.from(
    { length: 120 },
    (_, at) => `Finding ${at}: the parser of module ${at} keeps its state between calls`,
  );

  test("HK-15, HK-22: much at startup, less after clear and compact, nothing where the transcript has it", async () => {
    const place = withoutWorker(newPlace("told"));
    remember(place, titles);
    const told = new Map<string, string>();
    for (const source of ["startup", "clear", "compact", "resume", "fork"]) {
      const run = await start(place, source, `s-${source}`);
      told.set(source, run.context);
      expect({ source, exit: run.exitCode, err: run.stderr, notice: run.notice }).toEqual({
        source,
        exit: 0,
        err: "",
        notice: "",
      });
      const keys = Object.keys((run.json?.hookSpecificOutput ?? {}) as Json);
      expect(keys).toEqual(run.context ? ["hookEventName", "additionalContext"] : []);
    }
    const length = (source: string) => told.get(source)?.length ?? 0;
    expect(told.get("startup")).toContain("Finding 119");
    expect(told.get("startup")).toMatch(/\d+ more notes not shown/);
    expect(length("startup")).toBeLessThanOrEqual(9_500);
    expect(length("compact")).toBeGreaterThan(200);
    expect(length("compact")).toBeLessThan(length("startup") / 1.5);
    expect(told.get("clear")).toBe(told.get("compact") ?? "");
    expect([told.get("resume"), told.get("fork")]).toEqual(["", ""]);
  });

  test.each(["10000", "10001", "9500"])(
    "HK-14: a budget of %s characters never exceeds what the host takes",
    async (most) => {
      const place = withoutWorker(newPlace("budget"));
      remember(
        place,
        titles.map((title) => `${title} 李`.repeat(3)),
      );
      const env = {
        CLAUDE_MEM_CONTEXT_MAX_CHARS: most,
        CLAUDE_MEM_CONTEXT_MAX_TOKENS: "10000",
        CLAUDE_MEM_CONTEXT_OBSERVATIONS: "500",
      };
      const run = await runHook(
        place,
        "SessionStart",
        payloadFor(place, "SessionStart", { source: "startup" }),
        { env },
      );
      expect(run.context.length).toBeLessThanOrEqual(9_500);
      expect(run.context.length).toBeGreaterThan(7_000);
    },
  );

  test("a first session is told in one line that memory starts; outside projects nothing", async () => {
    const place = withoutWorker(newPlace("first"));
    expect((await start(place)).context).toContain("from this session on");
    expect(
      (
        await runHook(
          place,
          "SessionStart",
          payloadFor(place, "SessionStart", { source: "startup", cwd: place.home }),
        )
      ).context,
    ).toBe("");
  });

  test("HK-20: reading a well-remembered file is not changed and not denied; the edit after it is kept", async () => {
    const place = withoutWorker(newPlace("read"));
    const file = join(place.project, "src", "a.ts");
    mkdirSync(join(place.project, "src"));
    writeFileSync(file, "export const a = 1;\n".repeat(200));
    remember(place, titles.slice(0, 5));
    const read = await hook(place, "PreToolUse", {
      tool_name: "Read",
      tool_input: { file_path: file },
      tool_use_id: "r",
    });
    expect(read.stdout).not.toMatch(/updatedInput|deny|permissionDecision|"decision"/);
    await runHook(
      place,
      "PostToolUse",
      toolPayload(place, "e", { tool_name: "Edit", tool_input: { file_path: file } }),
    );
    expect(spooled(place).map(({ body }) => body.tool)).toEqual(["Edit"]);
  });
});

describe("one project by whatever way", () => {
  test("a link, a sub-directory and CLAUDE_PROJECT_DIR lead to the same memory", async () => {
    const place = withoutWorker(newPlace("ways"));
    remember(place, ["The one finding"]);
    const link = join(place.root, "link");
    symlinkSync(place.project, link);
    mkdirSync(join(place.project, "src"));
    const ways = [
      { cwd: place.project, env: {} },
      { cwd: link, env: {} },
      { cwd: join(link, "src"), env: {} },
      { cwd: "/usr", env: { CLAUDE_PROJECT_DIR: place.project } },
    ];
    for (const { cwd, env } of ways) {
      const payload = payloadFor(place, "SessionStart", { source: "startup", cwd, session_id: `s-${cwd}` });
      expect((await runHook(place, "SessionStart", payload, { env })).context).toContain("The one finding");
    }
    expect(new Set(spooled(place).map(({ project }) => project?.key))).toEqual(new Set([place.project]));
  });
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
    rmSync(place.paths.pid, { force: true });
  });
});
