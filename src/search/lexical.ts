/** Which documents may answer: all words first, then some of them, the rarest leading. */
import { countMatching, type DocFilter, matchingIds } from "../store/fulltext.ts";
import type { Db } from "../store/open.ts";
import { COLUMN_WEIGHTS } from "./weights.ts";
import type { Query, Wanted } from "./words.ts";

/** A thing looked for and in how many of the project's documents it is. */
export type Sought = Wanted & { found: number };

export type Candidates = {
  ids: number[];
  sought: Sought[];
  /** A list was cut: there may be more. */
  isCut: boolean;
};

/** Counting stops here: what is in so many documents tells none of them apart. */
const COUNTED = 40_000;
/** So many documents are weighed by BM25 for one query; of more the newest are taken. A document costs about 2 µs. */
const WEIGHED = 8_000;
/** Counts kept a store; they only order words by rarity, so that old ones do no harm. */
const REMEMBERED = 5_000;
const counts = new WeakMap<Db, Map<string, number>>();

/** Up to about `want` documents a tier. */
export function candidatesFor(db: Db, query: Query, filter: DocFilter, want: number): Candidates {
  const sought = query.wanted.map((wanted) => seek(db, wanted, filter.project)).sort(byRarity);
  const there = sought.filter((one) => one.found > 0);
  const ids = new Set<number>();
  let isCut = false;
  const take = (expression: string, expected: number) => {
    const weights = expected <= WEIGHED ? COLUMN_WEIGHTS : null;
    const matching = matchingIds(db, expression, filter, weights, want);
    isCut ||= matching.length >= want;
    for (const id of matching) ids.add(id);
  };
  const first = there[0];
  const isMissing = (one: Sought) => one.found === 0 && one.terms.length === 0;
  if (!first || sought.some(isMissing)) return { ids: [], sought, isCut };
  const must = there.filter((one) => one.isPhrase).map((one) => one.expression);
  const within = (expression: string) => [...must, expression].join(" AND ");
  const all = there.map((one) => one.expression).join(" AND ");
  take(all, first.found);
  if (there.length > 1 && there.length > must.length && ids.size < want) {
    const free = there.filter((one) => !one.isPhrase);
    const rare = rarest(free);
    // Where all words together are few enough to be weighed, any of them is asked for at once.
    if (rare.length < free.length) take(within(twoOf(free)), sumOf(free.slice(0, -1)));
    if (rare.length > 0) take(within(`(${rare.map((one) => one.expression).join(" OR ")})`), sumOf(rare));
  }
  return { ids: [...ids], sought, isCut };
}

/** Found where it is written so, else what begins with it or has parts of it. */
function seek(db: Db, wanted: Wanted, project: number | null): Sought {
  const found = countOf(db, wanted.expression, project);
  if (found > 0 || wanted.wider === null) return { ...wanted, found };
  const isPrefix = wanted.wider.endsWith("*");
  const terms = isPrefix ? wanted.terms.map((term) => ({ ...term, isPrefix: true })) : wanted.terms;
  return { ...wanted, terms, expression: `(${wanted.wider})`, found: countOf(db, wanted.wider, project) };
}

function countOf(db: Db, expression: string, project: number | null): number {
  const known = counts.get(db) ?? new Map<string, number>();
  counts.set(db, known);
  const key = `${project} ${expression}`;
  const before = known.get(key);
  // What was not there may be there by now, and what was rare too.
  if (before !== undefined && before > WEIGHED) return before;
  const found = countMatching(db, expression, project, COUNTED);
  if (known.size >= REMEMBERED) known.clear();
  known.set(key, found);
  return found;
}

/** As many of the rarest as can be weighed, at least one. */
function rarest(sought: readonly Sought[]): Sought[] {
  let sum = 0;
  return sought.filter(({ found }, at) => {
    sum += found;
    return at === 0 || sum <= WEIGHED;
  });
}

/** At least two of them, the rarer of the two leading. */
function twoOf(sought: readonly Sought[]): string {
  const pairs = sought.slice(0, -1).map(
    (one, at) =>
      `(${one.expression} AND (${sought
        .slice(at + 1)
        .map((other) => other.expression)
        .join(" OR ")}))`,
  );
  return `(${pairs.join(" OR ")})`;
}

function sumOf(sought: readonly Sought[]): number {
  return sought.reduce((sum, one) => sum + one.found, 0);
}

function byRarity(one: Sought, other: Sought): number {
  return one.found - other.found;
}
