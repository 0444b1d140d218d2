/** One thing put for another all over a change: a renamed name, a raised limit, a reworded message. */
import type { PatchLine } from "./patch.ts";

/** Both as written, without the marks they share at their ends. */
export type Swap = { from: string; to: string; lines: number };

const PAIRS_MAX = 400;
const LINE_MAX = 400;
const SIDE_MAX = 44;
const WORDS_BEFORE = 3;
/** A name, a number or something in quotes. */
const SIMPLE = /^["'`(]*[\p{L}\p{N}_$.-]+["'`),;]*$/u;
/** Of a sentence rather than of code. */
const WORDS = /^[\p{L}\p{M}\s,.!?'’-]+$/u;
const TELLING = /[\p{L}\p{N}]/u;

/** `null` where lines came or went, or where more than one thing changed. */
export function swapIn(hunks: readonly (readonly PatchLine[])[]): Swap | null {
  const pairs = pairsIn(hunks);
  const [first] = pairs ?? [];
  if (!pairs || !first) return null;
  const found =
    pairs.length === 1
      ? (sameSwap(pairs, DOTTED) ?? betweenEnds(first[0], first[1]))
      : sameSwap(pairs, TOKEN);
  if (!found || found.from.length > SIDE_MAX || found.to.length > SIDE_MAX) return null;
  return TELLING.test(found.from) && TELLING.test(found.to) ? { ...found, lines: pairs.length } : null;
}

/** The line that went with the line that came in its place; `null` where their numbers differ. */
function pairsIn(hunks: readonly (readonly PatchLine[])[]): [string, string][] | null {
  const pairs: [string, string][] = [];
  for (const lines of hunks) {
    for (let at = 0; at < lines.length; at += 1) {
      if (lines[at]?.sign === " ") continue;
      const gone = runOf(lines, at, "-");
      const come = runOf(lines, at + gone.length, "+");
      if (gone.length !== come.length || gone.length === 0) return null;
      pairs.push(...gone.map((line, index): [string, string] => [line.text, come[index]?.text ?? ""]));
      if (pairs.length > PAIRS_MAX) return null;
      at += gone.length + come.length - 1;
    }
  }
  return pairs;
}

function runOf(lines: readonly PatchLine[], from: number, sign: PatchLine["sign"]): PatchLine[] {
  let to = from;
  while (lines[to]?.sign === sign) to += 1;
  return lines.slice(from, to);
}

/** Names, numbers and signs of a line, each for itself. */
const TOKEN = /[\p{L}\p{N}_$]+|\s+|[^\p{L}\p{N}_$\s]/gu;

/** Versions and names with points in them are one, where a single line is looked at. */
const DOTTED = /[\p{L}\p{N}_$]+(?:\.[\p{L}\p{N}_$]+)*|\s+|[^\p{L}\p{N}_$\s]/gu;

function sameSwap(pairs: readonly [string, string][], token: RegExp): { from: string; to: string } | null {
  let found: { from: string; to: string } | null = null;
  for (const [before, after] of pairs) {
    if (before.length > LINE_MAX || after.length > LINE_MAX) return null;
    const old = before.match(token) ?? [];
    const now = after.match(token) ?? [];
    if (old.length !== now.length) return null;
    for (let at = 0; at < old.length; at += 1) {
      const [from = "", to = ""] = [old[at], now[at]];
      if (from === to || (from.trim() === "" && to.trim() === "")) continue;
      found ??= { from, to };
      if (found.from !== from || found.to !== to) return null;
    }
  }
  return found;
}

/** What differs between the words that both lines begin and end with. */
function betweenEnds(before: string, after: string): { from: string; to: string } | null {
  const [old, now] = [before.trim().split(/\s+/), after.trim().split(/\s+/)];
  let head = 0;
  while (head < old.length && head < now.length && old[head] === now[head]) head += 1;
  let tail = 0;
  while (tail < old.length - head && tail < now.length - head && old.at(-1 - tail) === now.at(-1 - tail))
    tail += 1;
  const side = (words: readonly string[], from: number) => words.slice(from, words.length - tail).join(" ");
  let [gone, come] = [side(old, head), side(now, head)];
  if (gone === "" || come === "" || gone === come) return null;
  const bare = withoutCommonMarks(gone, come);
  const isProse = WORDS.test(bare.from) && WORDS.test(bare.to);
  if (!isProse || (SIMPLE.test(bare.from) && SIMPLE.test(bare.to))) return bare;
  // Words of a sentence are told with those before them.
  for (let from = head - 1; from >= Math.max(0, head - WORDS_BEFORE); from -= 1) {
    const [longer, other] = [side(old, from), side(now, from)];
    if (longer.length > SIDE_MAX || other.length > SIDE_MAX) break;
    [gone, come] = [longer, other];
  }
  return withoutCommonMarks(gone, come);
}

/** Quotes and commas that both have at an end say nothing; nor does a bracket whose other half is outside. */
function withoutCommonMarks(before: string, after: string): { from: string; to: string } {
  const marks = /[^\p{L}\p{N}]/u;
  let [from, to] = [before, after];
  const isOpen = () => /[([{]/.test(from) || /[([{]/.test(to);
  while (
    from.length > 1 &&
    to.length > 1 &&
    from.at(-1) === to.at(-1) &&
    marks.test(from.at(-1) ?? "") &&
    !(/[)\]}]/.test(from.at(-1) ?? "") && isOpen())
  )
    [from, to] = [from.slice(0, -1), to.slice(0, -1)];
  while (from.length > 1 && to.length > 1 && from[0] === to[0] && marks.test(from[0] ?? ""))
    [from, to] = [from.slice(1), to.slice(1)];
  return { from: from.replaceAll("`", "'").toWellFormed(), to: to.replaceAll("`", "'").toWellFormed() };
}
