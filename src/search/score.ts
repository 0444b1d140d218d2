/** How well a text answers, by its words alone. Scores are shares of what the query asks for: about 0 to 2.5. */
import type { Sought } from "./lexical.ts";
import { numberOf, type ReadDoc, rootAt } from "./read.ts";
import type { Weights } from "./weights.ts";
import type { Query, Term } from "./words.ts";

/** A term and how much it tells. */
export type Weighed = Term & {
  rarity: number;
  /** Not in the query, see `feedbackTerms`. */
  isAdded: boolean;
};

/** A query made ready for scoring many documents. */
export type Scoring = {
  terms: readonly Weighed[];
  weights: Weights;
  averageWords: number;
  /** The rarity of all that is looked for. */
  total: number;
  /** Of a word's number: the terms it is, by place in `terms`. */
  places: Map<number, number>;
  prefixes: readonly { place: number; start: string }[];
  /** What a pair of words, neighbours in the query, adds where it is found; by both numbers. */
  pairs: Map<number, Map<number, number>>;
  stops: ReadonlySet<number>;
};

/** The terms with their rarity (BM25's idf). */
export function weigh(sought: readonly Sought[], docs: number): Weighed[] {
  return sought.flatMap((one) =>
    one.terms.map((term) => ({ ...term, rarity: rarityOf(one.found, docs) * term.weight, isAdded: false })),
  );
}

export function rarityOf(found: number, docs: number): number {
  return Math.log(1 + (Math.max(0, docs - found) + 0.5) / (found + 0.5));
}

/** `added` terms are looked for as well, but no part of what the query asks for. */
export function scoringFor(
  query: Query,
  terms: readonly Weighed[],
  added: readonly Weighed[],
  counts: { docs: number; words: number },
  weights: Weights,
): Scoring {
  const all = [...terms, ...added];
  const total = terms.filter((term) => !term.isPrefix).reduce((sum, term) => sum + term.rarity, 0);
  const places = new Map<number, number>();
  for (const [place, term] of all.entries()) if (!term.isPrefix) places.set(numberOf(term.root), place);
  return {
    terms: all,
    weights,
    averageWords: counts.docs > 0 ? Math.max(1, counts.words / counts.docs) : 1,
    total: total > 0 ? total : 1,
    places,
    prefixes: all.flatMap((term, place) => (term.isPrefix ? [{ place, start: term.root }] : [])),
    pairs: pairsOf(query.sequence, terms),
    stops: new Set([...query.stops].map(numberOf)),
  };
}

function pairsOf(sequence: readonly string[], terms: readonly Weighed[]): Map<number, Map<number, number>> {
  const rarity = new Map(terms.map((term) => [term.root, term.rarity]));
  const pairs = new Map<number, Map<number, number>>();
  for (const [at, word] of sequence.entries()) {
    const next = sequence[at + 1];
    const [one, other] = [rarity.get(word), rarity.get(next ?? "")];
    if (next === undefined || one === undefined || other === undefined) continue;
    const seconds = pairs.get(numberOf(word)) ?? new Map<number, number>();
    pairs.set(numberOf(word), seconds.set(numberOf(next), Math.min(one, other)));
  }
  return pairs;
}

/** A document's score, and by place of the term how often it is there. */
export type Score = { score: number; often: Float64Array };

/** BM25 over the document's places, with what is gained by coverage, adjacency and the title. */
export function scoreOf(read: ReadDoc, scoring: Scoring): Score {
  const often = occurrences(read, scoring);
  return { score: scoreFor(read, often, scoring), often };
}

function scoreFor(read: ReadDoc, often: Float64Array, scoring: Scoring): number {
  const { weights, terms } = scoring;
  const norm = weights.k1 * (1 - weights.b + (weights.b * read.words.length) / scoring.averageWords);
  let sum = 0;
  let covered = 0;
  for (let place = 0; place < terms.length; place += 1) {
    const count = often[place] ?? 0;
    const term = terms[place];
    if (count === 0 || !term) continue;
    sum += (term.rarity * count * (weights.k1 + 1)) / (count + norm);
    covered += term.isPrefix ? 0 : term.rarity;
  }
  if (sum === 0) return 0;
  return (
    (sum / scoring.total) * (1 + (weights.coverage * covered) / scoring.total) +
    (weights.adjacent * adjacency(read, scoring)) / scoring.total +
    weights.titled * titled(read, scoring)
  );
}

/** How much a long session's words are worth less (as BM25's b). */
const COVER_LENGTH = 0.4;

/**
 * The share of what the query asks for that documents of one session have together: 0 to 1. A term counts the more the
 * more of them have it; `relative` is the session's length beside the mean one.
 */
export function coverOf(scores: readonly Score[], relative: number, { terms, total }: Scoring): number {
  let sum = 0;
  for (const [place, term] of terms.entries()) {
    if (term.isPrefix || term.isAdded) continue;
    let having = 0;
    for (const { often } of scores) if ((often[place] ?? 0) > 0) having += 1;
    sum += (term.rarity * having) / (having + 1 - COVER_LENGTH + COVER_LENGTH * relative);
  }
  return sum / total;
}

/** By place of the term: in title, body and names; what is only a part of a name, or a gram, counts once. */
function occurrences(read: ReadDoc, { places, prefixes, terms, weights }: Scoring): Float64Array {
  const often = new Float64Array(terms.length);
  const { words, titleLength } = read;
  for (let at = 0; at < words.length; at += 1) {
    const place = places.get(words[at] ?? -1);
    if (place !== undefined) often[place] = (often[place] ?? 0) + (at < titleLength ? weights.title : 1);
  }
  const named = new Set<number>();
  for (const word of read.names) {
    const place = places.get(word);
    if (place === undefined || named.has(place)) continue;
    named.add(place);
    often[place] = (often[place] ?? 0) + weights.names;
  }
  for (const word of read.hidden) {
    const place = places.get(word);
    if (place !== undefined && often[place] === 0) often[place] = weights.parts;
  }
  for (const { place, start } of prefixes) if (hasPrefix(read, start)) often[place] = 1;
  return often;
}

function hasPrefix(read: ReadDoc, start: string): boolean {
  return [read.words, read.names, read.hidden].some((words) =>
    words.some((word) => rootAt(word).startsWith(start)),
  );
}

/** What the query's neighbouring words add that are neighbours here too, stop words between them left out; each pair once. */
function adjacency(read: ReadDoc, { pairs, stops }: Scoring): number {
  if (pairs.size === 0) return 0;
  const seen = new Set<Map<number, number> | number>();
  let sum = 0;
  let seconds: Map<number, number> | undefined;
  for (const word of read.words) {
    if (stops.has(word)) continue;
    const gain = seconds?.get(word);
    if (gain !== undefined && seconds && !seen.has(seconds)) {
      seen.add(seconds);
      sum += gain;
    }
    seconds = pairs.get(word);
  }
  return sum;
}

/** The share of the title's words that the query has: all of it where the title is a name in the query. */
function titled(read: ReadDoc, { places }: Scoring): number {
  if (read.titleLength === 0) return 0;
  let named = 0;
  for (let at = 0; at < read.titleLength; at += 1) if (places.has(read.words[at] ?? -1)) named += 1;
  return named / read.titleLength;
}
