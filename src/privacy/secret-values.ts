/** Which values are secrets, given how much their name says; the rest is code, types and placeholders. */
import { entropy, looksRandom } from "./entropy.ts";
import type { Level } from "./secret-names.ts";

const WORDS_OF_CODE = new Set(
  (
    "true false null nil none undefined nan void string str number int integer float bool boolean bytes byte " +
    "any unknown object never optional required empty yes no on off auto default self this new await async " +
    "return typeof function func lambda const let var char text varchar uuid date struct interface type " +
    "option result secretstr bytearray buffer symbol array list dict map set redacted hidden masked missing " +
    "invalid valid ok error failed disabled enabled env prompt stdin file vault read write admin n/a na tbd todo " +
    "inherit changeme change_me change-me replaceme example placeholder"
  ).split(" "),
);

/** `your-password`, `db_password`, `newPassword`: the name of the thing, not the thing. */
const LABEL =
  /^(?:(?:current|new|old|your|my|the|enter|confirm|repeat|user|db|database|admin|root|api|access|auth|client|some|test|one|time|one-time)[-_ ]?){0,3}(?:password|passwd|pwd|pass|secret|token|key|apikey|passphrase|credentials?)s?(?:[-_ ]?here)?$/i;
const PLACEHOLDER =
  /^(?:[xX*.•_#?-]+|<.*>?|\{.*|\[.*|%[A-Za-z_]+%?|%\(\w+\)s|(?:your|my)[-_].*|__.*__|\w+\[[\w, ]*\])$/is;
/** Random values may hold such a word by the will of who made them up (AWS's own sample keys do). */
const SAMPLE = /example|placeholder|dummy/i;
/** `challengePassword`, `client-secret`: a name in one of the usual spellings. */
const NAME_OF_SECRET =
  /^[a-z]{2,20}(?:[-_.][a-z]{2,20}|[A-Z][a-z]{1,20}){0,3}(?:[-_.](?:password|secret|token|key)|(?:Password|Secret|Token|Key))$/;
const VERSION = /^[~^v]?\d+\.\d+\.\d+(?:[-+.][\w.]+)?$/;
const ELIDED = /\.\.\.|…|xxxx/i;
/** Four words and more without grammar: a passphrase. */
const WORD_LIST = /^[a-z]{3,10}(?:[ -][a-z]{3,10}){3,23}$/;
const PROSE =
  /\b(?:the|your|you|and|for|enter|please|must|not|with|from|are|was|has|have|can|should|will|that|this|is|to|of|in|use|used|when|only)\b/;
const CALL = /^[\w$.:?!>-]+\(/;
/** `a.b`, `a?.b`, `A::b`, `a->b`, `a[`: an expression whose parts are names. */
const MEMBER = /^[A-Za-z_$][\w$]*(?:(?:\?\.|\.|::|->)[A-Za-z_$][\w$]*)+[!?;,)]*$|^[A-Za-z_$][\w$.]*\[/;
const PATH = /^(?:[./~]{1,3}[\\/]|\/[\w.-]+(?:\/|$)|[A-Za-z]:\\|[a-z][a-z+.-]*:\/\/)/;
const INTEGRITY = /^(?:sha(?:1|256|384|512)|md5)[-:$]/i;
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const HASH = /^[0-9a-f]{7,}$/i;
/** By level: fewer characters are no secret under such a name. */
const SHORTEST = [Number.POSITIVE_INFINITY, 20, 8, 1] as const;
/** Variables and constants, which unquoted values of source code are. */
const SNAKE = /^[A-Za-z]+\d{0,2}(?:_[A-Za-z]*\d{0,2}){1,8}[;,)]*$/;
const TOKEN_ALPHABET = /^[\w+/=.~:%@!$*&#,;-]+$/;
const TEMPLATE = /\$\{|#\{|\{\{|\$\(|<%|\$[A-Za-z_]/;

export type Surroundings = {
  /** The value stood in quotes. */
  quoted: boolean;
  /** No white space around an equals sign. */
  tight: boolean;
  /** Nothing but the name and the value on the line, or an argument of its own. */
  alone: boolean;
  /** What follows an unquoted value closes an argument, as in source code. */
  inCall: boolean;
};

/** Whether `value` under a name of this level is to be hidden. */
export function isSecretValue(level: Level, value: string, where: Surroundings): boolean {
  if (value.length < SHORTEST[level] || value.startsWith("[redacted:")) return false;
  if (isNoSecret(value) || (value.length < 200 && INTEGRITY.test(value))) return false;
  if (level === 1) return isHighEntropy(value);
  if (!where.quoted && isExpression(value)) return false;
  return level === 3 ? isPassword(value, where) : isToken(value, where);
}

function isNoSecret(value: string): boolean {
  if (value.length > 400) return false;
  if (TEMPLATE.test(value) && !/^\$2[aby]\$/.test(value)) return true;
  if (ELIDED.test(value) || VERSION.test(value) || !/[\p{L}\d]/u.test(value)) return true;
  if (NAME_OF_SECRET.test(value)) return true;
  if (/^!(?:vault|ref|sub|getatt|secret|env\w*|join)$/i.test(value)) return true;
  if (SAMPLE.test(value) && !looksRandom(value)) return true;
  return (
    WORDS_OF_CODE.has(value.toLowerCase()) || LABEL.test(value) || PLACEHOLDER.test(value) || PATH.test(value)
  );
}

function isExpression(value: string): boolean {
  if (/^[$&({[<`/\\|]/.test(value)) return true;
  if (CALL.test(value)) return true;
  return MEMBER.test(value) && !looksRandom(value);
}

function isPassword(value: string, where: Surroundings): boolean {
  const digit = /\d/.test(value);
  if (where.quoted) {
    if (/^\s*[),;+\]}.]/.test(value)) return false;
    if (WORD_LIST.test(value) && !PROSE.test(value)) return true;
    if (/\s/.test(value)) return digit && value.length < 80 && /[^\w\s.,:;'"()-]/.test(value);
    return !CALL.test(value) || digit;
  }
  if (/^[A-Za-z]+$/.test(value) && /[a-z][A-Z]/.test(value) && !where.tight) return false;
  const strange = digit || /[^A-Za-z0-9_.:-]/.test(value);
  if (where.inCall) return strange && value.length >= 6;
  if (where.tight) return value.length >= 3;
  if (where.alone && value.length >= 6) return true;
  return strange && value.length >= 6 && !/[.;,]$/.test(value);
}

function isToken(value: string, where: Surroundings): boolean {
  if (!TOKEN_ALPHABET.test(value)) return false;
  const mixed = /\d/.test(value) && /[A-Za-z]/.test(value);
  if (where.quoted || (where.tight && !where.inCall)) {
    return mixed || looksRandom(value) || (value.length >= 20 && /[a-z]/.test(value) && isLetterNoise(value));
  }
  if (SNAKE.test(value)) return false;
  return (
    (mixed && value.length >= 12 && !/^[a-z]+(?:[A-Z][a-z]*)*\d{0,2}$/.test(value)) || looksRandom(value)
  );
}

/** Letters only, yet no words: a generator's output that happens to hold no digit. */
function isLetterNoise(value: string): boolean {
  const turns = value.match(/[a-z][A-Z]|[A-Z]{2}[a-z]/g)?.length ?? 0;
  return turns / value.length > 0.2;
}

function isHighEntropy(value: string): boolean {
  if (UUID.test(value) || HASH.test(value) || /\s/.test(value)) return false;
  if (value.length > 400) return /^[A-Za-z0-9+/=_-]+$/.test(value) && entropy(value) > 4.5;
  return /^[\w+/=.~%-]+$/.test(value) && looksRandom(value);
}
