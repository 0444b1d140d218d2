/** Writing files so that a crash leaves the old content or the new, readable by the owner alone. */
import {
  chmodSync,
  closeSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeSync,
} from "node:fs";
import { dirname } from "node:path";

/** Creates `dir` with its parents, mode 0700 whatever the umask. */
export function ensureDir(dir: string): void {
  const made = mkdirSync(dir, { recursive: true, mode: 0o700 });
  if (made !== undefined) chmodSync(dir, 0o700);
}

/** Writes all of `bytes` to `fd`; short writes are continued. */
export function writeAll(fd: number, bytes: Uint8Array): void {
  for (let at = 0; at < bytes.length; ) at += writeSync(fd, bytes, at, bytes.length - at);
}

/**
 * Replaces `path` by `content` in one step: temporary file beside it, fsync, rename. Mode 0600 unless given.
 * Throws what the file system throws; the temporary file is then gone.
 */
export function writeAtomic(path: string, content: string | Uint8Array, mode = 0o600): void {
  ensureDir(dirname(path));
  const temporary = `${path}.${process.pid}.tmp`;
  try {
    const fd = openSync(temporary, "w", mode);
    try {
      writeAll(fd, typeof content === "string" ? Buffer.from(content) : content);
      fsyncSync(fd);
    } finally {
      closeSync(fd);
    }
    if (process.platform !== "win32") chmodSync(temporary, mode);
    renameSync(temporary, path);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
}

/** The file's text, or `null` where there is none or it cannot be read. */
export function readText(path: string): string | null {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return null;
  }
}

/** The file's content as a JSON object, or `null` where it is missing, broken or something else. */
export function readJsonObject(path: string): Record<string, unknown> | null {
  const text = readText(path);
  if (text === null) return null;
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : null;
  } catch {
    return null;
  }
}
