/** Credentials that stand on their own: a known beginning, a JWT, or forty random characters. */
import { looksRandom } from "./entropy.ts";
import { PREFIXES } from "./secret-prefixes.ts";

/** Nothing shorter is a credential of a known shape. */
const RUN = /\b[A-Za-z0-9][A-Za-z0-9_+/-]{15,}/g;
const JWT =
  /eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}(?:\.[A-Za-z0-9_-]*){1,3}|eyJ[A-Za-z0-9_-]{8,}\.eyJ[A-Za-z0-9_-]{8,}/y;
const TELEGRAM_ID = /(?<!\d)\d{8,10}:$/;
const DISCORD_REST = /\.[A-Za-z0-9_-]{6}\.[A-Za-z0-9_-]{27,}/y;

/** The parts of credentials that come before the first long run, e.g. the `hvs.` of a Vault token. */
const DOTTED_START = /[A-Za-z0-9]{1,8}(?:\.[a-z]{2})?\.$/;

/** An AWS secret access key has this many characters and nothing else to be told by. */
const BARE_LENGTH = 40;

/** A word right before a random run, with no line end between, that says what the run is. */
const SECRET_WORD =
  /(?:secret|token|password|passphrase|credential|(?:api|access|private)[ _-]?key)[^\n\r]{0,24}$/i;

type Rule = { kind: string; prefix: string; body: RegExp | string };
type Hit = { start: number; end: number; kind: string };

let byHead: Map<number, Rule[]> | null = null;

/** The text with credentials of a known shape replaced. Linear in the text's length. */
export function redactTokens(text: string): string {
  let out = "";
  let from = 0;
  RUN.lastIndex = 0;
  for (let run = RUN.exec(text); run !== null; run = RUN.exec(text)) {
    const start = run.index;
    const end = start + run[0].length;
    const hit = findToken(text, start, end, from);
    if (hit === null) continue;
    out += `${text.slice(from, hit.start)}[redacted:${hit.kind}]`;
    from = hit.end;
    RUN.lastIndex = hit.end;
  }
  return from === 0 ? text : out + text.slice(from);
}

function findToken(text: string, start: number, end: number, floor: number): Hit | null {
  const rules = rulesByHead();
  let tries = 0;
  const dotted = dottedStart(text, start, floor);
  if (dotted < start) {
    const hit = matchAt(text, dotted, end, rules);
    if (hit !== null) return hit;
  }
  for (let at = start; at + BARE_LENGTH / 4 <= end && tries < 16; at = nextWord(text, at, start, end)) {
    const head = (text.charCodeAt(at) << 8) | text.charCodeAt(at + 1);
    if (!rules.has(head) && head !== JWT_HEAD) continue;
    const hit = matchAt(text, at, end, rules);
    if (hit !== null) return hit;
    tries += 1;
  }
  return wholeRun(text, start, end);
}

const JWT_HEAD = (101 << 8) | 121;

function matchAt(text: string, at: number, end: number, rules: Map<number, Rule[]>): Hit | null {
  if (text.startsWith("eyJ", at)) return match(text, at, JWT, "jwt");
  const head = (text.charCodeAt(at) << 8) | text.charCodeAt(at + 1);
  for (const rule of rules.get(head) ?? []) {
    if (!text.startsWith(rule.prefix, at)) continue;
    if (rule.kind === "telegram-token") {
      const id = TELEGRAM_ID.exec(text.slice(Math.max(0, at - 12), at));
      if (id !== null && end - at >= 33) return { start: at - id[0].length, end, kind: rule.kind };
      continue;
    }
    if (typeof rule.body === "string") rule.body = new RegExp(rule.body, "y");
    rule.body.lastIndex = at + rule.prefix.length;
    const body = rule.body.exec(text);
    if (body !== null) {
      return { start: at, end: at + rule.prefix.length + body[0].length, kind: rule.kind };
    }
  }
  return null;
}

function match(text: string, at: number, pattern: RegExp, kind: string): Hit | null {
  pattern.lastIndex = at;
  const hit = pattern.exec(text);
  return hit === null ? null : { start: at, end: at + hit[0].length, kind };
}

/** What can be told only from the run as a whole. */
function wholeRun(text: string, runStart: number, end: number): Hit | null {
  const start = afterEscape(text, runStart);
  const length = end - start;
  const first = text[start] ?? "";
  if (length >= 23 && length <= 28 && text[end] === "." && "MNO".includes(first)) {
    const rest = match(text, end, DISCORD_REST, "discord-token");
    if (rest !== null) return { ...rest, start };
  }
  if (length < 24 || length > 128) return null;
  const run = text.slice(start, end);
  if (!/\d/.test(run) || !/[A-Z]/.test(run) || !/[a-z]/.test(run) || /[_=-]/.test(run)) return null;
  if (isPartOfMore(text, runStart, end) || !looksRandom(run, true)) return null;
  const alone = length === BARE_LENGTH || SECRET_WORD.test(text.slice(Math.max(0, start - 40), start));
  return alone ? { start, end, kind: "high-entropy" } : null;
}

/** In `\nabc` the first letter belongs to the escape. */
function afterEscape(text: string, at: number): number {
  return text[at - 1] === "\\" && /[nrt]/.test(text[at] ?? "") ? at + 1 : at;
}

/** A run inside a path, an address or an integrity string is not bare. */
function isPartOfMore(text: string, start: number, end: number): boolean {
  return /[\w+/.@~%#-]/.test(text[start - 1] ?? "") || /[\w+/=@~%-]/.test(text[end] ?? "");
}

/** The index at which a known beginning may start that ends in a dot, a slash or a tilde. */
function dottedStart(text: string, start: number, floor: number): number {
  const before = text[start - 1];
  const lowest = Math.max(floor, start - 14);
  if (before === ".") {
    const hit = DOTTED_START.exec(text.slice(lowest, start));
    return hit === null ? start : afterEscape(text, lowest + hit.index);
  }
  const marked = before === "/" ? "1//" : before === "~" ? "8Q~" : "";
  return marked !== "" && start - 3 >= floor && text.startsWith(marked, start - 3) ? start - 3 : start;
}

/**
 * The next place in the run where a credential may begin: after a character that is neither letter nor
 * digit. At the run's start also after the letter of an escape (`\n`, `%3D`), which sticks to the run.
 */
function nextWord(text: string, at: number, start: number, end: number): number {
  if (at === start && text[start - 1] === "\\") return at + 1;
  if (at === start && text[start - 1] === "%") return at + 2;
  for (let i = at + 1; i < end; i += 1) {
    if (!isWordCode(text.charCodeAt(i - 1)) && isWordCode(text.charCodeAt(i))) return i;
  }
  return end;
}

function isWordCode(code: number): boolean {
  const lower = code | 32;
  return (code >= 48 && code <= 57) || (lower >= 97 && lower <= 122);
}

function rulesByHead(): Map<number, Rule[]> {
  if (byHead !== null) return byHead;
  byHead = new Map();
  for (const [kind, prefix, body] of PREFIXES) {
    const head = (prefix.charCodeAt(0) << 8) | prefix.charCodeAt(1);
    const rules = byHead.get(head);
    if (rules === undefined) byHead.set(head, [{ kind, prefix, body }]);
    else rules.push({ kind, prefix, body });
  }
  return byHead;
}
