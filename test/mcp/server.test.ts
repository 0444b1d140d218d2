/** The MCP server through the client that hosts use. */
import { afterEach, beforeAll, describe, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { remember } from "../support/memories.ts";
import { processesOf, workersOf } from "../support/processes.ts";
import {
  EVENTS,
  each,
  ensureBuilt,
  envOf,
  type Json,
  payloadFor,
  toolPayload,
  until,
  waitForStored,
  wordsFor,
} from "../support/programs.ts";
import { count, spooled } from "../support/store.ts";
import { type Place, usePlaces, withoutWorker } from "../support/temp.ts";

const newPlace = usePlaces();
beforeAll(ensureBuilt);

type Session = { client: Client; pid: number; errors: () => string };
const open: Session[] = [];
afterEach(async () => {
  for (const { client } of open.splice(0)) await client.close();
});

async function connect(place: Place, env: Record<string, string> = {}): Promise<Session> {
  const [command = "", ...args] = [...wordsFor("mcp"), "claude-code"];
  const transport = new StdioClientTransport({
    command,
    args,
    cwd: place.project,
    env: envOf(place, { CLAUDE_PROJECT_DIR: place.project, ...env }),
    stderr: "pipe",
  });
  let errors = "";
  transport.stderr?.on("data", (chunk) => {
    errors += String(chunk);
  });
  const client = new Client({ name: "test", version: "1.0.0" });
  await client.connect(transport);
  const session = { client, pid: transport.pid ?? 0, errors: () => errors };
  open.push(session);
  return session;
}

async function call(
  { client }: Session,
  name: string,
  input: Json = {},
): Promise<{ text: string; isError: boolean }> {
  const result = await client.callTool({ name, arguments: input });
  const content = result.content as { type: string; text: string }[];
  expect(content.map(({ type }) => type)).toEqual(["text"]);
  return { text: content[0]?.text ?? "", isError: result.isError === true };
}

describe("what a model sees", () => {
  test("CB-06: few tools of short names, each saying what it does; the door for hooks is not among them", async () => {
    const session = await connect(withoutWorker(newPlace("mcp")));
    const { tools } = await session.client.listTools();
    const effects = tools.map(({ name, annotations: { readOnlyHint, destructiveHint } = {} }) =>
      [name, readOnlyHint ? "reads" : destructiveHint ? "deletes" : "writes"].join(" "),
    );
    expect(effects.sort()).toEqual([
      "forget deletes",
      "get_observations reads",
      "pin writes",
      "remember writes",
      "search reads",
      "session_context reads",
      "smart_outline reads",
      "smart_search reads",
      "smart_unfold reads",
      "timeline reads",
    ]);
    for (const tool of tools) {
      expect(`mcp__plugin_throughline_mem__${tool.name}`.length).toBeLessThan(64);
      expect(tool.description?.length).toBeLessThan(200);
    }
    expect(session.client.getInstructions()).toContain("get_observations");
  });

  test("observations by their numbers, in the forms a model writes them", async () => {
    const place = withoutWorker(newPlace("mcp"));
    remember(place, ["The first finding", "The second finding"]);
    const session = await connect(place);
    for (const ids of [
      [1, 2],
      ["1", "#2"],
    ]) {
      const { text, isError } = await call(session, "get_observations", { ids });
      expect([text.includes("The first finding"), text.includes("The second finding"), isError]).toEqual([
        true,
        true,
        false,
      ]);
    }
    expect((await call(session, "get_observations", { ids: 2 })).text).toContain("The second finding");
    expect((await call(session, "get_observations", { ids: [2, 99] })).text).toContain("Not found: #99");
  });

  test("what a new session is told", async () => {
    const place = withoutWorker(newPlace("mcp"));
    remember(place, ["The first finding"]);
    const session = await connect(place);
    expect((await call(session, "session_context")).text).toContain("The first finding");
    expect((await call(session, "session_context", { project: "shop" })).text).toContain("The first finding");
    expect(await call(session, "session_context", { project: "none" })).toEqual({
      text: expect.stringContaining("No project named none"),
      isError: true,
    });
  });
});

describe("bad calls are answered with a sentence, and the next one is served", () => {
  const bad: [string, Json][] = [
    ["get_observations", {}],
    ["get_observations", { ids: [] }],
    ["get_observations", { ids: ["x"] }],
    ["get_observations", { ids: [-1] }],
    ["get_observations", { ids: [1e300] }],
    ["get_observations", { ids: { a: 1 } }],
    ["get_observations", { ids: ["1; drop table observations"] }],
    ["dance", {}],
    ["", {}],
    ["__proto__", {}],
  ];
  test.each([
    ["an empty store", undefined],
    ["a store that is none", "no database\n".repeat(500)],
  ])("with %s", async (_, content) => {
    const place = withoutWorker(newPlace("mcp"));
    if (content) writeFileSync(place.paths.store, content);
    const session = await connect(place);
    for (const [name, input] of bad) {
      const { text, isError } = await call(session, name, input);
      expect({ name, input, isError, sentence: text.length > 10 }).toEqual({
        name,
        input,
        isError: true,
        sentence: true,
      });
      expect(text).not.toMatch(/at .*\.js:\d+|SQLITE/);
    }
    expect((await session.client.listTools()).tools.length).toBeGreaterThan(1);
    expect(session.errors()).toBe("");
  });

  test("lines that are no protocol do not end it", async () => {
    const place = withoutWorker(newPlace("mcp"));
    const child = Bun.spawn([...wordsFor("mcp"), "claude-code"], {
      cwd: place.project,
      env: envOf(place),
      stdin: "pipe",
      stdout: "pipe",
      stderr: "pipe",
    });
    for (const line of ["garbage", "{", "[]", "null", '{"jsonrpc":"2.0","method":"none","id":7}'])
      child.stdin.write(`${line}\n`);
    child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list" })}\n`);
    child.stdin.flush();
    const reader = child.stdout.getReader();
    let out = "";
    while (!out.includes("get_observations")) {
      const { value, done } = await reader.read();
      if (done) break;
      out += new TextDecoder().decode(value);
    }
    expect(out).toContain("get_observations");
    child.stdin.end();
    expect(await child.exited).toBe(0);
    expect(await new Response(child.stderr).text()).toBe("");
  });
});

describe("the door for hooks", () => {
  test("stores what the host's templates make of a call, and answers {}", async () => {
    const place = withoutWorker(newPlace("mcp"));
    const session = await connect(place);
    const payload = {
      ...toolPayload(place, "a"),
      tool_input: '{"command":"echo [1]"}',
      tool_response: "[not json",
      agent_id: "",
      duration_ms: "12",
    };
    expect(await call(session, "hook", payload)).toEqual({ text: "{}", isError: false });
    expect(spooled(place)[0]).toMatchObject({
      kind: "tool",
      via: "mcp",
      agentId: null,
      key: "claude-code:s1:tool:toolu_a",
      project: { key: place.project },
      body: { input: { command: "echo [1]" }, response: "[not json", durationMs: 12 },
    });
  });

  test("through both doors one call is one event", async () => {
    const place = newPlace("mcp");
    const session = await connect(place);
    for (let time = 0; time < 3; time += 1) await call(session, "hook", toolPayload(place, "a"));
    await waitForStored(place);
    expect(count(place, "events")).toBe(1);
  });

  test("strange payloads are answered with JSON, and the next call is served", async () => {
    const place = withoutWorker(newPlace("mcp"));
    const session = await connect(place);
    const strange: Json[] = [{}, { hook_event_name: 7 }, { hook_event_name: "__proto__", session_id: "s" }];
    for (const value of [null, 7, true, [], { a: 1 }, "\ud800", "x".repeat(1_000_000)])
      for (const event of EVENTS)
        strange.push({
          hook_event_name: event,
          session_id: "s1",
          cwd: value,
          prompt: value,
          tool_name: value,
          tool_input: value,
          tool_response: value,
          transcript_path: value,
        });
    for (const payload of strange) {
      const { text, isError } = await call(session, "hook", payload);
      expect(isError).toBe(false);
      expect(typeof JSON.parse(text)).toBe("object");
    }
    await call(session, "hook", toolPayload(place, "after"));
    expect(spooled(place).at(-1)?.body.toolUseId).toBe("toolu_after");
    expect(session.errors()).toBe("");
  });

  test("does nothing where the user switched off", async () => {
    const place = withoutWorker(newPlace("mcp"));
    const session = await connect(place, { THROUGHLINE_OFF: "1" });
    expect((await call(session, "hook", toolPayload(place, "a"))).text).toBe("{}");
    expect(spooled(place)).toEqual([]);
  });

  test("DL-11, PR-04: six servers at once: all is kept, one worker", async () => {
    const place = newPlace("mcp");
    const sessions = await Promise.all(Array.from({ length: 6 }, () => connect(place)));
    await Promise.all(
      sessions.map((session, of) =>
        each([...Array(20).keys()], (at) => call(session, "hook", toolPayload(place, `${of}-${at}`)), 2),
      ),
    );
    await waitForStored(place);
    expect(count(place, "events where via = 'mcp'")).toBe(120);
    await until(() => workersOf(place).length === 1, "one worker is left");
  });
});

test("it goes when its client goes, and by a signal", async () => {
  const place = withoutWorker(newPlace("mcp"));
  const one = await connect(place);
  await one.client.close();
  const two = await connect(place);
  process.kill(two.pid, "SIGTERM");
  await until(() => processesOf(place).length === 0, "no server is left");
});

describe("what a model finds", () => {
  test("search answers ids and titles, timeline what lies around, in this project and by name in others", async () => {
    const place = newPlace("find");
    remember(place, ["The parser keeps its state", "Totals are rounded once", "Exports run at night"]);
    const session = await connect(place);
    const found = await call(session, "search", { query: "when do exports run" });
    expect(found.text).toMatch(/^- #3 discovery \d{4}-\d\d-\d\d: Exports run at night/);
    expect((await call(session, "search", { query: "exports", project: "*" })).text).toContain("#3");
    expect((await call(session, "search", { query: "exports", project: "shop" })).text).toContain("#3");
    expect((await call(session, "search", { query: "exports", obs_type: "bugfix" })).text).toBe(
      "Nothing remembered fits.",
    );
    const around = await call(session, "timeline", { anchor: "#2", depth_before: 1, depth_after: 1 });
    expect(around.text.split("\n").map((line) => line.replace(/\d{4}-.*? #/, "#"))).toEqual([
      "- #1 discovery: The parser keeps its state",
      "→ #2 discovery: Totals are rounded once",
      "- #3 discovery: Exports run at night",
    ]);
  });

  test.each<[string, Json, string]>([
    ["search", { query: 5 }, "query must be a text."],
    ["search", { query: "a", project: "nowhere" }, "No project named nowhere is remembered."],
    ["search", { query: "a", from: "soon" }, "from must be a date such as 2026-01-31."],
    ["search", { query: "a", limit: -1 }, "limit must be a whole number."],
    ["timeline", {}, "Give an anchor or a query."],
    ["timeline", { anchor: 77 }, "Observation #77 not found"],
  ])("%s %j is refused with a sentence", async (tool, input, sentence) => {
    const answer = await call(await connect(newPlace("refused")), tool, input);
    expect(answer).toEqual({ text: sentence, isError: true });
  });
});

describe("what a model asks of the code", () => {
  test("outline, search and one definition, of this project's files alone", async () => {
    const place = withoutWorker(newPlace("code"));
    writeFileSync(join(place.project, "cart.ts"), "export function emptyCart() {\n  return [];\n}\n");
    const session = await connect(place);
    expect((await call(session, "smart_outline", { path: "cart.ts" })).text).toContain(
      "1–3 export function emptyCart()",
    );
    expect((await call(session, "smart_search", { query: "empty" })).text).toContain("emptyCart");
    expect((await call(session, "smart_unfold", { path: "cart.ts", symbol: "emptyCart" })).text).toContain(
      "return [];",
    );
    const outside = await call(session, "smart_outline", { path: "/etc/hostname" });
    expect(outside).toMatchObject({
      isError: true,
      text: expect.stringContaining("outside of the workspace"),
    });
    expect((await call(session, "smart_unfold", { path: "cart.ts" })).text).toBe("symbol is needed.");
  });
});

describe("what is told with a prompt", () => {
  const ask = async (session: Session, place: Place, prompt: string): Promise<string> => {
    const payload = payloadFor(place, "UserPromptSubmit", { prompt, hook_event_name: "UserPromptSubmit" });
    const { text } = await call(session, "hook", payload);
    return String((JSON.parse(text).hookSpecificOutput as Json | undefined)?.additionalContext ?? "");
  };

  test("what names the same code, once in a session; nothing for the rest", async () => {
    const place = newPlace("prompt");
    remember(
      place,
      ["Totals are rounded once in roundTotals", "Exports run at night"],
      "src/round-totals.ts",
    );
    const session = await connect(place);
    await call(session, "search", { query: "totals" });
    expect(await ask(session, place, "thanks, that is all for today then")).toBe("");
    expect(await ask(session, place, "why?")).toBe("");
    expect(await ask(session, place, "what is two plus two in the decimal system?")).toBe("");
    const told = await ask(session, place, "Please make roundTotals take the currency into account");
    expect(told).toMatch(
      /^<throughline-context>\nNotes from earlier sessions[\s\S]*#1 \d{4}-\d\d-\d\d discovery: Totals are rounded once/,
    );
    expect(await ask(session, place, "Please make roundTotals take the tax into account")).not.toContain(
      "#1 ",
    );
  });

  test("the user's own words are found by most of the prompt's", async () => {
    const place = newPlace("own");
    const session = await connect(place);
    await call(session, "remember", { text: "Production deploys go through make ship." });
    expect(await ask(session, place, "how do we deploy to production?")).toContain("make ship");
  });

  test("nothing where the setting says so, and nothing without a worker", async () => {
    const place = newPlace("off");
    remember(place, ["Totals are rounded once in roundTotals"]);
    const prompt = "Please make roundTotals take the currency into account";
    const off = await connect(place, { CLAUDE_MEM_SEMANTIC_INJECT: "false" });
    await call(off, "search", { query: "totals" });
    expect(await ask(off, place, prompt)).toBe("");
    const alone = withoutWorker(newPlace("alone"));
    expect(await ask(await connect(alone), alone, prompt)).toBe("");
  });
});

describe("what a model keeps and forgets", () => {
  test("remember, pin, forget: the worker is started for it, and a dry run comes first", async () => {
    const place = newPlace("keep");
    const session = await connect(place);
    const kept = await call(session, "remember", { text: "Deploys go through make ship.", pinned: true });
    expect(kept).toEqual({ text: "Remembered as #1, pinned: Deploys go through make ship.", isError: false });
    expect((await call(session, "session_context")).text).toContain("Deploys go through make ship.");
    expect((await call(session, "pin", { id: 1, pinned: false })).text).toContain("Unpinned #1");
    expect((await call(session, "forget", { ids: [1] })).text).toContain("Would be deleted");
    expect(count(place, "observations")).toBe(1);
    expect((await call(session, "forget", { ids: ["#1"], confirm: true })).text).toContain("Deleted:\n#1");
    expect(count(place, "observations")).toBe(0);
  });

  test.each<[string, Json, string]>([
    ["remember", { text: "<private>hush</private>" }, "There is nothing to remember"],
    ["remember", { text: 5 }, "text must be a text."],
    ["remember", { text: "a", type: "poem" }, "There is no type poem"],
    ["pin", { id: "x" }, "ids must be a list of observation numbers."],
    ["pin", { id: 77 }, "Observation #77 not found"],
    ["forget", { ids: [77], confirm: true }, "None of these observations is there."],
  ])("%s %j is refused with a sentence", async (tool, input, sentence) => {
    const place = newPlace("refused");
    const answer = await call(await connect(place), tool, input);
    expect(answer.isError).toBe(true);
    expect(answer.text).toContain(sentence);
  });
});
