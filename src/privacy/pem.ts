/** Private keys written as text blocks: PEM, OpenSSH, PGP, PuTTY. */

const BEGIN = "-----BEGIN ";
const LABEL = /-----BEGIN ([A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?)-----/y;
/** No private key in text form is longer (RSA 16384 takes about 12,000 characters). */
const MAX_BLOCK = 16_384;
/** Header lines that may stand between the first line and the key. */
const HEADER = /(?:Proc-Type|DEK-Info|Version|Comment|Hash|Charset)\s{0,3}:[^\n\\]{0,200}/y;
const WORD = /[A-Za-z0-9+/=_]+/y;
/** What may lead a line: list and diff marks, quotes, line numbers, escaped line ends. */
const JUNK = /[\s"'`,>|#*;:+\u2192()[\]{}]|\\+[nrtu0]?|-(?!----)|\d{1,6}(?=[\t\u2192:|])/y;
const PUTTY_BEGIN = "PuTTY-User-Key-File-";
const PUTTY = /PuTTY-User-Key-File-\d:[\s\S]{0,4000}?Private-Lines:/y;

/**
 * The text with every private key block replaced by `[redacted:pem]`. A block without its last line goes
 * as far as its lines look like a key. Mentions of the first line alone, certificates and public keys stay.
 */
export function redactPem(text: string): string {
  let at = text.indexOf(BEGIN);
  if (at < 0) return redactPutty(text);
  const ends = { at: -1 };
  let out = "";
  let from = 0;
  for (; at >= 0; at = text.indexOf(BEGIN, Math.max(from, at + 1))) {
    const end = blockEnd(text, at, ends);
    if (end < 0) continue;
    out += `${text.slice(from, at)}[redacted:pem]`;
    from = end;
  }
  return redactPutty(out + text.slice(from));
}

function redactPutty(text: string): string {
  const at = text.indexOf(PUTTY_BEGIN);
  if (at < 0) return text;
  PUTTY.lastIndex = at;
  const hit = PUTTY.exec(text);
  const end = hit === null ? -1 : consumeKey(text, at + hit[0].length + 1);
  // One key is what a file holds; a text with several of them is hidden from the first one on.
  if (end < 0) return text;
  const more = text.indexOf(PUTTY_BEGIN, end) >= 0;
  return `${text.slice(0, at)}[redacted:pem]${more ? "" : text.slice(end)}`;
}

/** Index after the block that begins at `at`; -1 where there is no private key. */
function blockEnd(text: string, at: number, ends: { at: number }): number {
  LABEL.lastIndex = at;
  const hit = LABEL.exec(text);
  if (hit === null) return -1;
  const label = hit[1] ?? "";
  const body = at + hit[0].length;
  if (ends.at !== text.length && ends.at < body) {
    const found = text.indexOf("-----END ", body);
    ends.at = found < 0 ? text.length : found;
  }
  const last = `-----END ${label}-----`;
  const near = ends.at < text.length && ends.at - body <= MAX_BLOCK;
  if (near && text.startsWith(last, ends.at) && isBody(text.slice(body, ends.at))) {
    return ends.at + last.length;
  }
  const end = consumeKey(text, body);
  return end > body ? end : -1;
}

/** Source code that looks for keys names both lines, each closed by its quote. */
function isBody(between: string): boolean {
  if (/^\\*["'`]/.test(between) && !/^\\*["'`]\s*[+,]?\s*\\*["'`]/.test(between))
    return /[A-Za-z0-9+/]{20}/.test(between);
  return /[A-Za-z0-9]/.test(between);
}

/** Reads on from the first line as long as what follows looks like a key; `from` where nothing does. */
function consumeKey(text: string, from: number): number {
  let end = from;
  let at = from;
  let seenLong = false;
  for (;;) {
    at = skipJunk(text, at);
    HEADER.lastIndex = at;
    const header = HEADER.exec(text);
    if (header !== null) {
      at += header[0].length;
      continue;
    }
    WORD.lastIndex = at;
    const word = WORD.exec(text)?.[0] ?? "";
    if (word === "" || !looksLikeKeyLine(word, seenLong)) break;
    if (word.length >= 24) seenLong = true;
    at += word.length;
    end = at;
  }
  const last = /^-----END [A-Z0-9 ]{0,60}-----/.exec(text.slice(at, at + 90));
  return last !== null && end > from ? at + last[0].length : end;
}

function skipJunk(text: string, from: number): number {
  let at = from;
  for (;;) {
    JUNK.lastIndex = at;
    const hit = JUNK.exec(text);
    if (hit === null) return at;
    at += hit[0].length;
  }
}

function looksLikeKeyLine(word: string, seenLong: boolean): boolean {
  if (word.length >= 24) return true;
  if (!seenLong) return word.length >= 12 && /\d/.test(word) && /[A-Za-z]/.test(word);
  return (
    /=$/.test(word) || (/\d/.test(word) && /[A-Z]/.test(word)) || (word.length >= 12 && /[A-Z]/.test(word))
  );
}
