/**
 * Finds the tags whose content is never kept, in plain text and in text that went through JSON escaping
 * once or more. Written as a hand-driven scanner because every regular expression for this shape has an
 * input on which it goes quadratic.
 */

/** Names of hosts' and our own wrappers; `private` is the user's. */
const NAMES = new Set([
  "private",
  "claude-mem-context",
  "throughline-context",
  "system_instruction",
  "system-instruction",
  "persisted-output",
  "system-reminder",
]);

/** The longest of the names, so that a run of letters is never read further than that. */
const LONGEST_NAME = 19;

/** A host wrapper's attributes never run longer; further on, a `>` belongs to something else. */
const MAX_HOST_ATTRIBUTES = 1000;

export type Tag = {
  name: string;
  close: boolean;
  /** Index of the first character of the tag, escaping backslashes included. */
  start: number;
  /** Index after the tag. */
  end: number;
};

type Cursor = { text: string; at: number };

const MAY_OPEN = /<(?=[\s/\\pcst])|\\(?:u003c|x3c)/gi;
const MAY_END = />|\\(?:u003e|x3e)/gi;

const BACKSLASH = 92;
const SLASH = 47;
const SPACE = 32;
const GREATER = 62;

/** The text's tags in order of their place. Linear in the text's length. */
export function scanTags(text: string): Tag[] {
  const tags: Tag[] = [];
  const ends = { start: -1, end: -1 };
  let from = 0;
  for (;;) {
    const open = nextOpening(text, from);
    if (open === null) return tags;
    const tag = readTag(text, open.start, open.end, from, ends);
    if (tag !== null) tags.push(tag);
    from = tag === null ? open.end : tag.end;
  }
}

/** Whether anything in the text could open a tag; cheap enough for every text. */
export function mayHoldTag(text: string): boolean {
  MAY_OPEN.lastIndex = 0;
  return MAY_OPEN.test(text);
}

function nextOpening(text: string, from: number): { start: number; end: number } | null {
  MAY_OPEN.lastIndex = from;
  const hit = MAY_OPEN.exec(text);
  return hit === null ? null : { start: hit.index, end: hit.index + hit[0].length };
}

function readTag(
  text: string,
  start: number,
  afterOpening: number,
  floor: number,
  ends: { start: number; end: number },
): Tag | null {
  const cursor = { text, at: afterOpening };
  let code = takeAfterSpace(cursor);
  const close = code === SLASH;
  if (close) code = takeAfterSpace(cursor);
  let name = "";
  while (isNameCode(code)) {
    if (name.length === LONGEST_NAME) return null;
    name += String.fromCharCode(code).toLowerCase();
    code = take(cursor);
  }
  if (!NAMES.has(name)) return null;
  const end = tagEnd(cursor, code, { name, close }, ends);
  if (end < 0) return null;
  return { name, close, start: beforeBackslashes(text, start, floor), end };
}

/** Index after the tag whose name has just been read and was followed by `code`; -1 where it is no tag. */
function tagEnd(
  cursor: Cursor,
  code: number,
  tag: { name: string; close: boolean },
  ends: { start: number; end: number },
): number {
  const { text } = cursor;
  if (code === GREATER) return cursor.at;
  if (code === SLASH) return takeAfterSpace(cursor) === GREATER ? cursor.at : -1;
  if (code !== SPACE && !Number.isNaN(code)) return -1;
  // A closing tag carries nothing; taken loosely it could swallow an opening one.
  if (tag.close) return takeAfterSpace(cursor) === GREATER ? cursor.at : -1;
  const from = Math.min(cursor.at, text.length);
  // The next end is remembered, else text full of openings without an end would be read again for each.
  if (ends.start < from && ends.start !== text.length) {
    MAY_END.lastIndex = from;
    const hit = MAY_END.exec(text);
    ends.start = hit === null ? text.length : hit.index;
    ends.end = hit === null ? text.length : hit.index + hit[0].length;
  }
  // Attributes end where the next tag may begin, so that none is swallowed.
  if (tag.name === "private") return Math.min(ends.end, nextOpening(text, from)?.start ?? ends.end);
  if (ends.start === text.length || ends.start - from > MAX_HOST_ATTRIBUTES) return -1;
  return mayHoldTag(text.slice(from, ends.start)) ? -1 : ends.end;
}

/** An escaped `<` may carry several backslashes; all of them go with the tag. */
function beforeBackslashes(text: string, start: number, floor: number): number {
  let at = start;
  if (text.charCodeAt(at) !== BACKSLASH) return at;
  while (at > floor && text.charCodeAt(at - 1) === BACKSLASH) at -= 1;
  return at;
}

function isNameCode(code: number): boolean {
  const lower = code | 32;
  return (lower >= 97 && lower <= 122) || code === 95 || code === 45;
}

function takeAfterSpace(cursor: Cursor): number {
  let code = take(cursor);
  while (code === SPACE) code = take(cursor);
  return code;
}

/** The next character with its escape undone, white space as one space; NaN at the end of the text. */
function take(cursor: Cursor): number {
  const code = cursor.text.charCodeAt(cursor.at);
  if (code !== BACKSLASH) {
    cursor.at += 1;
    return isSpaceCode(code) ? SPACE : code;
  }
  let at = cursor.at + 1;
  while (cursor.text.charCodeAt(at) === BACKSLASH) at += 1;
  return takeEscape(cursor, at);
}

/** `at` is the index after the backslashes. */
function takeEscape(cursor: Cursor, at: number): number {
  const letter = cursor.text[at] ?? "";
  const digits = letter === "u" ? 4 : letter === "x" ? 2 : 0;
  if (digits > 0) {
    const hex = cursor.text.slice(at + 1, at + 1 + digits);
    const value = /^[0-9a-f]+$/i.test(hex) && hex.length === digits ? Number.parseInt(hex, 16) : BACKSLASH;
    cursor.at = value === BACKSLASH ? at : at + 1 + digits;
    return isSpaceCode(value) ? SPACE : value;
  }
  if (letter === "/" || letter === ">") {
    cursor.at = at + 1;
    return letter.charCodeAt(0);
  }
  if (letter !== "" && "nrtf".includes(letter)) {
    cursor.at = at + 1;
    return SPACE;
  }
  cursor.at = at;
  return BACKSLASH;
}

function isSpaceCode(code: number): boolean {
  return code === 32 || (code >= 9 && code <= 13) || code === 0xa0 || code === 0x2028 || code === 0x2029;
}
