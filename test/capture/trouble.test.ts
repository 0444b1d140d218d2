/** Storage that cannot be used, helpers that do not answer, payloads that never arrive: counted, said once, never a block. */
import { beforeAll, describe, expect, test } from "bun:test";
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { readBroken, readFailures } from "../../src/capture/trouble.ts";
import { processesOf } from "../support/processes.ts";
import {
  each,
  ensureBuilt,
  type HookOptions,
  type HookRun,
  type Json,
  payloadFor,
  runHook,
  startWorker,
  toolPayload,
  waitForStored,
} from "../support/programs.ts";
import { spooled } from "../support/store.ts";
import { openToAll, type Place, usePlaces, withoutWorker } from "../support/temp.ts";

const newPlace = usePlaces();
beforeAll(ensureBuilt);

const isRoot = process.getuid?.() === 0;
const NOBODY = 65_534;

type Unusable = { name: string; make: (place: Place) => HookOptions };
const UNUSABLE: Unusable[] = [
  {
    name: "a file in the place of the data directory",
    make: (place) => {
      writeFileSync(place.paths.data, "mine");
      return {};
    },
  },
  {
    name: "a data directory below a file",
    make: (place) => {
      writeFileSync(join(place.root, "file"), "mine");
      return { env: { CLAUDE_MEM_DATA_DIR: join(place.root, "file", "data") } };
    },
  },
  {
    name: "a place where nobody can make a directory",
    make: () => ({ env: { CLAUDE_MEM_DATA_DIR: "/proc/none/data" } }),
  },
  {
    name: "a data directory that may only be read",
    make: (place) => {
      mkdirSync(place.paths.data);
      chmodSync(place.paths.data, 0o555);
      openToAll(place);
      return isRoot ? { uid: NOBODY } : {};
    },
  },
  {
    name: "a home that may only be read",
    make: (place) => {
      openToAll(place);
      chmodSync(place.home, 0o555);
      return isRoot ? { uid: NOBODY } : {};
    },
  },
];

describe("HK-04, PR-08: storage that cannot be used", () => {
  test.each(UNUSABLE)("$name", async ({ make }) => {
    const place = newPlace("unusable");
    const options = make(place);
    const start = await runHook(
      place,
      "SessionStart",
      payloadFor(place, "SessionStart", { source: "startup" }),
      options,
    );
    const calls: [string, Json][] = [1, 2, 3, 4].flatMap((round): [string, Json][] => [
      ["UserPromptSubmit", payloadFor(place, "UserPromptSubmit", { prompt: `do ${round}` })],
      ["PreToolUse", payloadFor(place, "PreToolUse", { tool_name: "Read", tool_input: { file_path: "/a" } })],
      ["PostToolUse", toolPayload(place, `t${round}`)],
      ["Stop", payloadFor(place, "Stop", { last_assistant_message: `done ${round}` })],
    ]);
    const runs = [
      start,
      ...(await each(calls, ([event, payload]) => runHook(place, event, payload, options))),
    ];
    for (const run of runs) {
      expect({ exit: run.exitCode, stderr: run.stderr }).toEqual({ exit: 0, stderr: "" });
      expect(run.stdout).not.toMatch(/"(permissionDecision|decision|continue|stopReason)"/);
    }
    expect(start.notice).toContain("cannot write");
    expect(runs.filter((run) => run.notice !== "")).toHaveLength(1);
    expect(processesOf(place)).toEqual([]);
    chmodSync(place.home, 0o755);
  });

  test("what is in the way is left as it is", async () => {
    const place = newPlace("unusable");
    writeFileSync(place.paths.data, "mine");
    await runHook(place, "SessionStart", payloadFor(place, "SessionStart", { source: "startup" }));
    expect(readFileSync(place.paths.data, "utf8")).toBe("mine");
  });
});

describe("failures in a row", () => {
  /** The spool cannot be written, everything else can. */
  const block = (place: Place) => {
    rmSync(place.paths.spool.root, { recursive: true, force: true });
    writeFileSync(place.paths.spool.root, "in the way");
  };
  const tool = (place: Place, id: string) => runHook(place, "PostToolUse", toolPayload(place, id));
  const prompt = (place: Place, words: string, options: HookOptions = {}) =>
    runHook(place, "UserPromptSubmit", payloadFor(place, "UserPromptSubmit", { prompt: words }), options);

  test("are told once, at the threshold, by an event that may speak; a success begins anew", async () => {
    const place = withoutWorker(newPlace("failing"));
    block(place);
    const said: string[] = [];
    for (const id of ["a", "b"]) said.push((await tool(place, id)).notice);
    expect(readFailures(place.paths).consecutive).toBe(2);
    for (const words of ["one", "two"]) said.push((await prompt(place, words)).notice);
    expect(said).toEqual(["", "", expect.stringContaining("last 3 events"), ""]);
    rmSync(place.paths.spool.root);
    await tool(place, "c");
    expect(readFailures(place.paths).consecutive).toBe(0);
  });

  test("the threshold is the user's", async () => {
    const place = withoutWorker(newPlace("failing"));
    block(place);
    const env = { CLAUDE_MEM_HOOK_FAIL_LOUD_THRESHOLD: "1" };
    expect((await prompt(place, "one", { env })).notice).toContain("last 1 event");
  });

  test("what a session's start has told is not told again", async () => {
    const place = withoutWorker(newPlace("failing"));
    block(place);
    const start = await runHook(
      place,
      "SessionStart",
      payloadFor(place, "SessionStart", { source: "startup" }),
    );
    expect(start.notice).toContain("cannot write");
    const runs: HookRun[] = [];
    for (const words of ["one", "two", "three", "four"]) runs.push(await prompt(place, words));
    expect(runs.map((run) => run.notice)).toEqual(["", "", "", ""]);
  });
});

describe("payloads that never arrive", () => {
  test("HK-02: empty ones leave a marker and no event; the next start names their number, once", async () => {
    const place = withoutWorker(newPlace("empty"));
    const events = ["PostToolUse", "Stop", "UserPromptSubmit", "PreToolUse", "PostToolUse"];
    await each(events, (event) => runHook(place, event, ""));
    expect(readBroken(place.paths.state.broken)).toMatchObject({ total: 5, empty: 5, toolCalls: 2 });
    expect(spooled(place)).toEqual([]);
    const start = () =>
      runHook(place, "SessionStart", payloadFor(place, "SessionStart", { source: "startup" }));
    const { notice } = await start();
    expect(notice).toContain("5 hook payloads arrived broken (5 empty)");
    expect(notice).toContain("doctor");
    expect(notice).not.toContain("\n");
    expect((await start()).notice).toBe("");
  });

  test("even a start whose own payload is empty tells it", async () => {
    const place = withoutWorker(newPlace("empty"));
    await runHook(place, "Stop", "");
    expect((await runHook(place, "SessionStart", "")).notice).toContain("2 hook payloads");
  });

  test("UX-01: of 40 tool calls 36 arrived empty: the next session says how many were kept", async () => {
    const place = newPlace("share");
    await runHook(place, "SessionStart", payloadFor(place, "SessionStart", { source: "startup" }));
    const calls = Array.from({ length: 40 }, (_, at) =>
      at % 10 === 0 ? JSON.stringify(toolPayload(place, `t${at}`)) : "",
    );
    await each(calls, (call) => runHook(place, "PostToolUse", call));
    await waitForStored(place);
    const next = payloadFor(place, "SessionStart", { session_id: "s2", source: "startup" });
    const { notice } = await runHook(place, "SessionStart", next);
    expect(notice).toContain("captured 4 of 40 last session");
    expect(notice).toContain("doctor");
    await waitForStored(place);
  });
});

describe("HK-05: a helper that accepts and never answers", () => {
  test("no hook waits for it", async () => {
    const place = withoutWorker(newPlace("deaf"));
    mkdirSync(dirname(place.paths.socket), { recursive: true });
    const deaf = Bun.listen({ unix: place.paths.socket, socket: { data: () => undefined } });
    const deafPort = Bun.listen({ hostname: "127.0.0.1", port: 0, socket: { data: () => undefined } });
    writeFileSync(place.paths.port, `${deafPort.port}\n`);
    const runs = await each(
      ["SessionStart", "UserPromptSubmit", "PreToolUse", "PostToolUse", "Stop", "SessionEnd"],
      (event) =>
        runHook(
          place,
          event,
          payloadFor(place, event, { ...toolPayload(place, "a"), prompt: "x", hook_event_name: event }),
        ),
    );
    deaf.stop(true);
    deafPort.stop(true);
    for (const run of runs)
      expect({ exit: run.exitCode, stderr: run.stderr }).toEqual({ exit: 0, stderr: "" });
    expect(spooled(place).length).toBeGreaterThanOrEqual(4);
  }, 10_000);

  test("a worker that starts takes its place", async () => {
    const place = newPlace("deaf");
    mkdirSync(dirname(place.paths.socket), { recursive: true });
    const deaf = Bun.listen({ unix: place.paths.socket, socket: { data: () => undefined } });
    const worker = await startWorker(place);
    await runHook(place, "PostToolUse", toolPayload(place, "a"));
    await waitForStored(place);
    deaf.stop(true);
    await worker.stop();
  });
});

describe("a store that hooks cannot read", () => {
  test.each([
    ["garbage", "no database\n".repeat(1_000)],
    ["empty", ""],
  ])("%s: events are kept, a start tells what it can", async (_, content) => {
    const place = withoutWorker(newPlace("store"));
    writeFileSync(place.paths.store, content);
    const start = await runHook(
      place,
      "SessionStart",
      payloadFor(place, "SessionStart", { source: "startup" }),
    );
    expect({ exit: start.exitCode, stderr: start.stderr }).toEqual({ exit: 0, stderr: "" });
    await runHook(place, "PostToolUse", toolPayload(place, "a"));
    expect(spooled(place)).toHaveLength(2);
    expect(readFileSync(place.paths.store, "utf8")).toBe(content);
  });

  test("settings that cannot be read are left alone, and the defaults hold", async () => {
    const place = withoutWorker(newPlace("settings"));
    writeFileSync(place.paths.settings, '{"CLAUDE_MEM_SKIP_TOOLS": [');
    await runHook(place, "PostToolUse", toolPayload(place, "a"));
    expect(spooled(place)).toHaveLength(1);
    expect(existsSync(place.paths.settings)).toBe(true);
    expect(readFileSync(place.paths.settings, "utf8")).toBe('{"CLAUDE_MEM_SKIP_TOOLS": [');
  });
});
