/** Finding definitions by name in a whole workspace. */
import { AppError } from "../core/errors.ts";
import { realPath } from "../env/project.ts";
import {
  type IndexedFile,
  indexRoot,
  type OutlineIndex,
  openOutlineIndex,
  symbolsWith,
  tidyIndex,
} from "../store/outline-index.ts";
import type { DefinitionKind } from "./definition.ts";
import { READING } from "./definitions.ts";
import { matchPath, type Query, queryOf, scoreOf } from "./match.ts";
import { unpack } from "./pack.ts";
import { type Located, locate } from "./read-source.ts";
import { refresh } from "./refresh.ts";

const LIMIT = 20;
const LIMIT_MAX = 100;
/** Of one file; more would hide the others. */
const PER_FILE = 6;
const BUDGET_MS = 8_000;

export type SymbolHit = {
  path: string;
  /** `file`: only the file's name answers the query. */
  kind: DefinitionKind | "file";
  name: string;
  within: string;
  signature: string;
  doc: string | null;
  line: number;
  end: number;
  score: number;
};

export type SymbolAnswer = {
  hits: SymbolHit[];
  /** All that were found, the ones beyond the limit included. */
  matches: number;
  /** Files looked into. */
  files: number;
  /** Files read and parsed for this answer; 0 where the index had them all. */
  parsed: number;
  /** What to know about the answer, a sentence each: above all that it is not complete. */
  notes: string[];
};

export type SymbolSearch = {
  /** A file or directory of the workspace to look in; default: all of it. */
  path?: string;
  /** At most 100. */
  limit?: number;
  /** The index's file; `null`: keep nothing. */
  index?: string | null;
  /** Milliseconds for reading files; what is found by then is answered. */
  budgetMs?: number;
};

/**
 * Definitions of the workspace `root` whose names (then files, then signatures and comments) answer the query's
 * words, best first. Files are parsed once and kept in the index by time and size. Throws `AppError` `invalid` for
 * an empty query or a path outside, `not_found` for a path that is not there.
 */
export async function searchSymbols(
  root: string,
  query: string,
  options: SymbolSearch = {},
): Promise<SymbolAnswer> {
  const wanted = queryOf(query);
  if (wanted.words.length === 0)
    throw new AppError("invalid", "A search needs a word of the name looked for.");
  const top = realPath(root);
  const start = locate(top, options.path ?? ".");
  const run = (index: string | null) => answer(top, start, wanted, { ...options, index });
  const index = options.index ?? null;
  if (index === null) return run(null);
  try {
    return await run(index);
  } catch {
    // Locked, on a full disk, broken: it costs time, not the answer.
    const found = await run(null);
    return { ...found, notes: [...found.notes, "The index could not be used; everything was read anew."] };
  }
}

async function answer(
  top: string,
  start: Located,
  query: Query,
  { index = null, limit = LIMIT, budgetMs = BUDGET_MS }: SymbolSearch,
): Promise<SymbolAnswer> {
  const now = Date.now();
  const db = openOutlineIndex(index, READING);
  try {
    const rootId = indexRoot(db, top, now);
    const { files, parsed, notes } = await refresh(db, { top, rootId, start, query, budgetMs });
    const most = Math.min(Math.max(1, Math.floor(limit)), LIMIT_MAX);
    const found = rank(db, rootId, query, files, most);
    if (index !== null && parsed > 0) tidyIndex(db, index, rootId, now);
    return { ...found, files: files.size, parsed, notes };
  } finally {
    db.close();
  }
}

type Ranked = Pick<SymbolAnswer, "hits" | "matches">;

/** Goes over the files one by one and keeps no more than is answered. */
function rank(
  db: OutlineIndex,
  root: number,
  query: Query,
  files: ReadonlyMap<string, IndexedFile>,
  limit: number,
): Ranked {
  const best: SymbolHit[] = [];
  let matches = 0;
  const keep = (hits: SymbolHit[]) => {
    matches += hits.length;
    best.push(...hits.sort(byScore).slice(0, PER_FILE));
    if (best.length > limit * 8) best.sort(byScore).splice(limit);
  };
  const isPlain = query.words.every((word) => /^[\x20-\x7e]+$/.test(word));
  const seen = new Set<string>();
  for (const { path, symbols } of symbolsWith(db, root, isPlain ? query.words.map(narrow) : [])) {
    if (!files.has(path)) continue;
    seen.add(path);
    keep(hitsIn(path, symbols, query));
  }
  for (const path of files.keys()) if (!seen.has(path)) keep(hitsIn(path, "[]", query));
  return { hits: best.sort(byScore).slice(0, limit), matches };
}

/** What stands in a word of the same stem too. */
function narrow(word: string): string {
  return word.length >= 5 ? word.slice(0, Math.max(4, word.length - 4)) : word;
}

function byScore(a: SymbolHit, b: SymbolHit): number {
  return b.score - a.score || (a.path < b.path ? -1 : a.path > b.path ? 1 : a.line - b.line);
}

/** Below this a find has one of several words in a side place. */
const FLOOR = 0.12;

function hitsIn(path: string, symbols: string, query: Query): SymbolHit[] {
  const place = matchPath(query, path);
  const hits = unpack(symbols).flatMap((symbol): SymbolHit[] => {
    const score = scoreOf(query, symbol, place);
    return score >= FLOOR ? [{ path, ...symbol, score }] : [];
  });
  if (hits.length > 0 || !place.scores.every((score) => score >= 0.7)) return hits;
  const score = 0.4 * place.factor;
  return [{ path, kind: "file", name: path, within: "", signature: "", doc: null, line: 1, end: 1, score }];
}
