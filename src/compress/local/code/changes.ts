/** What a series of patches to one file comes to: names that came, went, or changed inside. */
import type { Place } from "./known.ts";
import type { Hunk, Patch, PatchLine } from "./patch.ts";
import { type Swap, swapIn } from "./swap.ts";
import { type Definition, definitionsIn, indentOf, isComment, isImport } from "./symbols.ts";

export type Change = Definition & { state: "added" | "removed" | "changed"; from?: string };
export type FileChange = {
  created: boolean;
  /** Written as a whole by a command. */
  wrote: boolean;
  added: number;
  removed: number;
  names: Change[];
  /** Changed lines that are neither blank nor brackets, for files without names. */
  plus: string[];
  minus: string[];
  /** Lines that stayed, for telling what is new. */
  around: string[];
  /** The one thing that was put for another, all over the file. */
  swap: Swap | null;
  only: "imports" | "comments" | null;
};

const KEPT_LINES = 60;

/** The net effect: what was added and removed again within the series is not there. */
export function changeOf(path: string, patches: readonly Patch[]): FileChange {
  const define = definitionsIn(path);
  const names = new Map<string, Change>();
  const lines: PatchLine[] = [];
  const around: string[] = [];
  for (const { hunks } of patches) {
    for (const hunk of hunks) {
      addHunk(names, hunk, define);
      for (const line of hunk.lines)
        if (line.sign !== " ") lines.push(line);
        else if (around.length < KEPT_LINES) around.push(line.text);
    }
  }
  const telling = lines.filter((line) => /[\p{L}\p{N}]/u.test(line.text));
  const kept = (sign: string) =>
    telling
      .filter((line) => line.sign === sign)
      .map((line) => line.text.trim())
      .slice(0, KEPT_LINES);
  return {
    created: patches.some((patch) => patch.created),
    wrote: patches[0]?.wrote ?? false,
    added: lines.filter((line) => line.sign === "+").length,
    removed: lines.filter((line) => line.sign === "-").length,
    names: [...names.values()],
    plus: kept("+"),
    minus: kept("-"),
    around,
    swap: swapIn(patches.flatMap((patch) => patch.hunks.map((hunk) => hunk.lines))),
    only: onlyOf(telling),
  };
}

function onlyOf(lines: readonly PatchLine[]): FileChange["only"] {
  if (lines.length === 0) return null;
  if (lines.every((line) => isImport(line.text))) return "imports";
  return lines.every((line) => isComment(line.text)) ? "comments" : null;
}

type Define = (line: string) => Definition | null;

function addHunk(names: Map<string, Change>, hunk: Hunk, define: Define): void {
  const came = new Map<string, { definition: Definition; text: string }>();
  const went = new Map<string, { definition: Definition; text: string }>();
  const touched = new Map<string, Definition>();
  let open: Place[] = hunk.inside ? [hunk.inside] : [];
  for (const line of hunk.lines) {
    const definition = define(line.text);
    const indent = indentOf(line.text);
    if (definition && line.sign === "+") came.set(definition.name, { definition, text: line.text });
    if (definition && line.sign === "-") went.set(definition.name, { definition, text: line.text });
    if (!definition && line.sign !== " " && line.text.trim() !== "") {
      const around = enclosing(open, indent);
      if (around && !came.has(around.name)) touched.set(around.name, around);
    }
    if (definition) {
      const level = definition.kind === "section" ? 0 : indent;
      open = [...open.filter((place) => place.indent < level), { definition, indent: level }];
    } else if (line.sign !== "-" && /^[)}\]]+[;,]?\s*$/.test(line.text)) {
      open = [];
    }
  }
  renames(names, came, went);
  for (const [name, { definition }] of went)
    settle(names, definition, came.has(name) ? "changed" : "removed");
  for (const [name, { definition }] of came) if (!went.has(name)) settle(names, definition, "added");
  for (const definition of touched.values())
    if (!went.has(definition.name)) settle(names, definition, "changed");
}

function enclosing(open: readonly Place[], indent: number): Definition | null {
  const place = open.findLast((one) => one.definition.kind === "section" || one.indent < indent);
  return place && place.definition.kind !== "key" ? place.definition : null;
}

/** A definition that went and one that came with the same line but for the name: the same thing, renamed. */
function renames(
  names: Map<string, Change>,
  came: Map<string, { definition: Definition; text: string }>,
  went: Map<string, { definition: Definition; text: string }>,
): void {
  for (const [from, old] of went) {
    if (came.has(from) || old.definition.kind !== "definition") continue;
    for (const [to, fresh] of came) {
      if (went.has(to) || old.text.replace(from, to) !== fresh.text) continue;
      went.delete(from);
      came.delete(to);
      names.set(to, { ...fresh.definition, state: "changed", from });
      break;
    }
  }
}

function settle(names: Map<string, Change>, definition: Definition, state: Change["state"]): void {
  const before = names.get(definition.name);
  if (state === "removed" && before?.state === "added") {
    names.delete(definition.name);
    return;
  }
  if (before && state === "changed") return;
  const net = before?.state === "removed" && state === "added" ? "changed" : state;
  names.set(definition.name, { ...definition, state: net });
}
