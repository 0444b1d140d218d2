/** The words around a definition: its signature on one line, and the first sentence said about it. */
import { cutText, firstSentence, oneLine } from "../core/text.ts";
import { redactSecrets } from "../privacy/secrets.ts";

const SIGNATURE_MAX = 180;
const DOC_MAX = 140;
/** A longer text in quotes is data, not what a signature tells. */
const QUOTED_MAX = 32;
/** A comment of more lines is not about the definition below it alone. */
const COMMENT_LINES_MAX = 200;

/** Where the signature begins: behind decorators, annotations and attributes. */
export function behindDecorators(text: string, start: number, end: number): number {
  let at = start;
  for (;;) {
    const rest = text.slice(at, Math.min(end, at + 4_000));
    const head = /^(?:\s*@(?!interface\b)[\w.:]+\s*|\s*#!?(?=\[)|\s*(?=\[))/.exec(rest)?.[0];
    if (head === undefined) return at + (/^\s*/.exec(rest)?.[0].length ?? 0);
    const open = rest[head.length] ?? "";
    const isPlain = head.includes("@") && open !== "(";
    const closing = isPlain ? head.length : closingOf(rest, head.length);
    if (closing === null) return at;
    at += closing;
  }
}

/** Behind the bracket that closes the one at `from`. */
function closingOf(text: string, from: number): number | null {
  if (!/[([]/.test(text[from] ?? "")) return null;
  let depth = 0;
  for (let at = from; at < text.length; at += 1) {
    if ("([{".includes(text[at] ?? "")) depth += 1;
    else if (")]}".includes(text[at] ?? "") && --depth === 0) return at + 1;
  }
  return null;
}

/** One line of at most 180 characters, without credentials and texts in quotes that are longer than `quotedMax`. */
export function signatureFrom(text: string, quotedMax = QUOTED_MAX): string {
  const line = oneLine(text.slice(0, 2_000))
    .replace(/\s*(?:\{|=>|=|:|->|=\s*[[({])\s*$/, "")
    .replace(/([([]) /g, "$1")
    .replace(/,? ([)\]])/g, "$1")
    .replace(/\s*[;,]$/, "");
  const quoted = line.replace(/(["'`])((?:(?!\1)[^\\]|\\.)*)\1/g, (all, quote: string, inside: string) =>
    inside.length > quotedMax ? `${quote}…${quote}` : all,
  );
  const safe = /["'`=]/.test(quoted) ? redactSecrets(quoted) : quoted;
  return cutText(safe, SIGNATURE_MAX);
}

const COMMENT = /^\s*(?:\/\/|\/\*|\*(?=[\s/*]|$)|#+(?=\s|$)|--\s)/;
const ATTRIBUTE = /^\s*(?:@[\w.:]+(?:\(.*\))?|#\[.*\]|\[.*\])\s*$/;

/**
 * The comment that ends right above the 0-based line `row`, attributes between them skipped: its first row and
 * first sentence.
 */
export function commentAbove(lines: readonly string[], row: number): { row: number; doc: string | null } {
  let top = row;
  while (top > 0 && ATTRIBUTE.test(lines[top - 1] ?? "")) top -= 1;
  const block = commentBlock(lines, top);
  if (block === null) return { row: top, doc: null };
  return { row: block, doc: sentence(lines.slice(block, top).join("\n")) };
}

function commentBlock(lines: readonly string[], below: number): number | null {
  let first = below;
  const lowest = Math.max(0, below - COMMENT_LINES_MAX);
  const closes = /\*\/\s*$/.test(lines[below - 1] ?? "");
  while (first > lowest) {
    const line = lines[first - 1] ?? "";
    if (closes) {
      first -= 1;
      if (line.includes("/*")) return /^\s*\/\*/.test(line) ? first : null;
    } else if (COMMENT.test(line)) first -= 1;
    else break;
  }
  return closes || first === below ? null : first;
}

/** The first sentence of a Python docstring in this text that starts a body. */
export function docstring(body: string): string | null {
  const match =
    /^\s*[rRuUbB]?(?:"""([\s\S]{0,2000}?)(?:"""|$)|'''([\s\S]{0,2000}?)(?:'''|$)|"([^"\n]+)")/.exec(body);
  const text = match?.[1] ?? match?.[2] ?? match?.[3];
  return text === undefined ? null : sentence(text);
}

function sentence(comment: string): string | null {
  const plain = comment
    .split("\n")
    .map((line) =>
      line
        .replace(/^\s*(?:\/\*+!?|\/\/[/!]?|\*(?!\/)|#+|--+)\s?/, "")
        .replace(/\*\/\s*$/, "")
        .replace(/<\/?(?:summary|para|remarks|p|code)>/g, "")
        .trim(),
    )
    .join("\n")
    .trim();
  // Up to the first empty line or tag: what comes behind is another matter.
  const paragraph = plain.split(/\n\s*\n|\n\s*(?=@\w)/)[0] ?? "";
  if (!/\p{L}{2}/u.test(paragraph) || /^(?:eslint|biome|prettier|ts-|noqa|pylint|istanbul|@)/.test(paragraph))
    return null;
  return cutText(redactSecrets(firstSentence(paragraph)), DOC_MAX) || null;
}
