/** JSON-lines log files: one a day and program, capped in size and number. */
import { appendFileSync, chmodSync, readdirSync, renameSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { ensureDir } from "./files.ts";

export type LogLevel = "debug" | "info" | "warn" | "error";
type Fields = Record<string, string | number | boolean | null | undefined>;
export type Log = Record<LogLevel, (message: string, fields?: Fields) => void>;

const RANK: Record<string, number> = { debug: 0, info: 1, warn: 2, error: 3, silent: 4 };

/** Generous for reading back a week, small beside the store. */
const LIMITS = { fileBytes: 5 * 1024 * 1024, totalBytes: 40 * 1024 * 1024, days: 14 };

/**
 * A log writing to `<dir>/<program>-YYYY-MM-DD.log`. Nothing it does throws: a log that cannot be written is
 * no reason for its caller to fail. `now` is there so that days can be simulated.
 */
export function openLog(options: { dir: string; program: string; level: string; now?: () => number }): Log {
  const threshold = RANK[options.level] ?? 1;
  const now = options.now ?? Date.now;
  let day = "";
  const write = (level: LogLevel, message: string, fields?: Fields) => {
    if ((RANK[level] ?? 0) < threshold) return;
    try {
      const time = new Date(now()).toISOString();
      const path = join(options.dir, `${options.program}-${time.slice(0, 10)}.log`);
      if (day !== time.slice(0, 10)) {
        day = time.slice(0, 10);
        ensureDir(options.dir);
        pruneLogs(options.dir, now());
      }
      rollIfFull(path);
      appendFileSync(path, `${JSON.stringify({ time, level, pid: process.pid, message, ...fields })}\n`, {
        mode: 0o600,
      });
    } catch {
      // Full disk, read-only directory: the work goes on without its log.
    }
  };
  return {
    debug: (message, fields) => write("debug", message, fields),
    info: (message, fields) => write("info", message, fields),
    warn: (message, fields) => write("warn", message, fields),
    error: (message, fields) => write("error", message, fields),
  };
}

/** The newest half of a full day is kept: the file moves to `.1`, replacing the one before. */
function rollIfFull(path: string): void {
  const size = statSync(path, { throwIfNoEntry: false })?.size;
  if (size === undefined || size < LIMITS.fileBytes) return;
  renameSync(path, `${path}.1`);
  chmodSync(`${path}.1`, 0o600);
}

/** Deletes log files over the age limit, then the oldest ones over the size limit. */
export function pruneLogs(dir: string, now: number): void {
  const files = readdirSync(dir)
    .filter((name) => /\.log(\.1)?$/.test(name))
    .map((name) => ({ path: join(dir, name), stat: statSync(join(dir, name), { throwIfNoEntry: false }) }))
    .map(({ path, stat }) => ({ path, size: stat?.size ?? 0, age: now - dayOf(path, stat?.mtimeMs ?? now) }))
    .sort((a, b) => a.age - b.age);
  let total = 0;
  for (const file of files) {
    total += file.size;
    if (file.age > LIMITS.days * 86_400_000 || total > LIMITS.totalBytes) rmSync(file.path, { force: true });
  }
}

function dayOf(path: string, fallback: number): number {
  const day = /(\d{4}-\d{2}-\d{2})\.log/.exec(path)?.[1];
  return day ? Date.parse(`${day}T00:00:00Z`) : fallback;
}
