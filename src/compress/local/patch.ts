/** What an editing call did to its file, as lines. */
import type { Json } from "../../core/event.ts";
import type { Call } from "./call.ts";
import { listOf, objectOf, stringOf } from "./json.ts";

export type PatchLine = { sign: "+" | "-" | " "; text: string };
export type Patch = {
  created: boolean;
  /** Each hunk's lines, context included. */
  hunks: PatchLine[][];
};

const LINES_MAX = 4_000;
export const EDIT_TOOLS = /^(?:Edit|MultiEdit|Write|NotebookEdit)$/;

/** From the structured result where there is one, else from the input's old and new texts. */
export function patchOf(call: Call): Patch {
  const response = objectOf(call.response);
  const hunks = listOf(response.structuredPatch).map((hunk) => linesOf(objectOf(hunk).lines));
  const full = hunks.filter((hunk) => hunk.length > 0);
  const created = call.tool === "Write" && response.type === "create";
  return { created, hunks: full.length > 0 ? full : fromInput(call) };
}

function linesOf(lines: Json | undefined): PatchLine[] {
  return listOf(lines)
    .slice(0, LINES_MAX)
    .flatMap((line): PatchLine[] => {
      if (typeof line !== "string" || line === "") return [];
      const sign = line[0];
      return sign === "+" || sign === "-" || sign === " " ? [{ sign, text: line.slice(1) }] : [];
    });
}

function fromInput(call: Call): PatchLine[][] {
  const { input } = call;
  if (call.tool === "MultiEdit") {
    return listOf(input.edits).map((edit) => {
      const { old_string: before, new_string: after } = objectOf(edit);
      return difference(stringOf(before), stringOf(after));
    });
  }
  if (call.tool === "Write") return [difference("", stringOf(input.content))];
  if (call.tool === "NotebookEdit") {
    return [input.edit_mode === "delete" ? [] : difference("", stringOf(input.new_source))];
  }
  return [difference(stringOf(input.old_string), stringOf(input.new_string))];
}

/** Equal lines at both ends are context; what is between went and came. */
function difference(before: string, after: string): PatchLine[] {
  const old = splitLines(before);
  const now = splitLines(after);
  let head = 0;
  while (head < old.length && head < now.length && old[head] === now[head]) head += 1;
  let tail = 0;
  while (
    tail < old.length - head &&
    tail < now.length - head &&
    old[old.length - 1 - tail] === now[now.length - 1 - tail]
  ) {
    tail += 1;
  }
  return [
    ...signed(" ", now.slice(0, head)),
    ...signed("-", old.slice(head, old.length - tail)),
    ...signed("+", now.slice(head, now.length - tail)),
    ...signed(" ", now.slice(now.length - tail)),
  ];
}

function splitLines(text: string): string[] {
  if (text === "") return [];
  return text.replace(/\r?\n$/, "").split(/\r?\n/, LINES_MAX);
}

function signed(sign: PatchLine["sign"], lines: readonly string[]): PatchLine[] {
  return lines.map((text) => ({ sign, text }));
}
