/** The order in which one text is made fit to be kept. */
import { collapseBase64 } from "./base64.ts";
import { joinEnds, shares, TEXT_MAX } from "./cap.ts";
import { redactPem } from "./pem.ts";
import { redactSecrets } from "./secrets.ts";
import { stripTags } from "./tags.ts";

/** How far beyond a cut the text is looked at, so that no secret lies across it unseen. */
const MARGIN = 16_384;
/** What lies at the far end of the margin may be half a secret and never reaches the result. */
const FRINGE = 2048;

const MAX_ROUNDS = 6;

/** Nothing that short is a tag or a credential. */
const SHORTEST = 7;

/**
 * The text as it may be kept: marked parts gone, secrets replaced, base64 described, at most `max` UTF-16
 * units (0 or less: no limit). Lone surrogates and NUL become U+FFFD. Applying it again changes nothing.
 */
export function redactText(text: string, max: number = TEXT_MAX, type?: string): string {
  const clean = cleanText(text);
  if (clean.length < SHORTEST) return clean;
  const limit = max > 0 ? max : Number.POSITIVE_INFINITY;
  const plain = stripTags(clean).text;
  // Keys may begin in what will be left out, so they are looked for in the whole.
  const open = plain.length < 512 ? plain : collapseBase64(redactPem(plain), type);
  if (open.length <= limit + 2 * MARGIN) {
    const safe = redactSecrets(open);
    return safe.length <= limit ? safe : settle(joinEnds(safe, safe, safe.length, limit), limit);
  }
  return settle(cutEnds(open, limit), limit);
}

/** Makes text well-formed: lone surrogates and NUL, which stores and viewers choke on, become U+FFFD. */
export function cleanText(text: string): string {
  const whole = text.isWellFormed() ? text : text.toWellFormed();
  return whole.includes("\0") ? whole.replace(/\0+/g, (run) => "\uFFFD".repeat(run.length)) : whole;
}

function cutEnds(text: string, max: number): string {
  const { head, tail } = shares(max);
  const first = redactSecrets(text.slice(0, head + MARGIN));
  const last = redactSecrets(text.slice(text.length - tail - MARGIN));
  const usableFirst = first.slice(0, Math.max(0, Math.min(head, first.length - FRINGE)));
  const usableLast = last.slice(Math.min(Math.max(last.length - tail, FRINGE), last.length));
  return joinEnds(usableFirst.toWellFormed(), usableLast.toWellFormed(), text.length, max);
}

/** A cut may leave the half of something that reads differently alone, and hiding it may lengthen the text. */
function settle(text: string, max: number): string {
  let before = text;
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    const safe = redactSecrets(stripTags(before.toWellFormed()).text);
    const after = safe.length <= max ? safe : joinEnds(safe, safe, safe.length, max);
    if (after === before) break;
    before = after;
  }
  return before;
}
