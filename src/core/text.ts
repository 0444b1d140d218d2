/** Cutting and smoothing text without breaking what a reader sees as one character. */

let segmenter: Intl.Segmenter | undefined;
/** No single visible character seen in practice is longer; it bounds the look back from a cut. */
const LONGEST_GRAPHEME = 64;

/**
 * At most `max` UTF-16 units of `text`, `ellipsis` included, cut at a grapheme boundary and, where one is near, at
 * a word's end.
 */
export function cutText(text: string, max: number, ellipsis = "…"): string {
  if (text.length <= max) return text;
  const room = max - ellipsis.length;
  if (room <= 0) return "";
  const end = graphemeBoundary(text, room);
  const space = text.lastIndexOf(" ", end);
  const word = space > end - 24 && space > end / 2 ? space : end;
  return text.slice(0, word).trimEnd() + ellipsis;
}

/** The last grapheme boundary at or before `at`. */
function graphemeBoundary(text: string, at: number): number {
  const before = text.charCodeAt(at - 1);
  const after = text.charCodeAt(at);
  // Between two plain ASCII characters there is always a boundary (but for CR LF).
  if (before < 0x80 && after < 0x80 && !(before === 13 && after === 10)) return at;
  segmenter ??= new Intl.Segmenter(undefined, { granularity: "grapheme" });
  const start = Math.max(0, at - LONGEST_GRAPHEME);
  const window = text.slice(start, at + LONGEST_GRAPHEME);
  let boundary = start;
  for (const { index } of segmenter.segment(window)) {
    if (start + index > at) break;
    boundary = start + index;
  }
  return boundary > 0 ? boundary : at;
}

/** The text with every run of white space and control characters as one space. */
export function oneLine(text: string): string {
  return text.replace(/[\s\u0000-\u001f\u007f\u0085\u2028\u2029]+/g, " ").trim();
}

/** The first sentence of the text, on one line; the whole text where it has no sentence end. */
export function firstSentence(text: string): string {
  const line = oneLine(text);
  const end = /[.!?](?=\s|$)|[。！？]/u.exec(
    line.replace(/\b(?:e\.g|i\.e|etc|vs|cf)\./gi, (all) => all.replaceAll(".", "_")),
  );
  return end ? line.slice(0, end.index + end[0].length) : line;
}
