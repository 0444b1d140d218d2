/** How well a definition answers the words of a query. */
import type { DefinitionKind } from "./definition.ts";

export type Query = {
  words: string[];
  /** The words' stems, in the same order. */
  stems: string[];
  /** What each word and all of its stem begin with: a text without it answers none of them. */
  roots: string[];
  /** The query without spaces, in lower case: a name as somebody typed it. */
  whole: string;
};

export type Candidate = {
  kind: DefinitionKind;
  name: string;
  /** Names of what it is in, with points between them; "" at the top. */
  within: string;
  signature: string;
  doc: string | null;
};

const WORDS_MAX = 12;
const QUERY_MAX = 400;
const STOP = new Set(
  "a an and are as at be by do does for from how in into is it its of on or that the this to was what when where which who why with".split(
    " ",
  ),
);

/** The words of an identifier or of a phrase, in lower case: `getHTTPServer_v2` is get, http, server, v2. */
export function wordsIn(text: string): string[] {
  return text
    .replace(/(\p{Ll}|\p{N})(\p{Lu})/gu, "$1 $2")
    .replace(/(\p{Lu}+)(\p{Lu}\p{Ll})/gu, "$1 $2")
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean);
}

/** The query's words without those that say nothing, unless there are no others. */
export function queryOf(text: string): Query {
  const cut = text.slice(0, QUERY_MAX);
  const all = [...new Set(wordsIn(cut))];
  const telling = all.filter((word) => !STOP.has(word));
  const words = (telling.length > 0 ? telling : all).slice(0, WORDS_MAX);
  return {
    words,
    stems: words.map(stem),
    roots: words.map((word) => (word.length >= 4 ? stem(word) : word)),
    whole: cut
      .trim()
      .replace(/\(.*\)$/s, "")
      .replaceAll("::", ".")
      .replace(/\s+/g, "")
      .toLowerCase(),
  };
}

/** Words of one stem: parse, parser, parsing. */
function stem(word: string): string {
  if (word.length < 5) return word.length > 3 ? word.replace(/s$/, "") : word;
  const cut = word.replace(/(?:ings?|ers?|ors?|ions?|ed|es|s|e)$/, "");
  return cut.length >= 3 ? cut : word;
}

/** Of one query word against a text's words, 1 for the very word. */
function closeness(word: string, root: string, words: readonly string[]): number {
  let best = 0;
  for (const other of words) {
    if (other === word) return 1;
    if (!other.startsWith(root)) continue;
    if (best < 0.85 && stem(other) === root) best = 0.85;
    else if (best < 0.7 && word.length >= 2 && other.startsWith(word)) best = 0.7;
  }
  return best;
}

/** What a word's place is worth beside the name itself. */
const PLACES = { inside: 0.45, within: 0.4, path: 0.4, signature: 0.3, doc: 0.25 };
const KINDS: Partial<Record<DefinitionKind, number>> = {
  field: 0.85,
  const: 0.9,
  test: 0.8,
  section: 0.8,
  module: 0.9,
};
const TEST_PATH =
  /(?:^|\/)(?:tests?|__tests__|spec|specs|testdata|fixtures)\/|[._-](?:test|spec)\.\w+$|(?:^|\/)test_/i;

/** The path's part of it all, worked out once a file. */
export type PathMatch = { scores: number[]; factor: number };

export function matchPath(query: Query, path: string): PathMatch {
  const words = wordsIn(path);
  return {
    scores: query.words.map((word, at) => closeness(word, query.roots[at] ?? word, words)),
    factor: TEST_PATH.test(path) ? 0.85 : 1,
  };
}

/**
 * From 0 (nothing of the query) to about 3 (the very name). At least half of the query's words must be met, one
 * of them outside the path.
 */
export function scoreOf(query: Query, candidate: Candidate, path: PathMatch): number {
  const lower = candidate.name.toLowerCase();
  const names = wordsIn(candidate.name);
  let sum = 0;
  let met = 0;
  let isMet = false;
  query.words.forEach((word, index) => {
    const own = wordScore(word, query.roots[index] ?? word, lower, names, candidate);
    const best = Math.max(own, PLACES.path * (path.scores[index] ?? 0));
    if (own > 0) isMet = true;
    if (best > 0) met += 1;
    sum += best;
  });
  const total = query.words.length;
  if (!isMet || met * 2 < total) return 0;
  const covered =
    names.filter((name) => closeness(name, stem(name), query.words) >= 0.85).length /
    Math.max(1, names.length);
  const base = (sum / total) * (0.3 + (0.7 * met) / total) + 0.3 * covered;
  return (
    (base + wholeBonus(query.whole, lower, candidate.within)) * (KINDS[candidate.kind] ?? 1) * path.factor
  );
}

function wordScore(
  word: string,
  root: string,
  lower: string,
  names: readonly string[],
  candidate: Candidate,
): number {
  const name = closeness(word, root, names);
  if (name >= 0.7) return name;
  if (word.length >= 3 && lower.includes(word)) return Math.max(name, PLACES.inside);
  // Scripts without spaces: any part of a name may be a word.
  if (/[^\u0000-\u024f]/.test(word) && lower.includes(word)) return 0.7;
  return Math.max(
    PLACES.within * closeness(word, root, wordsIn(candidate.within)),
    PLACES.signature * closeness(word, root, wordsIn(candidate.signature)),
    candidate.doc ? PLACES.doc * closeness(word, root, wordsIn(candidate.doc)) : 0,
  );
}

function wholeBonus(whole: string, lower: string, within: string): number {
  if (whole === lower) return 1;
  const full = `${within.toLowerCase().replaceAll("::", ".")}.${lower}`;
  if (whole.includes(".") && (full === whole || full.endsWith(`.${whole}`))) return 1.4;
  return whole.length >= 3 && lower.startsWith(whole) ? 0.4 : 0;
}
