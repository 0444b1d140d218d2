/** What an editing call did to its file, as lines. */
import type { Json } from "../../../core/event.ts";
import { type Call, fileOf } from "../call.ts";
import { listOf, objectOf, stringOf } from "../json.ts";
import {
  enclosing,
  findLine,
  learn,
  type Place,
  put,
  replaceLines,
  type Sheet,
  type Sheets,
  sheetOf,
} from "./known.ts";
import { textEdits } from "./shell-edits.ts";

export type PatchLine = { sign: "+" | "-" | " "; text: string };
/** Lines that belong together, context included, and the definition around the first of them where it is known. */
export type Hunk = { lines: PatchLine[]; inside: Place | null };
export type Patch = {
  created: boolean;
  /** Written as a whole, whether it was there before or not. */
  wrote: boolean;
  hunks: Hunk[];
};
export type FileEdits = { path: string; calls: Call[]; patches: Patch[] };

const LINES_MAX = 4_000;
/** The host's own copy of a plan, which is told as a plan. */
const HOST_PLAN = /\/\.claude\/plans\//;
export const EDIT_TOOLS = /^(?:Edit|MultiEdit|Write|NotebookEdit)$/;

/** The edits of each file, in order of its first edit, read beside what the turn's other calls showed of it. */
export function editsByFile(calls: readonly Call[], root: string | null): FileEdits[] {
  const files = new Map<string, FileEdits>();
  const sheets: Sheets = new Map();
  for (const call of calls) {
    if (call.failed) continue;
    const add = (path: string, patch: Patch) => {
      const file = files.get(path) ?? { path, calls: [], patches: [] };
      files.set(path, file);
      file.calls.push(call);
      file.patches.push(patch);
    };
    if (EDIT_TOOLS.test(call.tool)) {
      const path = fileOf(call, root);
      if (path !== "" && !HOST_PLAN.test(path)) add(path, patchOf(call, sheetOf(sheets, path)));
      continue;
    }
    learn(sheets, call, root);
    for (const { path, hunks, ...kind } of textEdits(call, root))
      add(path, {
        ...kind,
        hunks: hunks.map((lines) => ({ lines, inside: insideOf(lines, sheetOf(sheets, path)) })),
      });
  }
  return [...files.values()];
}

/** Around lines without numbers: where the first of them that is not new stands in what was seen. */
function insideOf(lines: readonly PatchLine[], sheet: Sheet): Place | null {
  const old = lines.filter((line) => line.sign !== "+").map((line) => line.text);
  const start = findLine(sheet, old);
  return start > 0 ? enclosing(sheet, start, old.find((text) => text.trim() !== "") ?? "") : null;
}

type Located = { start: number; lines: PatchLine[] };

/** From the structured result where there is one, else from the input's old and new texts. */
function patchOf(call: Call, sheet: Sheet): Patch {
  const response = objectOf(call.response);
  const structured = listOf(response.structuredPatch).map((hunk): Located => {
    const { oldStart, lines } = objectOf(hunk);
    return { start: typeof oldStart === "number" ? oldStart : 0, lines: linesOf(lines) };
  });
  const full = structured.filter((hunk) => hunk.lines.length > 0);
  const created = call.tool === "Write" && response.type === "create";
  const located = full.length > 0 ? full : fromInput(call, sheet);
  const [first] = full;
  if (first && full.length === 1) learnOldText(call, first, sheet);
  const hunks = located.map((hunk) => ({ lines: hunk.lines, inside: aroundOf(hunk, sheet) }));
  if (call.tool === "Write") {
    sheet.lines.length = 0;
    put(sheet, 1, splitLines(stringOf(call.input.content)));
  } else {
    for (const hunk of located.toReversed()) apply(hunk, sheet);
  }
  return { created, wrote: false, hunks };
}

function aroundOf(hunk: Located, sheet: Sheet): Place | null {
  const first = hunk.lines.find((line) => line.text.trim() !== "");
  return hunk.start > 0 && first ? enclosing(sheet, hunk.start, first.text) : null;
}

function apply(hunk: Located, sheet: Sheet): void {
  if (hunk.start <= 0) return;
  const now = hunk.lines.filter((line) => line.sign !== "-").map((line) => line.text);
  const gone = hunk.lines.filter((line) => line.sign !== "+").length;
  replaceLines(sheet, hunk.start, gone, now);
}

/** An edit's old text often reaches further up than the patch: it may hold the head of the function. */
function learnOldText(call: Call, hunk: Located, sheet: Sheet): void {
  if (call.tool !== "Edit" || call.input.replace_all === true || hunk.start <= 0) return;
  const old = splitLines(stringOf(call.input.old_string));
  const now = splitLines(stringOf(call.input.new_string));
  let same = 0;
  while (same < old.length && same < now.length && old[same] === now[same]) same += 1;
  const context = hunk.lines.findIndex((line) => line.sign !== " ");
  const from = hunk.start + context - same;
  if (context <= 0 || from < 1) return;
  // Its first line may begin in the middle of the file's.
  put(
    sheet,
    sheet.lines[from] === undefined ? from : from + 1,
    sheet.lines[from] === undefined ? old : old.slice(1),
  );
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

function fromInput(call: Call, sheet: Sheet): Located[] {
  const { input } = call;
  if (call.tool === "MultiEdit") {
    return listOf(input.edits).map((edit) => {
      const { old_string: before, new_string: after } = objectOf(edit);
      return located(stringOf(before), stringOf(after), sheet);
    });
  }
  const whole = (text: string): Located => ({ start: 0, lines: difference([], splitLines(text)) });
  if (call.tool === "Write") return [whole(stringOf(input.content))];
  if (call.tool === "NotebookEdit")
    return input.edit_mode === "delete" ? [] : [whole(stringOf(input.new_source))];
  return [located(stringOf(input.old_string), stringOf(input.new_string), sheet)];
}

function located(before: string, after: string, sheet: Sheet): Located {
  const old = splitLines(before);
  return { start: findLine(sheet, old), lines: difference(old, splitLines(after)) };
}

/** Equal lines at both ends are context; what is between went and came. */
function difference(old: readonly string[], now: readonly string[]): PatchLine[] {
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
