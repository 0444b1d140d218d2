/** Removes what the user or a host marked as not to be kept. */
import type { Json } from "../core/event.ts";
import { mayHoldTag, scanTags, type Tag } from "./tag-scan.ts";

export type Stripped = {
  text: string;
  /** How many tags were met; more than a hundred in one text is worth a line in the log. */
  tags: number;
  /** Whether a `private` tag was among what was removed. */
  private: boolean;
};

type Span = { start: number; end: number };

/**
 * Removing a tag may join the halves of another (`<pri<private></private>vate>`); after this many rounds
 * the text is hostile and everything from the next tag on goes.
 */
const MAX_ROUNDS = 4;

/**
 * The text without the content of `private` tags and of host wrappers. An opening tag without a closing
 * one hides everything after it. `private` counts wherever it stands; a host wrapper only as a block: at
 * the start of a line, or closed later on, and not where it is quoted. Linear in the text's length.
 */
export function stripTags(text: string): Stripped {
  const result: Stripped = { text, tags: 0, private: false };
  for (let round = 0; round <= MAX_ROUNDS; round += 1) {
    if (!mayHoldTag(result.text)) return result;
    const tags = scanTags(result.text);
    if (round === 0) result.tags = tags.length;
    if (tags.length === 0) return result;
    const secret = privateSpans(tags, result.text.length);
    if (secret.opened) result.private = true;
    const spans = mergeSpans(secret.spans, wrapperSpans(result.text, tags, secret.spans));
    const first = spans[0];
    if (first === undefined) return result;
    result.text = round === MAX_ROUNDS ? result.text.slice(0, first.start) : without(result.text, spans);
  }
  return result;
}

/** Whether the text held a `private` tag and nothing but white space beside what is hidden. */
export function isWhollyPrivate(text: string): boolean {
  const stripped = stripTags(text);
  return stripped.private && stripped.text.replace(/\\+[nrt]/g, "").trim() === "";
}

/** A text with more tags than this was hardly written by a person. */
const FLOOD = 100;
/** The shortest tag there is, `<private>`. */
const SHORTEST_TAG = 9;

/** The most tags in any one text within the value, where these are suspiciously many (over 100); else 0. */
export function tagFlood(value: Json, depth = 0): number {
  if (typeof value === "string") {
    const tags = value.length > FLOOD * SHORTEST_TAG && mayHoldTag(value) ? scanTags(value).length : 0;
    return tags > FLOOD ? tags : 0;
  }
  // Deeper than this nothing is kept of it either.
  if (typeof value !== "object" || value === null || depth > 64) return 0;
  return Object.values(value).reduce<number>((most, inner) => Math.max(most, tagFlood(inner, depth + 1)), 0);
}

/** A lone closing tag is a span of its own: it hides nothing, but it is no content either. */
function privateSpans(tags: readonly Tag[], length: number): { spans: Span[]; opened: boolean } {
  const spans: Span[] = [];
  let depth = 0;
  let start = 0;
  let opened = false;
  for (const tag of tags) {
    if (tag.name !== "private") continue;
    if (!tag.close) {
      if (depth === 0) start = tag.start;
      depth += 1;
      opened = true;
    } else if (depth === 0) {
      spans.push({ start: tag.start, end: tag.end });
    } else {
      depth -= 1;
      if (depth === 0) spans.push({ start, end: tag.end });
    }
  }
  if (depth > 0) spans.push({ start, end: length });
  return { spans, opened };
}

/** Spans of host wrappers; tags inside private spans take no part in the matching. */
function wrapperSpans(text: string, tags: readonly Tag[], hidden: readonly Span[]): Span[] {
  const open = new Map<string, Tag[]>();
  const spans: Span[] = [];
  let next = 0;
  for (const tag of tags) {
    while (next < hidden.length && (hidden[next]?.end ?? 0) <= tag.start) next += 1;
    const inPrivate = (hidden[next]?.start ?? Number.POSITIVE_INFINITY) <= tag.start;
    if (tag.name === "private" || inPrivate || isMention(text, tag)) continue;
    const stack = open.get(tag.name) ?? [];
    open.set(tag.name, stack);
    if (!tag.close) {
      stack.push(tag);
      continue;
    }
    const opening = stack.pop();
    if (opening !== undefined) spans.push({ start: opening.start, end: tag.end });
  }
  for (const stack of open.values()) {
    const unclosed = stack.find((tag) => startsLine(text, tag.start));
    if (unclosed !== undefined) spans.push({ start: unclosed.start, end: text.length });
  }
  return spans;
}

/** Whether the tag stands between two equal quotes, as prose and source code write it. */
function isMention(text: string, tag: Tag): boolean {
  const before = text[tag.start - 1];
  if (before !== '"' && before !== "'" && before !== "`") return false;
  let after = tag.end;
  while (text[after] === "\\") after += 1;
  return text[after] === before;
}

/** Whether only white space lies between the index and the start of its line, escaped line ends included. */
function startsLine(text: string, index: number): boolean {
  let at = index - 1;
  while (at >= 0) {
    const char = text[at] ?? "";
    const escaped = text[at - 1] === "\\";
    if (char === "\n" || char === "\r" || (escaped && (char === "n" || char === "r"))) return true;
    if (escaped && char === "t") at -= 2;
    else if (char.trim() === "") at -= 1;
    else return false;
  }
  return true;
}

function mergeSpans(one: Span[], other: Span[]): Span[] {
  const merged: Span[] = [];
  for (const span of [...one, ...other].sort((a, b) => a.start - b.start)) {
    const last = merged[merged.length - 1];
    if (last !== undefined && span.start <= last.end) last.end = Math.max(last.end, span.end);
    else merged.push({ ...span });
  }
  return merged;
}

function without(text: string, spans: readonly Span[]): string {
  let kept = "";
  let from = 0;
  for (const span of spans) {
    kept += text.slice(from, span.start);
    from = span.end;
  }
  return kept + text.slice(from);
}
