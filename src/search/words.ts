/** From what somebody typed to what is looked for. Any text is a query; none is an error. */
import {
  folded,
  gramsOf,
  hasUnspaced,
  identifierParts,
  signedNames,
  unspacedRuns,
  wordsOf,
} from "../core/tokens.ts";
import { formsOf, rootOf } from "./forms.ts";
import { stopWordsFor } from "./stop-words.ts";

/** What is found in a document: a word by its root, what begins with it, or a run of grams. */
export type Term = {
  /** As it stands in a document, see `rootOf`; a gram or joined form as it is. */
  root: string;
  /** Also what only begins with it. */
  isPrefix: boolean;
  /** Its part in the score beside that of a plain word, 1. */
  weight: number;
};

/** Words that stand for one thing the user named. */
export type Wanted = {
  /** Full-text expression that finds it; built of folded letters and digits alone. */
  expression: string;
  /** Wider expression for when that finds nothing; `null` where there is none. */
  wider: string | null;
  terms: Term[];
  /** Quoted: what has it not is no answer. */
  isPhrase: boolean;
};

export type Query = {
  wanted: Wanted[];
  /** Roots of the words in order as typed, without stop words. */
  sequence: string[];
  stops: ReadonlySet<string>;
  /** The text as typed, cut. */
  text: string;
};

/** Nobody types more; of a paste the beginning says what it is about (UTF-16 units). */
const LONGEST_QUERY = 4_000;
/** Of a paste so many different words are looked for. */
const MOST_WORDS = 48;
/** A prefix of fewer letters would find everything. */
const SHORTEST_PREFIX = 3;
/** In a query of up to so many words the last one may still be being typed. */
const TYPING_WORDS = 3;
const PREFIX_WEIGHT = 0.4;
const PART_WEIGHT = 0.6;

export function parseQuery(typed: string): Query {
  const text = typed.slice(0, LONGEST_QUERY).replace(/[\p{Cc}\p{Cs}]+/gu, " ");
  const phrases = [...text.matchAll(/["“”„«]([^"“”„«»]+)["“”»]/gu)].map((match) => match[1] ?? "");
  const rest = text.replace(/["“”„«][^"“”„«»]+["“”»]/gu, " ");
  const tokens = rest.split(/\s+/).filter(Boolean).map(withoutApostrophes);
  const words = tokens.flatMap(wordsOf);
  const stops = stopWordsFor(words);
  const quoted = phrases.flatMap(phraseOf);
  const plain = tokens.filter((token) => !isStop(token, stops));
  const kept = plain.length > 0 || quoted.length > 0 ? plain : tokens;
  const typing = !/\s$/.test(text) && kept.length <= TYPING_WORDS ? kept.at(-1) : undefined;
  const wanted = [...quoted, ...kept.flatMap((token) => wantedOf(token, token === typing))];
  return {
    wanted: distinct(wanted).slice(0, MOST_WORDS),
    sequence: kept.flatMap(wordsOf).map(rootOf),
    stops,
    text,
  };
}

/** The file filter as something that must be found among a document's names; `null` for none. */
export function fileOf(file: string | null): Wanted | null {
  const words = wordsOf(file ?? "");
  if (words.length === 0) return null;
  return { expression: `(names : "${words.join(" ")}")`, wider: null, terms: [], isPhrase: true };
}

/** The symbol filter: the name, whole or as its parts next to each other; `null` for none. */
export function nameRequired(symbol: string | null): Wanted | null {
  const words = wordsOf(symbol ?? "");
  if (words.length === 0) return null;
  const split = identifierParts((symbol ?? "").trim());
  const together = [words, split?.parts ?? []].filter((list) => list.length > 0);
  const whole = (split?.joined ?? []).map((word) => `"${word}"`);
  return {
    expression: anyOf([...new Set([...whole, ...together.map((list) => `"${list.join(" ")}"`)])]),
    wider: null,
    terms: [],
    isPhrase: true,
  };
}

/** `don't` is one word and `auth's` a word with an ending; `l'index` is two. */
function withoutApostrophes(token: string): string {
  return token.replace(/(\p{L})['’](s|t|d|m|re|ve|ll)(?!\p{L})/giu, (_, before: string, end: string) =>
    end.toLowerCase() === "s" ? before : before + end,
  );
}

function isStop(token: string, stops: ReadonlySet<string>): boolean {
  if (signedNames(token).length > 0) return false;
  const words = wordsOf(token);
  return words.every((word) => stops.has(word));
}

function phraseOf(phrase: string): Wanted[] {
  const words = wordsOf(phrase);
  if (words.length === 0) return [];
  if (hasUnspaced(phrase)) return runsOf(phrase).map((wanted) => ({ ...wanted, isPhrase: true }));
  return [
    {
      expression: `"${words.join(" ")}"`,
      wider: words.map((word) => `"${word}"`).join(" AND "),
      terms: words.map((word) => ({ root: rootOf(word), isPrefix: false, weight: 1 })),
      isPhrase: true,
    },
  ];
}

function wantedOf(token: string, isTyping: boolean): Wanted[] {
  const signed = signedNames(token).map((word) => plainWord(word, false));
  if (signed.length > 0) return signed;
  if (hasUnspaced(token)) {
    const others = wordsOf(token).filter((word) => !hasUnspaced(word));
    return [...runsOf(token), ...others.map((word) => plainWord(word, false))];
  }
  const split = identifierParts(token.replace(/^\P{L}+(?=\p{L})|[^\p{L}\p{N}]+$/gu, ""));
  if (split) return [nameOf(split)];
  return wordsOf(token).map((word) => plainWord(word, isTyping || /\p{L}\*$/u.test(token)));
}

function plainWord(word: string, isPrefix: boolean): Wanted {
  const begins = isPrefix && word.length >= SHORTEST_PREFIX;
  const exact = formsOf(word).map((form) => `"${form}"`);
  const root = { root: rootOf(word), isPrefix: false, weight: 1 };
  const prefix = { root: folded(word), isPrefix: true, weight: PREFIX_WEIGHT };
  return {
    expression: anyOf(begins ? [...exact, `"${word}" *`] : exact),
    wider: word.length >= SHORTEST_PREFIX ? `"${word}" *` : null,
    terms: begins ? [root, prefix] : [root],
    isPhrase: false,
  };
}

/** A name as a whole or by all its parts. */
function nameOf({ parts, joined }: { parts: string[]; joined: string[] }): Wanted {
  const whole = joined.map((word) => `"${word}"`);
  const all = `(${[...new Set(parts)].map((part) => `"${part}"`).join(" AND ")})`;
  return {
    expression: anyOf([...whole, all]),
    wider: anyOf(parts.map((part) => `"${part}"`)),
    terms: [
      ...joined.map((word) => ({ root: rootOf(word), isPrefix: false, weight: 1 })),
      ...parts.map((part) => ({ root: rootOf(part), isPrefix: false, weight: PART_WEIGHT })),
    ],
    isPhrase: false,
  };
}

/** A run of unspaced script is looked for by its neighbouring pairs, a single sign by itself. */
function runsOf(token: string): Wanted[] {
  return unspacedRuns(token).map((run) => {
    const pairs = gramsOf(run).filter((gram) => [...gram].length === 2);
    const grams = pairs.length > 0 ? pairs : [run];
    return {
      expression: `(grams : (${grams.map((gram) => `"${gram}"`).join(" AND ")}))`,
      wider: grams.length > 1 ? `(grams : (${grams.map((gram) => `"${gram}"`).join(" OR ")}))` : null,
      terms: grams.map((gram) => ({ root: gram, isPrefix: false, weight: 1 / grams.length })),
      isPhrase: false,
    };
  });
}

function anyOf(expressions: readonly string[]): string {
  return expressions.length === 1 ? (expressions[0] ?? "") : `(${expressions.join(" OR ")})`;
}

function distinct(wanted: readonly Wanted[]): Wanted[] {
  const found = new Map(wanted.map((one) => [one.expression, one]));
  return [...found.values()];
}
