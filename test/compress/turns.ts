/** Small turns made by hand. */
import { expect, test } from "bun:test";
import { compressLocally } from "../../src/compress/local/compress.ts";
import type { EventKind, Json } from "../../src/core/event.ts";
import type { ObservationDraft } from "../../src/core/observation.ts";
import type { StoredEvent, Turn } from "../../src/core/turn.ts";

type Body = StoredEvent["body"];
export type Made = { kind: EventKind; body: Body; agentId?: string; agentType?: string; cwd?: string };

export const ROOT = "/home/ana/shop";

/** The turn of a prompt and what followed; ids count from 1, a second apart. */
export function turnOf(prompt: string, made: readonly Made[], root: string | null = ROOT): Turn {
  const all: Made[] = [{ kind: "prompt", body: { prompt } }, ...made];
  const events = all.map((one, at) => ({
    id: at + 1,
    kind: one.kind,
    at: 1_700_000_000_000 + at * 1_000,
    agentId: one.agentId ?? null,
    agentType: one.agentType ?? null,
    cwd: one.cwd ?? root,
    body: one.body,
  }));
  return { root, promptNumber: 1, prompt, events };
}

export function bash(command: string, stdout = "", description = ""): Made {
  const input = { command, description };
  return {
    kind: "tool",
    body: { tool: "Bash", input, response: { stdout, stderr: "", interrupted: false } },
  };
}

export function bashFails(command: string, error: string): Made {
  return { kind: "tool_failure", body: { tool: "Bash", input: { command }, error } };
}

export function tool(name: string, input: Json, response: Json = null): Made {
  return { kind: "tool", body: { tool: name, toolUseId: `use-${name}`, input, response } };
}

export function fails(name: string, input: Json, error: string): Made {
  return { kind: "tool_failure", body: { tool: name, input, error } };
}

/** An edit as the host reports it; lines carry their sign. */
export function edit(path: string, lines: string[]): Made {
  const hunk = { oldStart: 1, oldLines: 1, newStart: 1, newLines: 1, lines };
  return tool(
    "Edit",
    { file_path: `${ROOT}/${path}`, old_string: "", new_string: "" },
    { structuredPatch: [hunk] },
  );
}

/** A patch with the line of the old file it begins at. */
export function editAt(path: string, start: number, lines: string[]): Made {
  return tool(
    "Edit",
    { file_path: `${ROOT}/${path}`, old_string: "", new_string: "" },
    { structuredPatch: [{ oldStart: start, lines }] },
  );
}

export function create(path: string, content: string): Made {
  return tool("Write", { file_path: `${ROOT}/${path}`, content }, { type: "create", structuredPatch: [] });
}

export function read(path: string, content = "…", startLine = 1): Made {
  return tool("Read", { file_path: `${ROOT}/${path}` }, { type: "text", file: { content, startLine } });
}

export function observationsOf(prompt: string, made: readonly Made[]): ObservationDraft[] {
  return compressLocally(turnOf(prompt, made)).observations;
}

/** What a turn must come to: name, prompt, events, `type title` of each observation in order. */
export type Golden = [name: string, prompt: string, made: Made[], wanted: string[]];

export function golden(table: readonly Golden[]): void {
  for (const [name, prompt, made, wanted] of table) {
    test(name, () => {
      expect(observationsOf(prompt, made).map((one) => `${one.type} ${one.title}`)).toEqual(wanted);
    });
  }
}

export function end(message: string): Made {
  return { kind: "turn_end", body: { message, summarize: true } };
}
