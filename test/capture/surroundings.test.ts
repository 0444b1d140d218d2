/** Where and by whom the hook is run: odd install roots, bare environments, hostile projects, switched off. */
import { beforeAll, describe, expect, test } from "bun:test";
import { cpSync, existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { workersOf } from "../support/processes.ts";
import {
  DIST,
  EVENTS,
  each,
  ensureBuilt,
  type HookOptions,
  type Json,
  payloadFor,
  runHook,
  toolPayload,
  waitForStored,
} from "../support/programs.ts";
import { count, spooled, treeOf } from "../support/store.ts";
import { type Place, usePlaces, withoutWorker } from "../support/temp.ts";

const newPlace = usePlaces();
beforeAll(ensureBuilt);

const OFF_SWITCH = "THROUGHLINE_OFF";
const CHILD_MARKER = "THROUGHLINE_CHILD";

/** One call of every event, in the order of a session. */
async function wholeSession(place: Place, options: HookOptions = {}, fields: Json = {}) {
  const runs = [];
  for (const event of EVENTS) {
    const payload = toolPayload(place, event, {
      hook_event_name: event,
      source: "startup",
      prompt: "do it",
      agent_type: event === "SubagentStop" ? "Explore" : undefined,
      last_assistant_message: "done",
      error: "no",
      ...fields,
    });
    runs.push(await runHook(place, event, payload, options));
  }
  return runs;
}

/** Kept of a whole session: all but Setup and the question before a read. */
const KEPT = EVENTS.length - 2;

describe("HK-17: install roots", () => {
  test.each(["My Plugins/o'neil & co (1)/é李", 'q"uo`te$HOME', "-dash;#%41 "])("%s", async (name) => {
    const place = newPlace("root");
    const dist = join(place.root, name);
    cpSync(DIST, dist, { recursive: true });
    const runs = await wholeSession(place, { dist });
    for (const run of runs) expect({ exit: run.exitCode, err: run.stderr }).toEqual({ exit: 0, err: "" });
    await waitForStored(place);
    expect(count(place, "events") + count(place, "prompts")).toBe(KEPT);
    expect(workersOf(place)[0]?.command).toContain(dist.trimEnd());
  });

  test("a data directory of such a name, and one too deep for a socket inside", async () => {
    for (const name of ["o'neil & co (1)/é李", `deep/${"d".repeat(100)}`]) {
      const place = newPlace("data");
      const data = join(place.root, name);
      const env = { CLAUDE_MEM_DATA_DIR: data };
      await runHook(place, "PostToolUse", toolPayload(place, "a"), { env });
      expect(existsSync(join(data, "spool", "new"))).toBe(true);
      const end = Date.now() + 20_000;
      while (!existsSync(join(data, "throughline.db")) && Date.now() < end) await Bun.sleep(20);
      expect(existsSync(join(data, "throughline.db"))).toBe(true);
    }
  });
});

describe("HK-18: a bare environment", () => {
  test.each<[string, Record<string, string>]>([
    ["nothing but PATH and HOME", {}],
    ["no PATH", { PATH: "" }],
    ["no home, but a data directory", { HOME: "" }],
    ["no locale", { LC_ALL: "C", LANG: "C" }],
  ])("%s", async (_, env) => {
    const place = withoutWorker(newPlace("bare"));
    const options = { env: { ...env, CLAUDE_MEM_DATA_DIR: place.paths.data } };
    const runs = await wholeSession(place, options);
    for (const run of runs) {
      expect({ exit: run.exitCode, err: run.stderr, notice: run.notice }).toEqual({
        exit: 0,
        err: "",
        notice: "",
      });
    }
    expect(spooled(place)).toHaveLength(KEPT);
  });

  test("a directory that is gone", async () => {
    const place = withoutWorker(newPlace("gone"));
    const run = await runHook(
      place,
      "PostToolUse",
      toolPayload(place, "a", { cwd: join(place.root, "gone") }),
      { cwd: place.root },
    );
    expect(run.exitCode).toBe(0);
    expect(spooled(place)[0]?.project?.key).toBe(join(place.root, "gone"));
  });
});

test("nothing of the project has a say: no .env, no bunfig.toml, no tsconfig.json", async () => {
  const place = withoutWorker(newPlace("hostile"));
  const elsewhere = join(place.root, "elsewhere");
  writeFileSync(join(place.project, ".env"), `CLAUDE_MEM_DATA_DIR=${elsewhere}\n${OFF_SWITCH}=1\n`);
  writeFileSync(join(place.project, "bunfig.toml"), 'preload = ["./evil.ts"]\n');
  writeFileSync(join(place.project, "tsconfig.json"), "{ broken");
  writeFileSync(join(place.project, "evil.ts"), `require("node:fs").writeFileSync("${place.root}/ran", "");`);
  const before = treeOf(place.project);
  await wholeSession(place, { cwd: place.project });
  expect(spooled(place)).toHaveLength(KEPT);
  expect([existsSync(elsewhere), existsSync(join(place.root, "ran"))]).toEqual([false, false]);
  expect(treeOf(place.project)).toEqual(before);
});

describe("switched off: nothing read, nothing written, nothing started", () => {
  type Off = { name: string; env?: Record<string, string>; marker?: string };
  test.each<Off>([
    { name: "HK-25, UX-04: by the user's switch", env: { [OFF_SWITCH]: "1" } },
    { name: "our own child", env: { [CHILD_MARKER]: "1" } },
    { name: "HK-25: a marker in the project", marker: ".throughline-off" },
    { name: "PJ-07: excluded by path", env: { CLAUDE_MEM_EXCLUDED_PROJECTS: "PROJECT" } },
    { name: "PJ-07: excluded by a directory above", env: { CLAUDE_MEM_EXCLUDED_PROJECTS: "ROOT/code" } },
    { name: "PJ-07: excluded by a glob", env: { CLAUDE_MEM_EXCLUDED_PROJECTS: "**/code/sh*" } },
    { name: "PJ-07: opt-in without a marker", env: { CLAUDE_MEM_OPT_IN: "true" } },
  ])("$name", async ({ env = {}, marker }) => {
    const place = newPlace("off");
    if (marker) writeFileSync(join(place.project, marker), "");
    const filled = Object.fromEntries(
      Object.entries(env).map(([name, value]) => [
        name,
        value.replace("PROJECT", place.project).replace("ROOT", place.root),
      ]),
    );
    const runs = await wholeSession(place, { env: filled });
    for (const run of runs)
      expect({ exit: run.exitCode, out: run.stdout, err: run.stderr }).toEqual({
        exit: 0,
        out: "{}",
        err: "",
      });
    expect(existsSync(place.paths.data)).toBe(false);
    expect(workersOf(place)).toEqual([]);
  });

  test("UX-04: the next session is a normal one", async () => {
    const place = withoutWorker(newPlace("off"));
    await wholeSession(place, { env: { [OFF_SWITCH]: "1" } });
    expect(spooled(place)).toEqual([]);
    await wholeSession(place);
    expect(spooled(place)).toHaveLength(KEPT);
  });

  test.each([
    ["0", KEPT],
    ["false", KEPT],
    ["yes", 0],
  ])("the switch set to %s", async (value, kept) => {
    const place = withoutWorker(newPlace("off"));
    await wholeSession(place, { env: { [OFF_SWITCH]: value } });
    expect(spooled(place)).toHaveLength(kept);
  });

  test("opt-in with a marker, and a neighbour of an excluded directory, are kept", async () => {
    const place = withoutWorker(newPlace("on"));
    writeFileSync(join(place.project, ".throughline"), "");
    mkdirSync(join(place.root, "code", "shop2"));
    const env = {
      CLAUDE_MEM_OPT_IN: "true",
      CLAUDE_MEM_EXCLUDED_PROJECTS: `${place.root}/code/sho, ${place.root}/code/shop2`,
    };
    await wholeSession(place, { env });
    expect(spooled(place)).toHaveLength(KEPT);
  });
});

describe("what is passed over", () => {
  const own = ["mcp__plugin_throughline_mem__get_observations", "mcp__throughline_mem__search"];
  test.each<[string, string, Json, number]>([
    ...["ListMcpResourcesTool", "SlashCommand", "Skill", "TodoWrite", "AskUserQuestion", ...own].map(
      (tool): [string, string, Json, number] => [`the tool ${tool}`, "PostToolUse", { tool_name: tool }, 0],
    ),
    ["another server's tool", "PostToolUse", { tool_name: "mcp__github__search" }, 1],
    [
      "the host's memory files",
      "PostToolUse",
      { tool_name: "Read", tool_input: { file_path: "/h/.claude/projects/-w/memory/a.md" } },
      0,
    ],
    [
      "a background agent's result",
      "UserPromptSubmit",
      { prompt: " <task-notification>\nx\n</task-notification> " },
      0,
    ],
    [
      "a prompt that speaks of one",
      "UserPromptSubmit",
      { prompt: "why <task-notification>x</task-notification>?" },
      1,
    ],
    ["the host's own subagent", "SubagentStop", { agent_type: "", agent_id: "a" }, 0],
    ["a user's subagent", "SubagentStop", { agent_type: "Explore", agent_id: "a" }, 1],
    ["no session id", "UserPromptSubmit", { session_id: "" }, 0],
  ])("%s", async (_, event, fields, kept) => {
    const place = withoutWorker(newPlace("skip"));
    await runHook(
      place,
      event,
      toolPayload(place, "a", { hook_event_name: event, prompt: "do it", ...fields }),
    );
    expect(spooled(place)).toHaveLength(kept);
  });

  test("a prompt of white space is kept as one with media", async () => {
    const place = withoutWorker(newPlace("media"));
    await each(["", " \n"], (prompt) =>
      runHook(place, "UserPromptSubmit", payloadFor(place, "UserPromptSubmit", { prompt })),
    );
    expect(spooled(place).map(({ body }) => body.prompt)).toEqual(["[media prompt]", "[media prompt]"]);
  });
});
