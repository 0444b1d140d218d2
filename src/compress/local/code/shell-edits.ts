/** Files written by a shell command with their text in it, and patches given as text: edits like any other. */
import { isShell } from "../bash.ts";
import type { Call } from "../call.ts";
import { writtenFile } from "../commands.ts";
import { stringOf } from "../json.ts";
import { ownPath } from "../paths.ts";
import { commandsOf } from "../shell.ts";
import type { PatchLine } from "./patch.ts";

export type TextEdit = { path: string; created: boolean; wrote: boolean; hunks: PatchLine[][] };

const LINES_MAX = 4_000;
const PATCH_TOOLS = /^(?:apply_patch|ApplyPatch|patch)$/;

/** In order; empty for calls that write nothing with its text. */
export function textEdits(call: Call, root: string | null): TextEdit[] {
  const shown = (path: string) => ownPath(path, root, call.cwd);
  if (PATCH_TOOLS.test(call.tool)) {
    const { patch, input, diff } = call.input;
    return patched([patch, input, diff].map(stringOf).find((text) => text !== "") ?? "", shown);
  }
  if (!isShell(call)) return [];
  const line = stringOf(call.input.command) || stringOf(call.input.cmd);
  if (line.includes(BEGIN)) return patched(line, shown);
  if (!line.includes("<<")) return [];
  return commandsOf(line).flatMap((part): TextEdit[] => {
    const target = writtenFile(part);
    const path = target === "" || /[$*?`{]/.test(target) ? "" : shown(target);
    if (path === "" || part.fed === "" || !/^(?:cat|tee)$/.test(part.words[0] ?? "")) return [];
    const lines = part.fed.split("\n", LINES_MAX).map((text): PatchLine => ({ sign: "+", text }));
    return [{ path, created: false, wrote: !/>>/.test(part.text), hunks: [lines] }];
  });
}

const BEGIN = "*** Begin Patch";
const FILE = /^\*\*\* (Add|Update|Delete) File: (.{1,500})$/;

/** The patch format of agents that know no line numbers: `*** Update File: a.ts`, `@@`, signed lines. */
function patched(text: string, shown: (path: string) => string): TextEdit[] {
  const found: TextEdit[] = [];
  let current: TextEdit | null = null;
  for (const line of text.split(/\r?\n/, LINES_MAX)) {
    const file = FILE.exec(line);
    if (file?.[2]) {
      const path = shown(file[2].trim());
      current = path === "" ? null : { path, created: file[1] === "Add", wrote: false, hunks: [[]] };
      if (current) found.push(current);
    } else if (line.startsWith("*** ")) {
      if (!line.startsWith("*** Move to:")) current = null;
    } else if (current && line.startsWith("@@")) {
      // What stands behind the marks is the line the hunk lies under.
      const under = line.replace(/^@@\s?/, "").replace(/\s?@@$/, "");
      current.hunks.push(under === "" ? [] : [{ sign: " ", text: under }]);
    } else if (current) {
      const sign = line[0];
      if (sign === "+" || sign === "-" || sign === " ")
        current.hunks.at(-1)?.push({ sign, text: line.slice(1) });
    }
  }
  return found.map((edit) => ({ ...edit, hunks: edit.hunks.filter((hunk) => hunk.length > 0) }));
}
