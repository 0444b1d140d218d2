/** A later page shows what follows the page before, also where rows came in between. */
import { docsById } from "../store/fulltext.ts";
import type { Db } from "../store/open.ts";
import type { Scored } from "./fuse.ts";
import type { SearchRequest } from "./request.ts";

type Found = { scored: Scored[]; more: boolean; degraded: string | null };
type Kept = { ids: { id: number; score: number }[]; more: boolean; degraded: string | null; at: number };

/** Somebody who turns pages does so within this time (ms). */
const KEPT_MS = 10 * 60_000;
const KEPT = 16;
const kept = new WeakMap<Db, Map<string, Kept>>();

/**
 * The order that the first page was cut from, without what is gone since; `null` for a first page, and where it
 * does not reach to `needed`.
 */
export function rankedBefore(db: Db, request: SearchRequest, needed: number): Found | null {
  if ((request.offset ?? 0) <= 0) return null;
  const before = kept.get(db)?.get(keyOf(request));
  if (!before || Date.now() - before.at > KEPT_MS) return null;
  if (before.more && before.ids.length < needed) return null;
  const docs = new Map(
    docsById(
      db,
      before.ids.map(({ id }) => id),
    ).map((doc) => [doc.id, doc]),
  );
  const scored = before.ids.flatMap(({ id, score }) => {
    const doc = docs.get(id);
    return doc ? [{ doc, score, cover: 0 }] : [];
  });
  return { scored, more: before.more, degraded: before.degraded };
}

/** Keeps the order for the next pages; what was shown of it before stays in its place. */
export function remember(db: Db, request: SearchRequest, found: Found): Found {
  const answers = kept.get(db) ?? new Map<string, Kept>();
  kept.set(db, answers);
  const key = keyOf(request);
  const ordered = (request.offset ?? 0) > 0 ? after(answers.get(key)?.ids ?? [], found.scored) : found.scored;
  answers.delete(key);
  const ids = ordered.map(({ doc, score }) => ({ id: doc.id, score }));
  answers.set(key, { ids, more: found.more, degraded: found.degraded, at: Date.now() });
  for (const oldest of answers.keys()) {
    if (answers.size <= KEPT) break;
    answers.delete(oldest);
  }
  return { ...found, scored: ordered };
}

function after(shown: readonly { id: number }[], scored: readonly Scored[]): Scored[] {
  const places = new Map(shown.map(({ id }, at) => [id, at]));
  const place = ({ doc }: Scored) => places.get(doc.id) ?? Number.MAX_SAFE_INTEGER;
  return [...scored].sort((one, other) => place(one) - place(other));
}

function keyOf(request: SearchRequest): string {
  const { limit: _, offset: _o, now: _n, ...rest } = request;
  return JSON.stringify(rest);
}
