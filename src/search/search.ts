/** The one search behind every door. */
import { identifiersOf } from "../core/tokens.ts";
import {
  type DocFilter,
  docIdsOf,
  docsById,
  filteredIds,
  indexPending,
  matchingIds,
  projectNames,
} from "../store/fulltext.ts";
import { KINDS } from "../store/fulltext-docs.ts";
import type { Db } from "../store/open.ts";
import { fuse, type Scored } from "./fuse.ts";
import { rankedBefore, remember } from "./pages.ts";
import { rankLexically } from "./rank.ts";
import type { FoundSession, SearchAnswer, SearchRequest, SearchResult, VectorLookup } from "./request.ts";
import { bestSessions } from "./sessions.ts";
import { snippetOf, titleOf } from "./snippet.ts";
import { WEIGHTS, type Weights } from "./weights.ts";
import { fileOf, nameRequired, parseQuery, type Query } from "./words.ts";

const LIMIT = 20;
const MOST = 200;
/** Candidates a tier; more where a later page is asked for. */
const CANDIDATES = 250;
const MOST_CANDIDATES = 5_000;
const NEAREST = 200;

type Options = { weights?: Weights; meaning?: number };
type Found = { scored: Scored[]; more: boolean; degraded: string | null };

/**
 * What answers the request, best first. Never fails on the query's text, and answers by words alone where finding
 * by meaning is off, broken or too slow (`degraded` says so). Throws only what the store throws.
 */
export async function search(
  db: Db,
  request: SearchRequest,
  vectors?: VectorLookup,
  options: Options = {},
): Promise<SearchAnswer> {
  indexPending(db);
  const query = parseQuery(request.query);
  const limit = Math.min(MOST, Math.max(1, Math.floor(request.limit ?? LIMIT)));
  const offset = Math.max(0, Math.floor(request.offset ?? 0));
  const found =
    rankedBefore(db, request, offset + limit) ??
    remember(db, request, await find(db, request, query, vectors, offset + limit, options));
  const page = found.scored.slice(offset, offset + limit);
  return {
    results: resultsOf(db, page, query),
    total: found.scored.length,
    hasMore: found.scored.length > offset + limit || found.more,
    degraded: found.degraded,
  };
}

/** The sessions in which the answer lies, best first, each with its best few items. */
export async function searchSessions(
  db: Db,
  request: SearchRequest,
  vectors?: VectorLookup,
  options: Options = {},
): Promise<{ sessions: FoundSession[]; degraded: string | null }> {
  indexPending(db);
  const query = parseQuery(request.query);
  const limit = Math.min(MOST, Math.max(1, Math.floor(request.limit ?? LIMIT)));
  const { scored, degraded } = await find(db, request, query, vectors, limit, options);
  const sessions = bestSessions(scored)
    .slice(0, limit)
    .map(({ session, score, items }) => ({
      session,
      score,
      results: resultsOf(db, items.slice(0, 3), query),
    }));
  return { sessions, degraded };
}

async function find(
  db: Db,
  request: SearchRequest,
  query: Query,
  vectors: VectorLookup | undefined,
  needed: number,
  options: Options,
): Promise<Found> {
  const filter = filterOf(request);
  const now = request.now ?? Date.now();
  const required = [fileOf(filter.file), nameRequired(request.symbol ?? null)].flatMap((one) => one ?? []);
  const whole = { ...query, wanted: [...required, ...query.wanted] };
  const want = Math.min(MOST_CANDIDATES, Math.max(CANDIDATES, needed * 2));
  if (query.wanted.length === 0) return newest(db, whole, filter, want, request.order);
  const near = await nearest(db, query, filter, vectors);
  const { ranked, more } = rankLexically(db, whole, filter, {
    want,
    weights: options.weights ?? WEIGHTS,
    also: [...near.cosines.keys()],
    now,
  });
  const files = identifiersOf(query.text).map((name) => name.toLowerCase());
  const favour = { files, project: request.project == null ? (request.home ?? null) : null, now };
  const scored = fuse(ranked, near.cosines, favour, options.meaning);
  return { scored: inOrder(scored, request.order), more, degraded: near.degraded };
}

/** Nothing is asked for in words: the newest that pass. */
function newest(db: Db, query: Query, filter: DocFilter, want: number, order: SearchRequest["order"]): Found {
  const must = query.wanted.map((one) => one.expression).join(" AND ");
  const ids = must === "" ? filteredIds(db, filter, want) : matchingIds(db, must, filter, null, want);
  const scored = docsById(db, ids)
    .sort((one, other) => other.at - one.at || other.id - one.id)
    .map((doc) => ({ doc, score: 1, cover: 0 }));
  return {
    scored: order === "oldest" ? scored.reverse() : scored,
    more: ids.length >= want,
    degraded: null,
  };
}

async function nearest(db: Db, query: Query, filter: DocFilter, vectors: VectorLookup | undefined) {
  const none = { cosines: new Map<number, number>(), degraded: vectors?.degraded ?? null };
  if (!vectors || vectors.degraded !== null) return none;
  try {
    const found = await vectors.nearest(filter.project, query.text, NEAREST);
    const cosines = new Map<number, number>();
    for (const { id, kind, cosine } of found)
      for (const doc of docIdsOf(db, [{ kind: KINDS.indexOf(kind), item: id }])) cosines.set(doc, cosine);
    return { cosines, degraded: vectors.degraded };
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return { ...none, degraded: `Finding by meaning failed (${why}); found by words alone.` };
  }
}

/** By time only what answers at least half as well as the best: a date makes nothing fit. */
function inOrder(scored: Scored[], order: SearchRequest["order"]): Scored[] {
  if (order === undefined || order === "relevance") return scored;
  const least = (scored[0]?.score ?? 0) / 2;
  const fitting = scored.filter(({ score }) => score >= least);
  const sign = order === "newest" ? -1 : 1;
  return fitting.sort((one, other) => sign * (one.doc.at - other.doc.at || one.doc.id - other.doc.id));
}

function filterOf(request: SearchRequest): DocFilter {
  const types = request.types ?? [];
  const kinds = (request.kinds ?? []).map((kind) => KINDS.indexOf(kind));
  return {
    project: request.project ?? null,
    // Only observations have these types; a summary's own are none of the user's.
    kinds: types.length > 0 ? [0] : kinds,
    types,
    concepts: request.concepts ?? [],
    file: request.file?.replace(/^\.?\/+/, "") || null,
    session: request.session ?? null,
    pinned: request.pinned ?? null,
    from: request.from ?? null,
    to: request.to ?? null,
  };
}

function resultsOf(db: Db, scored: readonly Scored[], query: Query): SearchResult[] {
  const names = projectNames(db, [...new Set(scored.map(({ doc }) => doc.project))]);
  const roots = new Set(query.sequence);
  return scored.map(({ doc, score }) => ({
    kind: KINDS[doc.kind] ?? "observation",
    id: doc.item,
    type: doc.type,
    title: titleOf(doc),
    snippet: snippetOf(doc, roots),
    score,
    project: doc.project === 0 ? null : { id: doc.project, name: names.get(doc.project) ?? "" },
    session: doc.session,
    at: doc.at,
    pinned: doc.pinned === 1,
    superseded: doc.superseded === 1,
  }));
}
