/** What a turn's calls showed of its files, so that an edit can be told by the function it lies in. */
import type { Call } from "../call.ts";
import { fileOf } from "../call.ts";
import { objectOf, stringOf } from "../json.ts";
import { shownPath } from "../paths.ts";
import { type Definition, definitionsIn, indentOf } from "./symbols.ts";

/** A file's lines as far as they were seen, by line number from 1; kept in step with the edits. */
export type Sheet = { path: string; lines: (string | undefined)[] };
export type Place = { definition: Definition; indent: number };

/** Later lines are not remembered. */
const LINES_MAX = 20_000;
/** An enclosing definition is looked for at most so many lines above. */
const LOOK_MAX = 1_500;

export type Sheets = Map<string, Sheet>;

export function sheetOf(sheets: Sheets, path: string): Sheet {
  const sheet = sheets.get(path) ?? { path, lines: [] };
  sheets.set(path, sheet);
  return sheet;
}

/** Takes in what a reading or searching call showed. */
export function learn(sheets: Sheets, call: Call, root: string | null): void {
  if (call.failed) return;
  if (call.tool === "Read") {
    const file = objectOf(objectOf(call.response).file);
    const start = typeof file.startLine === "number" ? file.startLine : 1;
    const path = fileOf(call, root);
    if (path !== "") put(sheetOf(sheets, path), start, stringOf(file.content).split(/\r?\n/));
  } else if (call.tool === "Grep") {
    learnHits(sheets, call, root);
  }
}

const HIT = /^(?:([^\s:]{1,300}?\.\w{1,8})[:-])(\d{1,6})[:-](.*)$/;
const HIT_IN_ONE = /^()(\d{1,6})[:-](.*)$/;

/** Lines of a search with line numbers, of one file or of many. */
function learnHits(sheets: Sheets, call: Call, root: string | null): void {
  const lines = call.output.split("\n", LINES_MAX);
  const one = /\.\w+$/.test(stringOf(call.input.path)) ? fileOf(call, root) : "";
  for (const line of lines) {
    if (line.length > 1_000) continue;
    const hit = (one === "" ? HIT : HIT_IN_ONE).exec(line);
    const path = hit?.[1] ? shownPath(hit[1], root, call.cwd) : one;
    if (hit && path !== "") put(sheetOf(sheets, path), Number(hit[2]), [hit[3] ?? ""]);
  }
}

/** Notes lines from line number `from` on. */
export function put(sheet: Sheet, from: number, lines: readonly string[]): void {
  if (!Number.isInteger(from) || from < 1) return;
  for (let at = 0; at < lines.length && from + at <= LINES_MAX; at += 1) sheet.lines[from + at] = lines[at];
}

/** Puts `lines` in the place of `gone` lines from line number `from` on; what follows moves. */
export function replaceLines(sheet: Sheet, from: number, gone: number, lines: readonly string[]): void {
  if (!Number.isInteger(from) || from < 1 || from > LINES_MAX) return;
  const behind = gone === lines.length ? null : sheet.lines.slice(from + gone);
  if (behind === null || from >= sheet.lines.length) {
    put(sheet, from, lines);
    return;
  }
  sheet.lines.length = Math.min(sheet.lines.length, from);
  put(sheet, from, lines);
  sheet.lines.length = from + lines.length;
  for (const line of behind) if (sheet.lines.length <= LINES_MAX) sheet.lines.push(line);
}

/** The definition that line number `line` lies in; `null` where that was not seen. */
export function enclosing(sheet: Sheet, line: number, text: string): Place | null {
  const define = definitionsIn(sheet.path);
  let limit = text.trim() === "" ? Number.MAX_SAFE_INTEGER : indentOf(text);
  for (let at = line - 1; at >= Math.max(1, line - LOOK_MAX); at -= 1) {
    const above = sheet.lines[at];
    if (above === undefined) return null;
    if (above.trim() === "") continue;
    const indent = indentOf(above);
    if (indent === 0 && /^[)}\]]+[;,]?\s*$/.test(above)) return null;
    const definition = indent < limit || /^#/.test(above) ? define(above) : null;
    if (definition?.kind === "section") return { definition, indent: 0 };
    if (definition && definition.kind !== "key") return { definition, indent };
    // The end of a signature over several lines belongs to the line it opens with.
    limit = Math.min(limit, /^\s*\).*[{:]\s*$/.test(above) ? indent + 1 : indent);
    if (limit === 0) return null;
  }
  return null;
}

/** The line number at which an edit's old text begins, where the file's lines show it; 0 elsewhere. */
export function findLine(sheet: Sheet, old: readonly string[]): number {
  const telling = old.findIndex((line) => line.trim().length > 3);
  if (telling < 0) return 0;
  const at = sheet.lines.indexOf(old[telling]);
  return at > 0 ? Math.max(0, at - telling) : 0;
}
