/** Cutting and smoothing text without breaking what a reader sees as one character. */

let segmenter: Intl.Segmenter | undefined;
/** No single visible character seen in practice is longer (UTF-16 units); it bounds the look around a cut. */
const LONGEST_GRAPHEME = 64;
/** A cut moves back at most this far (UTF-16 units) to end with a whole word. */
const LONGEST_WORD = 24;

/**
 * At most `max` UTF-16 units of `text`, `ellipsis` included, cut at a grapheme boundary and, where one is near, at
 * a word's end. Returns `text` itself where it fits, and "" where there is no room beside the ellipsis.
 */
export function cutText(text: string, max: number, ellipsis = "…"): string {
  if (text.length <= max) return text;
  const room = max - ellipsis.length;
  if (room <= 0) return "";
  const end = graphemeBoundary(text, room);
  const space = text.lastIndexOf(" ", end);
  const word = space > end - LONGEST_WORD && space > end / 2 ? space : end;
  return text.slice(0, word).trimEnd() + ellipsis;
}

/** The last grapheme boundary at or before `at`. */
function graphemeBoundary(text: string, at: number): number {
  if (isPlain(text, at)) return at;
  segmenter ??= new Intl.Segmenter(undefined, { granularity: "grapheme" });
  let start = Math.max(0, at - LONGEST_GRAPHEME);
  let isSure = start === 0;
  for (let near = at - 1; near > start; near -= 1) {
    if (!isPlain(text, near)) continue;
    start = near;
    isSure = true;
  }
  if (isInsidePair(text, start)) start -= 1;
  const window = text.slice(start, at + LONGEST_GRAPHEME);
  const boundary = start + (segmenter.segment(window).containing(at - start)?.index ?? at - start);
  if (isSure || boundary > start) return boundary;
  // A heap of marks longer than any character: at least no half of a pair is left.
  return isInsidePair(text, at) ? at - 1 : at;
}

/** Between two plain ASCII characters there is always a boundary, but for CR LF. */
function isPlain(text: string, at: number): boolean {
  const before = text.charCodeAt(at - 1);
  const after = text.charCodeAt(at);
  return before < 0x80 && after < 0x80 && !(before === 13 && after === 10);
}

function isInsidePair(text: string, at: number): boolean {
  const before = text.charCodeAt(at - 1);
  const after = text.charCodeAt(at);
  return before >= 0xd800 && before <= 0xdbff && after >= 0xdc00 && after <= 0xdfff;
}

/** The text with every run of white space and control characters as one space. */
export function oneLine(text: string): string {
  return text.replace(/[\s\u0000-\u001f\u007f\u0085\u2028\u2029]+/g, " ").trim();
}

/** Points of these do not end a sentence. */
const ABBREVIATION = /\b(?:e\.g|i\.e|etc|vs|cf|approx|no|incl|z\.B|d\.h|bzw)\.(?=\s+[^A-Z])/g;
const SENTENCE_END = /[.!?]["')\]*_`]*(?=\s|$)|[。！？]/g;

/**
 * The sentences of a text, each on one line; a text without a sentence's end is one sentence. Points inside
 * names (`a.ts`), numbers and common abbreviations end nothing.
 */
export function sentencesOf(text: string): string[] {
  const line = oneLine(text);
  const marked = line.replace(ABBREVIATION, (all) => all.replaceAll(".", "_"));
  const found: string[] = [];
  let from = 0;
  for (const end of marked.matchAll(SENTENCE_END)) {
    const to = end.index + end[0].length;
    const sentence = line.slice(from, to).trim();
    if (/(?:^|[:(]\s*)\d{1,3}[.)]$/.test(sentence)) continue;
    if (sentence) found.push(sentence);
    from = to;
  }
  const rest = line.slice(from).trim();
  if (rest) found.push(rest);
  return found;
}

/** The first sentence of the text, on one line; the whole text where it has no sentence end. */
export function firstSentence(text: string): string {
  return sentencesOf(text)[0] ?? "";
}
