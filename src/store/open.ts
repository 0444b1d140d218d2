/** Opening the store: the only place that knows how SQLite is set up. */
import { constants, Database } from "bun:sqlite";
import { chmodSync, existsSync, statfsSync } from "node:fs";
import { dirname } from "node:path";
import { AppError, messageOf } from "../core/errors.ts";
import { ensureDir } from "../env/files.ts";
import { migrate } from "./migrate.ts";
import { MIGRATIONS } from "./migrations/index.ts";

export type Db = Database;

/** A writer waits so long for another. */
const BUSY_MS = 5_000;

/**
 * Opens the store for writing, creating and migrating it. `backups` is where a copy goes before a migration.
 * Throws `store_newer` (file untouched) for a store of a later version, `store_broken` for what is no store.
 */
export function openStore(path: string, backups: string): Db {
  ensureDir(dirname(path));
  const existed = existsSync(path);
  if (existed) refuseNewer(path);
  const db = new Database(path, { create: true, readwrite: true, strict: true });
  try {
    if (process.platform !== "win32") chmodSync(path, 0o600);
    db.run(`pragma busy_timeout = ${BUSY_MS}`);
    setJournal(db, isLocal(path) ? "wal" : "delete");
    // FULL, not NORMAL: spool files are deleted after the commit, so it must have reached the disk.
    db.run("pragma synchronous = full");
    db.run("pragma foreign_keys = on");
    // What is deleted, a private turn above all, must not stay readable in free pages.
    db.run("pragma secure_delete = on");
    db.run("pragma cache_size = -16000");
    db.run("pragma journal_size_limit = 16777216");
    migrate(db, MIGRATIONS, { path, backups });
    return db;
  } catch (error) {
    db.close();
    throw asStoreError(error);
  }
}

/** Every other statement waits by `busy_timeout`; switching the journal fails at once where another opens the store too. */
function setJournal(db: Db, mode: "wal" | "delete"): void {
  for (const end = Date.now() + BUSY_MS; ; Bun.sleepSync(10)) {
    try {
      db.run(`pragma journal_mode = ${mode}`);
      return;
    } catch (error) {
      if (!/BUSY|LOCKED/.test(String((error as { code?: string }).code)) || Date.now() >= end) throw error;
    }
  }
}

/**
 * Opens the store for reading alone, also where nothing may be written beside it. `null` where there is none
 * yet; throws `store_newer` and `store_broken` like `openStore`.
 */
export function openReadOnly(path: string): Db | null {
  if (!existsSync(path)) return null;
  try {
    const { db, version } = openPlain(path);
    if (version > MIGRATIONS.length) {
      db.close();
      throw newer(version);
    }
    if (version > 0) return db;
    db.close();
    return null;
  } catch (error) {
    throw asStoreError(error);
  }
}

/** Runs `work` in one transaction: all of it or nothing. */
export function inTransaction<T>(db: Db, work: () => T): T {
  return db.transaction(work).immediate();
}

/** Moves what the write-ahead log holds into the store itself and cuts the log to nothing, as far as no reader is in the way. */
export function emptyLog(db: Db): void {
  db.run("pragma wal_checkpoint(truncate)");
}

function openPlain(path: string): { db: Db; version: number } {
  try {
    const db = new Database(path, { readonly: true, strict: true });
    db.run("pragma busy_timeout = 250");
    return { db, version: versionOf(db) };
  } catch (error) {
    // A WAL store in a directory that may not be written can only be read as a file that does not change.
    if (!/READONLY|CANTOPEN/.test(String((error as { code?: string }).code))) throw error;
    const uri = `file:${encodeURI(path).replaceAll("?", "%3f").replaceAll("#", "%23")}?immutable=1`;
    const db = new Database(uri, constants.SQLITE_OPEN_READONLY | constants.SQLITE_OPEN_URI);
    return { db, version: versionOf(db) };
  }
}

/** Looked at without opening for writing, so that a refused store keeps every byte. */
function refuseNewer(path: string): void {
  let version: number;
  try {
    const plain = openPlain(path);
    version = plain.version;
    plain.db.close();
  } catch (error) {
    throw asStoreError(error);
  }
  if (version > MIGRATIONS.length) throw newer(version);
}

function newer(version: number): AppError {
  return new AppError(
    "store_newer",
    `The memory store was written by a newer Throughline (store version ${version}, this one knows ${MIGRATIONS.length}); it is left untouched. Update Throughline.`,
  );
}

function asStoreError(error: unknown): unknown {
  const code = String((error as { code?: string }).code);
  if (!/NOTADB|CORRUPT/.test(code)) return error;
  return new AppError("store_broken", `The memory store cannot be read (${messageOf(error)}).`, {
    cause: error,
  });
}

function versionOf(db: Db): number {
  return (db.query("pragma user_version").get() as { user_version: number }).user_version;
}

/**
 * Linux magic numbers (statfs(2), linux/magic.h) of file systems whose locks and shared memory do not reach all
 * who may open the file: NFS, SMB, CIFS, SMB2, 9P, FUSE (virtiofs, sshfs), AFS, Ceph.
 */
const REMOTE = new Set([
  0x6969, 0x517b, 0xff534d42, 0xfe534d42, 0x01021997, 0x65735546, 0x5346414f, 0x00c36400,
]);

/** WAL needs shared memory: only on a local file system. */
export function isLocal(path: string): boolean {
  if (process.platform === "win32") return !path.startsWith("\\\\");
  try {
    return !REMOTE.has(Number(statfsSync(dirname(path)).type));
  } catch {
    return true;
  }
}

/** A full disk or a locked file passes; a value the store cannot hold does not. */
export function isFaultOfData(error: unknown): boolean {
  const code = String((error as { code?: string }).code ?? "");
  return (
    !/FULL|IOERR|BUSY|LOCKED|READONLY|CANTOPEN|NOMEM|CORRUPT|NOTADB|PERM|AUTH/.test(code) ||
    error instanceof TypeError
  );
}
