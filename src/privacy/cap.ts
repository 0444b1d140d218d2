/** Cuts long text down to a size worth keeping. */
import { collapseBase64 } from "./base64.ts";
import { formatSize } from "./size.ts";

/** UTF-16 units; twice what nine tool results of ten need. */
export const TEXT_MAX = 16_384;

const HEAD_SHARE = 2 / 3;
/** A cut moves back at most so far in search of a whole character; more marks than that are not writing. */
const MAX_CLUSTER = 64;

/**
 * At most `max` UTF-16 units: the head (two thirds) and the tail, with a line between that says how much is
 * left out. Never cuts inside a character or a cluster of combined ones. Runs of base64 become a note of
 * their type and size first. `type` is the media type that stood beside the text.
 */
export function capText(text: string, max: number = TEXT_MAX, type?: string): string {
  const plain = collapseBase64(text, type);
  return plain.length <= max ? plain : joinEnds(plain, plain, plain.length, max);
}

/** Head of one text and tail of another with the marker between; `whole` is the length both came from. */
export function joinEnds(head: string, tail: string, whole: number, max: number): string {
  const total = formatSize(whole);
  const room = max - `\n… [${total} of ${total} left out] …\n`.length - 8;
  if (room < 32) return head.slice(0, safeCut(head, Math.max(0, max)));
  const first = withoutHalfNote(head.slice(0, safeCut(head, Math.floor(room * HEAD_SHARE))));
  const last = tail.slice(safeCut(tail, Math.max(0, tail.length - (room - first.length))));
  // The tail's cut moves back, which may take a few units more than there is room for.
  const fitting =
    last.length + first.length > room + 8
      ? tail.slice(safeCutUp(tail, tail.length - room + first.length))
      : last;
  const left = Math.max(0, whole - first.length - fitting.length);
  return `${first}\n… [${formatSize(left)} of ${total} left out] …\n${fitting}`;
}

/** A note of what was hidden is kept whole or not at all. */
function withoutHalfNote(text: string): string {
  const at = text.lastIndexOf("[redacted:");
  return at < 0 || text.indexOf("]", at) >= 0 ? text : text.slice(0, at);
}

/** The parts of a long text that can reach the result, in UTF-16 units. */
export function shares(max: number): { head: number; tail: number } {
  const head = Math.floor(max * HEAD_SHARE);
  return { head, tail: max - head };
}

/** The nearest index at or before `at` that lies between two whole characters. */
export function safeCut(text: string, at: number): number {
  if (at <= 0 || at >= text.length) return Math.max(0, Math.min(at, text.length));
  let cut = at;
  while (cut > 0 && at - cut < MAX_CLUSTER && joins(text, cut)) cut -= 1;
  if (at - cut >= MAX_CLUSTER) cut = at;
  return isInsidePair(text, cut) ? cut - 1 : cut;
}

function safeCutUp(text: string, at: number): number {
  let cut = Math.max(0, at);
  while (cut < text.length && cut - at < MAX_CLUSTER && joins(text, cut)) cut += 1;
  return isInsidePair(text, cut) ? cut + 1 : cut;
}

function isInsidePair(text: string, at: number): boolean {
  const next = text.charCodeAt(at);
  const before = text.charCodeAt(at - 1);
  return next >= 0xdc00 && next <= 0xdfff && before >= 0xd800 && before <= 0xdbff;
}

/** Whether the characters on both sides of the index belong to one. */
function joins(text: string, at: number): boolean {
  const next = text.charCodeAt(at);
  const before = text.charCodeAt(at - 1);
  if (next < 0x300) return next === 10 && before === 13;
  if (isInsidePair(text, at)) return true;
  if (next === 0x200d || before === 0x200d || (next >= 0xfe00 && next <= 0xfe0f)) return true;
  const point = text.codePointAt(at) ?? 0;
  if (point >= 0x1f3fb && point <= 0x1f3ff) return true;
  // Flags are two regional letters.
  if (point >= 0x1f1e6 && point <= 0x1f1ff) return isRegional(text.codePointAt(at - 2) ?? 0);
  return /^\p{M}/u.test(String.fromCodePoint(point));
}

function isRegional(point: number): boolean {
  return point >= 0x1f1e6 && point <= 0x1f1ff;
}
