/** The lexical ranking: candidates, each scored by its own words and by what stands around it. */
import { countDocs, type Doc, type DocFilter, docsById, neighbourIds } from "../store/fulltext.ts";
import type { Db } from "../store/open.ts";
import { bySession, type Near, nearOf } from "./around.ts";
import { datesIn, nearness } from "./dates.ts";
import { feedbackTerms } from "./feedback.ts";
import { candidatesFor } from "./lexical.ts";
import { forgetNumbers, type ReadDoc, readDoc } from "./read.ts";
import { coverOf, type Score, type Scoring, scoreOf, scoringFor, weigh } from "./score.ts";
import { asksWhen, isQuestion, speaksOfTime, whoseWords } from "./speech.ts";
import type { Weights } from "./weights.ts";
import type { Query } from "./words.ts";

/** `cover` is the share of the query that the document's session has as a whole, see `coverOf`. */
export type Ranked = { doc: Doc; score: number; cover: number };
type Scores = ReadonlyMap<number, Score>;
type Reads = Map<number, ReadDoc>;

/** What stands around is looked at for so many of the best. */
const LOOKED_AROUND = 80;
const REACH = 2;

/** Documents that answer, by score; `more` where the store may have others that do. */
export function rankLexically(
  db: Db,
  query: Query,
  filter: DocFilter,
  options: { want: number; weights: Weights; also: readonly number[]; now: number },
): { ranked: Ranked[]; more: boolean } {
  forgetNumbers();
  const { weights } = options;
  const { ids, sought, isCut } = candidatesFor(db, query, filter, options.want);
  const counts = countDocs(db, filter.project);
  const terms = weigh(sought, counts.docs);
  const reads: Reads = new Map();
  load(db, reads, [...ids, ...options.also]);
  const plain = scoringFor(query, terms, [], counts, weights);
  const first = scoresOf(reads, plain);
  const best = byScore(first).slice(0, LOOKED_AROUND);
  const around = neighbourIds(
    db,
    best.flatMap(([id]) => reads.get(id)?.doc ?? []),
    REACH,
  );
  load(
    db,
    reads,
    [...around.values()].flatMap((each) => [...each.before, ...each.after]),
  );
  const telling = best.slice(0, weights.feedbackDocs).flatMap(([id, score]) => {
    const read = reads.get(id);
    return read && score > 0 ? [{ read, score }] : [];
  });
  const added = feedbackTerms(telling, [...reads.values()], plain, weights);
  const scoring = scoringFor(query, terms, added, counts, weights);
  const parts = { reads, own: scoresOf(reads, scoring), near: nearOf(around), scoring };
  return { ranked: combined(parts, query, options.now), more: isCut };
}

function load(db: Db, reads: Reads, ids: readonly number[]): void {
  const missing = [...new Set(ids)].filter((id) => !reads.has(id));
  for (const doc of docsById(db, missing)) reads.set(doc.id, readDoc(doc));
}

function scoresOf(reads: Reads, scoring: Scoring): Map<number, Score> {
  return new Map([...reads].map(([id, read]) => [id, scoreOf(read, scoring)]));
}

function combined(
  { reads, own, near, scoring }: { reads: Reads; own: Scores; near: Near; scoring: Scoring },
  query: Query,
  now: number,
): Ranked[] {
  const { weights } = scoring;
  const wantsTime = asksWhen(query.text);
  const whose = whoseWords(query.text);
  const spans = datesIn(query.text, now);
  const sessions = bySession(reads.values());
  const averageLength = Math.max(1, lengthOf([...reads.values()]) / Math.max(1, sessions.length));
  const ranked: Ranked[] = [];
  for (const session of sessions) {
    const isAlone = session[0]?.doc.session === null;
    const mean = isAlone ? 0 : bestOf(session, own, weights.sessionBest);
    const scores = session.flatMap(({ doc }) => own.get(doc.id) ?? []);
    const cover = coverOf(scores, lengthOf(session) / averageLength, scoring);
    for (const { doc } of session) {
      let score =
        scoreAt(own, doc.id) +
        weights.session * mean +
        (isAlone ? 0 : weights.sessionCover * cover) +
        nearScore(doc.id, own, near, weights);
      if (score <= 0) continue;
      if (spans.length > 0) score += weights.dated * nearness(doc.at, spans);
      if (isQuestion(doc.body)) score *= 1 - weights.question;
      if (wantsTime && speaksOfTime(doc.body)) score *= 1 + weights.timed;
      if (whose !== null && doc.origin === whose) score *= 1 + weights[whose];
      ranked.push({ doc, score, cover });
    }
  }
  return ranked.sort((one, other) => other.score - one.score || other.doc.id - one.doc.id);
}

function lengthOf(reads: readonly ReadDoc[]): number {
  return reads.reduce((sum, { words }) => sum + words.length, 0);
}

function scoreAt(own: Scores, id: number | undefined): number {
  return id === undefined ? 0 : (own.get(id)?.score ?? 0);
}

function nearScore(id: number, own: Scores, near: Near, weights: Weights): number {
  const steps = near.get(id);
  if (!steps) return 0;
  const at = (step: number) => scoreAt(own, steps.get(step));
  return (
    weights.before1 * at(-1) + weights.before2 * at(-2) + weights.after1 * at(1) + weights.after2 * at(2)
  );
}

/** The mean of the session's best scores. */
function bestOf(session: readonly ReadDoc[], own: Scores, count: number): number {
  const scores = session.map(({ doc }) => scoreAt(own, doc.id)).sort((one, other) => other - one);
  return scores.slice(0, count).reduce((sum, score) => sum + score, 0) / count;
}

function byScore(scores: Scores): [number, number][] {
  return [...scores]
    .map(([id, { score }]): [number, number] => [id, score])
    .sort((one, other) => other[1] - one[1] || other[0] - one[0]);
}
