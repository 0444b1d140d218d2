/** Values that are secret because of the name they are given to. */
import { judgeName, type SecretName } from "./secret-names.ts";
import { isSecretValue } from "./secret-values.ts";

/** Every name worth a look holds one of these. */
const WORD = /pass|pwd|secret|token|key|auth|cred|mnemonic|bearer|cookie|_pat|_pw|sig=|jwt|salt|dsn/gi;
const NAME_REST = /[\w$.-]{0,64}/y;
/** Closing quote of the name, an optional type, and the sign that assigns. */
const SIGN =
  /(\\*["'`]?\]?)([ \t]*)(?:[!?]?:[ \t]*[A-Za-z_][\w.[\]<>| ]{0,40}?[ \t]*=(?![=>])|=>|:=|\?\?=|\|\|=|[=!]==?|=|:(?!:)|(?=[ \t\n]))([ \t]*(?:\n\v\f\v)?)/y;
const UNQUOTED = /[^\s"'`<>,;&|=]{1,128}=*/y;
const UNQUOTED_REST = /[^\s"'`<>,;&|)\]}]*/y;
const LITERAL_MARK = /(?:[bBrRuUfFsS@$]|&)?(?=\\*["'`])/y;
/** What follows an option's name where it is talked about, or the next option. */
const FLAG_PROSE =
  /^(?:-.*|options?|flags?|arguments?|params?|parameters?|switch|values?|is|are|was|and|or|to|can|for|will|must|from|with|in|as|on|if|when|has|should|instead|via|here|that|which|may|does|the|a|an)$/i;
const COMPARES = /^[=!]==?$/;
const MAX_QUOTES = 64;

type Value = { start: number; end: number; text: string; quoted: boolean };
type Place = { text: string; quotes: Map<string, { from: number; at: number }> };

/** The text with secret values of names replaced; the names stay. Linear in the text's length. */
export function redactAssignments(text: string): string {
  const place: Place = { text, quotes: new Map() };
  let out = "";
  let from = 0;
  WORD.lastIndex = 0;
  for (let word = WORD.exec(text); word !== null; word = WORD.exec(text)) {
    const index = word.index;
    NAME_REST.lastIndex = index;
    const end = index + (NAME_REST.exec(text)?.[0].length ?? 0);
    WORD.lastIndex = Math.max(end, WORD.lastIndex);
    const hit = readAssignment(place, index, end);
    if (hit === null || hit.start < from) continue;
    out += `${text.slice(from, hit.start)}[redacted:${hit.kind}]`;
    from = hit.end;
    WORD.lastIndex = Math.max(hit.end, WORD.lastIndex);
  }
  return from === 0 ? text : out + text.slice(from);
}

function readAssignment(
  place: Place,
  index: number,
  end: number,
): { start: number; end: number; kind: string } | null {
  const { text } = place;
  SIGN.lastIndex = end;
  const sign = SIGN.exec(text);
  if (sign === null) return null;
  const start = nameStart(text, index);
  const flag = text[start] === "-" || text[start - 1] === "-";
  const by = sign[1] === undefined ? "" : sign[0].slice(sign[1].length).trim();
  if (by === "" && !flag) return null;
  const written = text.slice(start, end);
  // Test runners report so.
  if (by === ":" && written === "PASS") return null;
  const name = judgeName(written);
  if (name.level === 0) return null;
  const value = readValue(place, end + sign[0].length);
  // A comparison tells a secret only where it is with a literal.
  if (value === null || (!value.quoted && COMPARES.test(by))) return null;
  if (by === "" && FLAG_PROSE.test(value.text)) return null;
  return judgeValue(text, name, value, { start, by, spaced: sign[2] !== "" || sign[3] !== "" });
}

function judgeValue(
  text: string,
  name: SecretName,
  value: Value,
  sign: { start: number; by: string; spaced: boolean },
): { start: number; end: number; kind: string } | null {
  const after = text[value.end] ?? "";
  const lineEnd =
    after === "" || /[\r\n]/.test(after) || /^\\+[nr]/.test(text.slice(value.end, value.end + 3));
  const tight = sign.by === "=" && !sign.spaced;
  const secret = isSecretValue(name.level, value.text, {
    quoted: value.quoted,
    tight,
    alone: sign.by === "" || (sign.by === ":" && lineEnd && startsField(text, sign.start)),
    inCall: after === "," || after === ")" || /[),]$/.test(value.text),
  });
  if (!secret) return null;
  if (value.quoted) return { start: value.start, end: value.end, kind: name.kind };
  UNQUOTED_REST.lastIndex = value.end;
  const rest = UNQUOTED_REST.exec(text)?.[0].length ?? 0;
  return { start: value.start, end: value.end + rest, kind: name.kind };
}

/** Whether only white space, list marks and diff marks stand before the name on its line. */
function startsField(text: string, start: number): boolean {
  for (let at = start - 1; at >= 0 && start - at < 80; at -= 1) {
    const char = text[at] ?? "";
    if (char === "\n" || char === "\r") return true;
    if (char === "n" && text[at - 1] === "\\") return true;
    if (!" \t-+>\"'".includes(char)) return false;
  }
  return start < 80;
}

function nameStart(text: string, index: number): number {
  let at = index;
  while (at > 0 && index - at < 64 && /[\w$.-]/.test(text[at - 1] ?? "")) at -= 1;
  // In `\nPASSWORD=` the letter belongs to the escape.
  return text[at - 1] === "\\" && /[nrt]/.test(text[at] ?? "") && at < index ? at + 1 : at;
}

function readValue(place: Place, at: number): Value | null {
  const { text } = place;
  LITERAL_MARK.lastIndex = at;
  const mark = LITERAL_MARK.exec(text)?.[0].length ?? -1;
  if (mark >= 0) return readQuoted(place, at + mark);
  UNQUOTED.lastIndex = at;
  const hit = UNQUOTED.exec(text);
  if (hit === null) return null;
  let bare = hit[0];
  if (bare.includes("\\")) bare = bare.replace(/\\+[nrt].*$/s, "");
  let length = bare.length;
  while (length > 0 && ")]}.:{\\".includes(bare[length - 1] ?? "")) length -= 1;
  bare = bare.slice(0, length);
  return { start: at, end: at + bare.length, text: bare, quoted: false };
}

/** The text between a quote and its like, each behind the same number of backslashes, on one line. */
function readQuoted(place: Place, at: number): Value | null {
  const { text } = place;
  let open = at;
  while (text[open] === "\\") open += 1;
  const depth = open - at;
  const quote = text[open] ?? "";
  const start = open + 1;
  let end = nextIndex(place, quote, start);
  for (let tries = 0; tries < MAX_QUOTES && end < text.length; tries += 1) {
    const slashes = backslashesBefore(text, end, start);
    if (depth === 0 ? slashes % 2 === 0 : slashes === depth) {
      const stop = end - (depth === 0 ? 0 : depth);
      return inLine(place, start, Math.max(start, stop));
    }
    end = nextIndex(place, quote, end + 1);
  }
  return inLine(place, start, text.length);
}

/** An unclosed quote ends with its line. */
function inLine(place: Place, start: number, end: number): Value {
  const line = nextIndex(place, "\n", start);
  const stop = Math.min(end, line);
  return { start, end: stop, text: place.text.slice(start, stop), quoted: true };
}

function backslashesBefore(text: string, at: number, floor: number): number {
  let count = 0;
  while (at - count > floor && text[at - count - 1] === "\\") count += 1;
  return count;
}

/** `indexOf` that remembers, so that a text without any closing quote is not read once for each opening. */
function nextIndex(place: Place, what: string, from: number): number {
  const known = place.quotes.get(what);
  if (known !== undefined && known.from <= from && known.at >= from) return known.at;
  const found = place.text.indexOf(what, from);
  const at = found < 0 ? place.text.length : found;
  place.quotes.set(what, { from, at });
  return at;
}
