/** One worker a data directory: a lock that the system takes back when its holder dies. */
import { Database } from "bun:sqlite";
import { chmodSync } from "node:fs";
import { dirname } from "node:path";
import { ensureDir } from "../env/files.ts";

export type Lock = { release: () => void };

/**
 * Takes the lock at `path`, or answers `null` where another process has it. It is SQLite's own file lock, which
 * every platform has and which no crash leaves behind; the file stays empty.
 */
export function takeLock(path: string): Lock | null {
  ensureDir(dirname(path));
  const db = new Database(path, { create: true, readwrite: true });
  try {
    if (process.platform !== "win32") chmodSync(path, 0o600);
    db.run("pragma busy_timeout = 0");
    db.run("pragma journal_mode = memory");
    db.run("begin exclusive");
    return { release: () => db.close() };
  } catch (error) {
    db.close();
    if (/BUSY|LOCKED/.test(String((error as { code?: string }).code))) return null;
    throw error;
  }
}

/** Tries for the lock until `deadline` (Unix ms), or until `isVain`. */
export async function waitForLock(
  path: string,
  deadline: number,
  isVain: () => boolean = () => false,
): Promise<Lock | null> {
  for (;;) {
    const lock = takeLock(path);
    if (lock || Date.now() >= deadline || isVain()) return lock;
    await Bun.sleep(50);
  }
}
