/** Bringing the index up to what the workspace's files say now. */
import { isSecretPath } from "../privacy/files.ts";
import {
  dropFiles,
  type FileSymbols,
  type IndexedFile,
  indexedFiles,
  type OutlineIndex,
  saveSymbols,
} from "../store/outline-index.ts";
import { definitionsOf } from "./definitions.ts";
import { languageByName } from "./languages.ts";
import { matchPath, type Query } from "./match.ts";
import { pack } from "./pack.ts";
import { type Located, readSource } from "./read-source.ts";
import { type WalkedFile, walkFiles } from "./walk-files.ts";

const FILES_MAX = 50_000;
/** Larger files are made by programs. */
const FILE_MAX = 1_500_000;
/** Scripts without an ending are small. */
const SCRIPT_MAX = 100_000;
/** So many files are kept in one transaction. */
const BATCH = 64;
/** Others in the same process get their turn so often. */
const TURN_MS = 25;
const GENERATED =
  /\.min\.\w+$|[.-]bundle\.\w+$|(?:^|\/)(?:pnpm-lock|package-lock|yarn\.lock)|\.(?:pb|g|generated)\.\w+$/i;

export type Refresh = { top: string; rootId: number; start: Located; query: Query; budgetMs: number };
export type Refreshed = {
  /** The files that count for the answer, by path. */
  files: Map<string, IndexedFile>;
  parsed: number;
  notes: string[];
};

/**
 * Walks, reads what is new or changed and forgets what is gone. Files whose names answer the query are read first;
 * when the time is over, the rest waits for the next search.
 */
export async function refresh(
  db: OutlineIndex,
  { top, rootId, start, query, budgetMs }: Refresh,
): Promise<Refreshed> {
  const end = performance.now() + budgetMs;
  const pause = turns();
  const { files, isWhole } = await walk(top, start, end, pause);
  const known = indexedFiles(db, rootId);
  const stale = [...files].filter(([path, file]) => !isSame(known.get(path), file)).map(([path]) => path);
  const first = (path: string) => matchPath(query, path).scores.reduce((sum, score) => sum + score, 0);
  const order = stale.map((path) => ({ path, worth: first(path) })).sort((a, b) => b.worth - a.worth);
  let parsed = 0;
  let batch: FileSymbols[] = [];
  const flush = () => {
    saveSymbols(db, rootId, batch);
    batch = [];
  };
  for (const { path } of order) {
    if (performance.now() > end) break;
    const file = files.get(path);
    if (file) batch.push({ path, ...file, symbols: await symbolsOf(top, path) });
    parsed += 1;
    if (batch.length >= BATCH) flush();
    await pause();
  }
  flush();
  if (isWhole) dropFiles(db, rootId, gone(known, files, start));
  return { files, parsed, notes: notesOn(stale.length - parsed, isWhole) };
}

function isSame(known: IndexedFile | undefined, file: IndexedFile): boolean {
  return known !== undefined && known.mtime === file.mtime && known.size === file.size;
}

/** A function to await now and then: it lets others in when a turn is over. */
function turns(): () => Promise<void> {
  let since = performance.now();
  return async () => {
    if (performance.now() - since < TURN_MS) return;
    await new Promise((resolve) => setImmediate(resolve));
    since = performance.now();
  };
}

async function walk(
  top: string,
  start: Located,
  end: number,
  pause: () => Promise<void>,
): Promise<{ files: Map<string, IndexedFile>; isWhole: boolean }> {
  const files = new Map<string, IndexedFile>();
  if (start.stat.isFile()) {
    files.set(start.path, { mtime: start.stat.mtimeMs, size: start.stat.size });
    return { files, isWhole: true };
  }
  for (const file of walkFiles(top, start.real)) {
    if (files.size >= FILES_MAX || performance.now() > end) return { files, isWhole: false };
    if (isRead(file)) files.set(file.path, { mtime: file.mtime, size: file.size });
    await pause();
  }
  return { files, isWhole: true };
}

function isRead({ path, size, isExecutable }: WalkedFile): boolean {
  if (size === 0 || size > FILE_MAX || GENERATED.test(path) || isSecretPath(path)) return false;
  if (languageByName(path)) return true;
  return isExecutable && size <= SCRIPT_MAX && !path.slice(path.lastIndexOf("/") + 1).includes(".");
}

/** A file that cannot be read defines nothing until it changes. */
async function symbolsOf(top: string, path: string): Promise<string> {
  try {
    const { text } = readSource(top, path);
    return isMinified(text) ? "[]" : pack((await definitionsOf(path, text)).definitions);
  } catch {
    return "[]";
  }
}

function isMinified(text: string): boolean {
  return text.length > 20_000 && text.length / (text.split("\n").length + 1) > 400;
}

function gone(
  known: ReadonlyMap<string, IndexedFile>,
  files: ReadonlyMap<string, IndexedFile>,
  start: Located,
): string[] {
  const below = start.path === "" ? "" : `${start.path}/`;
  return [...known.keys()].filter((path) => path.startsWith(below) && !files.has(path));
}

function notesOn(left: number, isWhole: boolean): string[] {
  const notes: string[] = [];
  if (!isWhole) notes.push("The workspace is too large to be walked in the time given; name a path in it.");
  if (left > 0)
    notes.push(
      `Not complete: ${left} files are not read yet. Search again, or name a path; what was read is kept.`,
    );
  return notes;
}
