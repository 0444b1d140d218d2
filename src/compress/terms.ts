/** Words as they are compared: in any language, without a dictionary. */

/** What a text is about: each term with its weight. */
export type Terms = Map<string, number>;

/** Names of code say what a text is about, numbers less so, a pair of ideographs less than a word; hiragana is mostly grammar. */
const WEIGHT = { code: 2.5, number: 1.5, word: 1, pair: 0.7, kana: 0.25 };
/** Longer words are told apart by so many first letters (UTF-16 units): forms of one word mostly differ behind. */
const STEM = 7;
/** A text is read so far (UTF-16 units). */
const READ_MAX = 4_000;

const TOKEN = /[\p{L}\p{N}_$@][\p{L}\p{N}\p{M}_$@./:#-]*/gu;
/** Scripts that set no spaces between words. */
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]+/gu;
const HAS_UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;

/** Words of English, German, French, Spanish, Portuguese and Italian that are about nothing. */
const STOP = new Set(
  `a an the and or but if then else so as at by for from in into of off on onto out over to up with without within is are
   was were be been being am do does did done has have had having it its this that these those there here he she they we
   you i me my our your their his her them us not no nor can could should would will shall may might must also just only
   very more most much many any all each every some both few other another such same than too now still already yet when
   where which who what why how because while after before about between through during again once via per etc vs get gets
   got make makes made let lets need needs see use used uses using way thing things one two new always never please
   likely probably possibly maybe perhaps presumably seem seems appear appears might unconfirmed confirmed indeed actually
   vermutlich wahrscheinlich vielleicht möglicherweise tatsächlich nie niemals siempre nunca toujours jamais sempre probablement peut-être probablemente quizás posiblemente
   der die das den dem des ein eine einen einem einer und oder aber wenn dann auch als bei für von vom im in ins aus auf an
   am zu zum zur mit ohne ist sind war waren sein wird werden wurde wurden hat haben hatte es er sie wir ihr ich du nicht
   kein keine nur noch schon sehr mehr so wie was wer wo warum weil dass daß ob bitte ab jetzt immer
   le la les un une des du de et ou mais si alors que qui quoi est sont était être a ont avoir il elle nous vous ils elles
   je tu ce cet cette ces dans sur pour par avec sans ne pas plus très aussi comme où quand au aux en y
   el los las una unos unas del al y o pero si entonces que qué es son era fue ser estar está han ha hay él ella nosotros yo
   tú se su sus en por para con sin no más muy también como donde cuando lo
   o os as um uma uns umas do da dos das no na nos nas e ou mas que é são foi ser com sem por para não mais muito também
   il lo gli i uno di del della dei delle e o ma che è sono era con senza per non più molto anche come`.split(
    /\s+/,
  ),
);

/** The same sentences are compared again with every turn of a session. */
const known = new Map<string, Terms>();
const KNOWN_MAX = 2_000;

/** The terms of a text. Points and slashes inside names hold them together; a path counts by its last part. */
export function termsOf(text: string): Terms {
  const before = known.get(text);
  if (before) return before;
  const found: Terms = new Map();
  const add = (term: string, weight: number) => {
    if (weight > (found.get(term) ?? 0)) found.set(term, weight);
  };
  for (const [token] of text.slice(0, READ_MAX).matchAll(TOKEN)) {
    if (/^[a-z]+$/.test(token)) addWord(token, add);
    else if (HAS_UNSPACED.test(token)) addPairs(token, add);
    else addToken(token.replace(/[./:#-]+$/, ""), add);
  }
  if (known.size >= KNOWN_MAX) known.clear();
  known.set(text, found);
  return found;
}

type Add = (term: string, weight: number) => void;

function addPairs(token: string, add: Add): void {
  for (const pair of pairsOf(token)) {
    add(pair, /^\p{Script=Hiragana}+$/u.test(pair) ? WEIGHT.kana : WEIGHT.pair);
  }
}

function addWord(word: string, add: Add): void {
  if (word.length > 1 && !STOP.has(word)) add(stem(word), WEIGHT.word);
}

function addToken(token: string, add: Add): void {
  const name = token.replace(/^.*\/(?=.)/, "");
  if (/^[\d.:#-]+$/.test(name)) {
    add(name, WEIGHT.number);
    return;
  }
  const parts = name
    .replace(/(\p{Ll}|\d)(\p{Lu})/gu, "$1 $2")
    .replace(/(\p{Lu}+)(\p{Lu}\p{Ll})/gu, "$1 $2")
    .split(/[^\p{L}\p{N}\p{M}]+/u)
    .filter((part) => part !== "");
  if (parts.length > 1 && isCode(name)) add(name.toLowerCase(), WEIGHT.code);
  for (const part of parts) {
    const word = part.toLowerCase();
    if (/^\d+$/.test(word)) add(word, parts.length > 1 ? WEIGHT.word : WEIGHT.number);
    else addWord(word, add);
  }
}

/** `a_b`, `a.b`, `aB`; not `so-called` and not `Sentence.Next`. */
function isCode(name: string): boolean {
  return /[_$@/:#]|\p{Ll}\p{Lu}|\p{L}\.\p{Ll}|\p{L}-\p{L}+-|\d/u.test(name);
}

function stem(word: string): string {
  const single = word.length > 4 && /[^s]s$/.test(word) ? word.slice(0, -1) : word;
  return single.slice(0, STEM);
}

function* pairsOf(token: string): Generator<string> {
  for (const [run] of token.matchAll(UNSPACED)) {
    const marks = [...run];
    if (marks.length === 1) yield run;
    for (let at = 0; at + 1 < marks.length; at += 1) yield `${marks[at]}${marks[at + 1]}`;
  }
}

export function isCodeTerm(weight: number): boolean {
  return weight === WEIGHT.code;
}

/** Shared weight over all weight: 1 for the same terms, 0 for none in common. */
export function likeness(one: Terms, other: Terms): number {
  const shared = sharedWeight(one, other);
  const all = weightOf(one) + weightOf(other) - shared;
  return all === 0 ? 0 : shared / all;
}

/** Whether the text is of a script without spaces: the same words in another order share fewer pairs. */
export function isUnspaced(text: string): boolean {
  return HAS_UNSPACED.test(text);
}

/** How much of the first one's weight the second one holds, 0 to 1. */
export function heldIn(part: Terms, whole: Terms): number {
  const all = weightOf(part);
  return all === 0 ? 0 : sharedWeight(part, whole) / all;
}

function sharedWeight(one: Terms, other: Terms): number {
  let sum = 0;
  for (const [term, weight] of one) if (other.has(term)) sum += weight;
  return sum;
}

function weightOf(terms: Terms): number {
  let sum = 0;
  for (const weight of terms.values()) sum += weight;
  return sum;
}

/** The numbers and versions in a text, in order. */
export function numbersIn(text: string): string {
  return [...text.matchAll(/(?<![\p{L}\p{N}_])v?\d[\d.,:]*/giu)]
    .map(([number]) => number.replace(/[.,:]+$/, ""))
    .join(" ");
}

const NEGATION =
  /\b(?:not|no|never|none|neither|nor|without|cannot|avoid|stop|nicht|nie|niemals|kein\w*|ohne|ne|pas|jamais|sans|nunca|jamás|sin|não|sem|non|mai|senza)\b|n['’]t\b|不|别|別|勿|没有|沒有|无|無|(?<!かもしれ|違い)ない|(?<!かもしれ)ません|ずに|禁止|않|없|말(?:고|아)/giu;

/** How many words of the text deny something: of two alike texts, an odd difference turns the meaning round. */
export function isDenial(text: string): boolean {
  return [...text.matchAll(NEGATION)].length % 2 === 1;
}

/** A stable 48-bit number for a text (cyrb53, public domain). */
export function hash48(text: string): number {
  let high = 0xdeadbeef;
  let low = 0x41c6ce57;
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    high = Math.imul(high ^ unit, 2654435761);
    low = Math.imul(low ^ unit, 1597334677);
  }
  high = Math.imul(high ^ (high >>> 16), 2246822507) ^ Math.imul(low ^ (low >>> 13), 3266489909);
  low = Math.imul(low ^ (low >>> 16), 2246822507) ^ Math.imul(high ^ (high >>> 13), 3266489909);
  return 4294967296 * (0xffff & low) + (high >>> 0);
}
