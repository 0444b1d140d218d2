/** What is told before a file is read, through the server that hosts call. */
import { afterEach, beforeAll, describe, expect, test } from "bun:test";
import { mkdirSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import type { ObservationDraft } from "../../src/core/observation.ts";
import { resolveProject } from "../../src/env/project.ts";
import { replaceLocal } from "../../src/store/observations.ts";
import { openStore } from "../../src/store/open.ts";
import { upsertProject } from "../../src/store/projects.ts";
import { touchSession } from "../../src/store/sessions.ts";
import { promptEvent } from "../support/events.ts";
import { ensureBuilt, envOf, type Json, payloadFor, wordsFor } from "../support/programs.ts";
import { type Place, usePlaces, withoutWorker } from "../support/temp.ts";

const newPlace = usePlaces();
beforeAll(ensureBuilt);
const open: Client[] = [];
afterEach(async () => {
  for (const client of open.splice(0)) await client.close();
});

const DAY = 86_400_000;

/** A file of 2,000 bytes that `sessions` sessions changed on as many days, last one day ago. */
function remembered(sessions: number): Place {
  const place = withoutWorker(newPlace("read"));
  const file = join(place.project, "src", "a.ts");
  mkdirSync(join(place.project, "src"));
  writeFileSync(file, "x".repeat(2_000));
  utimesSync(file, (Date.now() - 90 * DAY) / 1_000, (Date.now() - 90 * DAY) / 1_000);
  for (let back = sessions; back > 0; back -= 1) note(place, back);
  return place;
}

/** One more session's note about the file, `days` ago. */
function note(place: Place, days: number): void {
  const db = openStore(place.paths.store, place.paths.backups);
  const { project } = resolveProject(place.project, { HOME: place.home });
  const at = Date.now() - days * DAY;
  if (!project) throw new Error("no project");
  const projectId = upsertProject(db, project, at);
  const { id } = touchSession(db, promptEvent("x", { sessionId: `past-${days}`, at, project }), projectId);
  const draft: ObservationDraft = {
    unit: "edit:src/a.ts",
    type: "change",
    title: `Changed the parser ${days} days ago`,
    subtitle: "",
    narrative: "",
    facts: [],
    concepts: [],
    filesRead: [],
    filesModified: ["src/a.ts"],
    origin: "tool",
    pinned: false,
    agentId: null,
    agentType: null,
    evidence: [],
    at,
  };
  replaceLocal(db, { sessionRow: id, projectId, promptNumber: 1 }, [draft]);
  db.close();
}

type Told = { context: string; refusal: string; decision: unknown };

/** Calls hooks of one session, each answered with what the model would get. */
async function session(place: Place, env: Record<string, string> = {}) {
  const [command = "", ...args] = [...wordsFor("mcp"), "claude-code"];
  const client = new Client({ name: "test", version: "1.0.0" });
  await client.connect(
    new StdioClientTransport({
      command,
      args,
      cwd: place.project,
      env: envOf(place, { CLAUDE_PROJECT_DIR: place.project, ...env }),
    }),
  );
  open.push(client);
  const hook = async (event: string, fields: Json): Promise<Told> => {
    const payload = payloadFor(place, event, fields);
    const result = await client.callTool({ name: "hook", arguments: { ...payload, hook_event_name: event } });
    const [content] = result.content as { text: string }[];
    const output = (JSON.parse(content?.text ?? "{}").hookSpecificOutput ?? {}) as Json;
    return {
      context: String(output.additionalContext ?? ""),
      refusal: String(output.permissionDecisionReason ?? ""),
      decision: output.permissionDecision,
    };
  };
  const read = (more: Json = {}) =>
    hook("PreToolUse", {
      tool_name: "Read",
      tool_input: { file_path: join(place.project, "src/a.ts"), ...more },
      tool_use_id: "toolu_r",
    });
  return { hook, read };
}

describe("before a file is read", () => {
  test("its history is told once in a session, without a word on permissions", async () => {
    const place = remembered(2);
    const { read } = await session(place);
    const first = await read();
    expect(first.context).toMatch(/Earlier work on[\s\S]*Changed the parser 1 days ago[\s\S]*2 days ago/);
    expect(first.decision).toBeUndefined();
    expect((await read()).context).toBe("");
  });

  test("again when there is something newer, or the context was cut down", async () => {
    const place = remembered(2);
    const { read, hook } = await session(place);
    await read();
    note(place, 0.5);
    expect((await read()).context).toContain("0.5 days ago");
    expect((await read()).context).toBe("");
    await hook("PostCompact", { trigger: "manual", compact_summary: "short" });
    expect((await read()).context).toContain("0.5 days ago");
  });

  test("other tools, other projects, no store: nothing", async () => {
    const place = remembered(2);
    const { hook } = await session(place);
    const file = join(place.project, "src/a.ts");
    for (const fields of [
      { tool_name: "Grep", tool_input: { path: file } },
      { tool_name: "Read", tool_input: {} },
      { tool_name: "Read", tool_input: "text" },
    ]) {
      expect((await hook("PreToolUse", fields)).context).toBe("");
    }
    const empty = withoutWorker(newPlace("empty"));
    expect((await (await session(empty)).read()).context).toBe("");
  });
});

describe("the read gate", () => {
  const gate = { CLAUDE_MEM_READ_GATE: "true" };

  test("answers the first read of a well-remembered file from memory, and lets the second pass", async () => {
    const { read } = await session(remembered(3), gate);
    const first = await read();
    expect(first).toMatchObject({ decision: "deny", context: "" });
    expect(first.refusal).toMatch(/Changed the parser[\s\S]*Reading it again gives the file itself/);
    expect(await read()).toMatchObject({ decision: undefined, context: "", refusal: "" });
  });

  test.each<[string, number, Json]>([
    ["a part of the file", 3, { offset: 10 }],
    ["a few lines", 3, { limit: 5 }],
    ["a file that few sessions changed", 2, {}],
  ])("lets %s pass, with its history", async (_, sessions, input) => {
    const { read } = await session(remembered(sessions), gate);
    const told = await read(input);
    expect(told.decision).toBeUndefined();
    expect(told.context).toContain("Earlier work on");
  });

  test("never holds up a file about to be edited", async () => {
    const place = remembered(3);
    const { read, hook } = await session(place, gate);
    await hook("PostToolUseFailure", {
      tool_name: "Edit",
      tool_input: { file_path: join(place.project, "src/a.ts"), old_string: "x", new_string: "y" },
      tool_use_id: "toolu_e",
      error: "File has not been read yet.",
    });
    expect((await read()).decision).toBeUndefined();
  });
});
