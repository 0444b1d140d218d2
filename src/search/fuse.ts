/** One score of what the words say, what the meaning says, and what is known about the item. */
import type { Doc } from "../store/fulltext.ts";
import { BOOSTS, HALF_LIFE_DAYS, HALF_LIFE_DAYS_ELSE } from "./weights.ts";

export type Scored = { doc: Doc; score: number; cover: number };

/** What an item is held against beside its words. */
export type Favour = {
  /** Endings of paths that the query names, folded. */
  files: readonly string[];
  /** The asker's project, where the search goes over all. */
  project: number | null;
  /** Unix milliseconds. */
  now: number;
};

const DAY_MS = 86_400_000;

/**
 * `lexical / best + w * z(cosine)` and small additions, best first; equal scores newest first. `cosines` are by
 * document id; one that has none counts as the farthest that was found.
 */
export function fuse(
  lexical: readonly Scored[],
  cosines: ReadonlyMap<number, number>,
  favour: Favour,
  weightOfMeaning = BOOSTS.meaning,
): Scored[] {
  const best = lexical.reduce((most, { score }) => Math.max(most, score), 0);
  const standing = standings(cosines);
  const fused = lexical.map(({ doc, score, cover }) => ({
    doc,
    cover,
    score: (best > 0 ? score / best : 0) + weightOfMeaning * standing(doc.id) + favourOf(doc, favour),
  }));
  return fused.sort((one, other) => other.score - one.score || other.doc.id - one.doc.id);
}

/** How many standard deviations a cosine is from the mean of those found. */
function standings(cosines: ReadonlyMap<number, number>): (id: number) => number {
  if (cosines.size === 0) return () => 0;
  const all = [...cosines.values()];
  const mean = all.reduce((sum, cosine) => sum + cosine, 0) / all.length;
  const variance = all.reduce((sum, cosine) => sum + (cosine - mean) ** 2, 0) / all.length;
  const deviation = Math.sqrt(variance) || 1;
  const farthest = Math.min(...all);
  return (id) => ((cosines.get(id) ?? farthest) - mean) / deviation;
}

function favourOf(doc: Doc, { files, project, now }: Favour): number {
  const days = Math.max(0, now - doc.at) / DAY_MS;
  const halfLife = HALF_LIFE_DAYS[doc.type] ?? HALF_LIFE_DAYS_ELSE;
  const paths = doc.files.toLowerCase();
  return (
    BOOSTS.recency * 2 ** (-days / halfLife) +
    (doc.pinned === 1 ? BOOSTS.pinned : 0) +
    (doc.superseded === 1 ? BOOSTS.superseded : 0) +
    (project !== null && doc.project === project ? BOOSTS.project : 0) +
    (files.some((file) => paths.includes(`/${file}\n`) || paths.includes(`\n${file}\n`)) ? BOOSTS.file : 0)
  );
}
