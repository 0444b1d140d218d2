/**
 * What a search for symbols has read of each file, in a database of its own: it can be deleted at any time, and is
 * read anew from the files.
 */
import { Database } from "bun:sqlite";
import { chmodSync, rmSync } from "node:fs";
import { dirname } from "node:path";
import { ensureDir } from "../env/files.ts";
import { isLocal } from "./open.ts";
import { sizeOf } from "./size.ts";

/** Raised when the tables change; an index of another version is thrown away. */
const VERSION = 1;
const BUSY_MS = 1_000;
/** A workspace that was not searched for so long is forgotten. */
const KEPT_MS = 30 * 24 * 3_600_000;
/** Above this the workspaces searched longest ago go first. */
const SIZE_MAX = 256 * 1024 * 1024;

export type OutlineIndex = Database;
export type IndexedFile = { mtime: number; size: number };
export type FileSymbols = IndexedFile & { path: string; symbols: string };

const TABLES = `
create table roots (
  id integer primary key,
  root text not null unique,
  used_at integer not null
);
create table files (
  id integer primary key,
  root_id integer not null references roots (id) on delete cascade,
  path text not null,
  mtime real not null,
  size integer not null,
  symbols text not null,
  unique (root_id, path)
);`;

/**
 * Opens the index, makes it where there is none or none that can be used; `null`: one in memory, for one search.
 * `reading` is the version of what reads the files; an index of another is emptied.
 */
export function openOutlineIndex(path: string | null, reading: number): OutlineIndex {
  if (path === null) return prepared(new Database(":memory:", { strict: true }), reading);
  ensureDir(dirname(path));
  try {
    return openFile(path, reading);
  } catch (error) {
    if (!/NOTADB|CORRUPT/.test(String((error as { code?: string }).code))) throw error;
    for (const file of [path, `${path}-wal`, `${path}-shm`]) rmSync(file, { force: true });
    return openFile(path, reading);
  }
}

function openFile(path: string, reading: number): OutlineIndex {
  const db = new Database(path, { create: true, readwrite: true, strict: true });
  try {
    if (process.platform !== "win32") chmodSync(path, 0o600);
    db.run(`pragma busy_timeout = ${BUSY_MS}`);
    db.run(`pragma journal_mode = ${isLocal(path) ? "wal" : "delete"}`);
    // What is lost with the power is read again.
    db.run("pragma synchronous = off");
    return prepared(db, reading);
  } catch (error) {
    db.close();
    throw error;
  }
}

function prepared(db: Database, reading: number): OutlineIndex {
  db.run("pragma foreign_keys = on");
  db.run("pragma cache_size = -8000");
  const version = VERSION * 1_000 + reading;
  const isCurrent = () =>
    (db.query("pragma user_version").get() as { user_version: number }).user_version === version;
  if (isCurrent()) return db;
  db.transaction(() => {
    if (isCurrent()) return;
    db.run("drop table if exists files");
    db.run("drop table if exists roots");
    db.run(TABLES);
    db.run(`pragma user_version = ${version}`);
  }).immediate();
  return db;
}

/** The number of a workspace, which counts as used at `now` (Unix ms). */
export function indexRoot(db: OutlineIndex, root: string, now: number): number {
  const row = db
    .query(
      `insert into roots (root, used_at) values ($root, $now)
       on conflict (root) do update set used_at = excluded.used_at returning id`,
    )
    .get({ root, now }) as { id: number };
  return row.id;
}

/** What is known of the workspace's files, by path. */
export function indexedFiles(db: OutlineIndex, root: number): Map<string, IndexedFile> {
  const rows = db.query("select path, mtime, size from files where root_id = ?").all(root) as FileSymbols[];
  return new Map(rows.map(({ path, mtime, size }) => [path, { mtime, size }]));
}

/** Keeps what was read of these files, in one transaction. */
export function saveSymbols(db: OutlineIndex, root: number, files: readonly FileSymbols[]): void {
  if (files.length === 0) return;
  const save = db.query(
    `insert into files (root_id, path, mtime, size, symbols) values ($root, $path, $mtime, $size, $symbols)
     on conflict (root_id, path) do update
       set mtime = excluded.mtime, size = excluded.size, symbols = excluded.symbols`,
  );
  db.transaction(() => {
    for (const { path, mtime, size, symbols } of files) save.run({ root, path, mtime, size, symbols });
  }).immediate();
}

/** Forgets files that are gone. */
export function dropFiles(db: OutlineIndex, root: number, paths: readonly string[]): void {
  if (paths.length === 0) return;
  const drop = db.query("delete from files where root_id = ? and path = ?");
  db.transaction(() => {
    for (const path of paths) drop.run(root, path);
  }).immediate();
}

/**
 * One after the other, the files that hold one of the words (in lower case, ASCII alone; none: all files) in their
 * path or in what they define.
 */
export function* symbolsWith(
  db: OutlineIndex,
  root: number,
  words: readonly string[],
): Generator<{ path: string; symbols: string }> {
  const holds = words.map(() => "instr(lower(path), ?) > 0 or instr(lower(symbols), ?) > 0").join(" or ");
  const rows = db
    .query(`select path, symbols from files where root_id = ? ${holds ? `and (${holds})` : ""}`)
    .iterate(root, ...words.flatMap((word) => [word, word]));
  for (const row of rows) yield row as { path: string; symbols: string };
}

/** Forgets workspaces not searched for long, and as many more as the size asks for. Answers how many. */
export function tidyIndex(db: OutlineIndex, path: string, keep: number, now: number): number {
  const old = db.query("delete from roots where used_at < ? and id <> ?").run(now - KEPT_MS, keep).changes;
  if (sizeOf(path) <= SIZE_MAX) return old;
  const more = db
    .query("delete from roots where id in (select id from roots where id <> ? order by used_at limit 8)")
    .run(keep).changes;
  db.run("vacuum");
  return old + more;
}
