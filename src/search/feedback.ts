/** What the best found have in common beside the query's words is looked for in turn (relevance feedback). */
import { type ReadDoc, rootAt } from "./read.ts";
import { rarityOf, type Scoring, type Weighed } from "./score.ts";
import type { Weights } from "./weights.ts";

/** A word that only one of the documents has brings no other. */
const LEAST_DOCS = 2;

export function feedbackTerms(
  best: readonly { read: ReadDoc; score: number }[],
  pool: readonly ReadDoc[],
  { places, stops }: Scoring,
  weights: Weights,
): Weighed[] {
  const total = best.reduce((sum, { score }) => sum + score, 0);
  const told = new Map<number, number>();
  for (const { read, score } of best) {
    const words = new Set(read.words.filter((word) => !stops.has(word)));
    const share = score / total / Math.sqrt(Math.max(1, read.words.length));
    for (const word of words) if (!places.has(word)) told.set(word, (told.get(word) ?? 0) + share);
  }
  const counts = countsIn(pool, told);
  const ordered = [...told]
    .filter(([word]) => (counts.get(word) ?? 0) >= LEAST_DOCS)
    .map(([word, share]) => {
      const rarity = rarityOf(counts.get(word) ?? 0, pool.length);
      return { word, rarity, share: share * rarity };
    })
    .sort((one, other) => other.share - one.share || one.word - other.word)
    .slice(0, weights.feedbackWords);
  const most = ordered[0]?.share ?? 1;
  return ordered.map(({ word, rarity, share }) => ({
    root: rootAt(word),
    isPrefix: false,
    isAdded: true,
    weight: weights.feedback,
    rarity: (weights.feedback * rarity * share) / most,
  }));
}

/** In how many of the documents each word is. */
function countsIn(pool: readonly ReadDoc[], told: ReadonlyMap<number, number>): Map<number, number> {
  const counts = new Map<number, number>();
  const last = new Map<number, ReadDoc>();
  for (const read of pool) {
    for (const word of read.words) {
      if (!told.has(word) || last.get(word) === read) continue;
      last.set(word, read);
      counts.set(word, (counts.get(word) ?? 0) + 1);
    }
  }
  return counts;
}
