/** Who the running worker is, and whether it still lives. */
import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { readJsonObject, writeAtomic } from "../env/files.ts";
import type { Paths } from "../env/paths.ts";

export type WorkerRecord = {
  pid: number;
  version: string;
  /** The kernel's start time of the process, where it tells one: a reused pid has another. */
  started: string | null;
};

const fileOf = (paths: Paths) => join(paths.state.root, "worker.json");

export function writeRecord(paths: Paths, version: string): void {
  const record: WorkerRecord = { pid: process.pid, version, started: startOf(process.pid) };
  writeAtomic(fileOf(paths), `${JSON.stringify(record)}\n`);
  writeAtomic(paths.pid, `${process.pid}\n`);
}

/** The worker that wrote it is gone in good order. */
export function removeRecord(paths: Paths): void {
  rmSync(fileOf(paths), { force: true });
  rmSync(paths.pid, { force: true });
}

/** The last worker's record, living or not. */
export function readRecord(paths: Paths): WorkerRecord | null {
  const stored = readJsonObject(fileOf(paths));
  if (!stored || !Number.isInteger(stored.pid) || typeof stored.version !== "string") return null;
  return {
    pid: Number(stored.pid),
    version: stored.version,
    started: typeof stored.started === "string" ? stored.started : null,
  };
}

/** Whether the recorded process is there and is the one that wrote the record, as far as this system can tell. */
export function lives(record: WorkerRecord): boolean {
  if (!isAlive(record.pid)) return false;
  return record.started === null || startOf(record.pid) === record.started;
}

/** Whether any process has this id. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

/**
 * proc(5): field 22 of /proc/<pid>/stat, counted after the command name, which may hold spaces. `null` for a zombie
 * as well: in a container whose first process reaps nobody, the dead keep their number.
 */
function startOf(pid: number): string | null {
  if (process.platform !== "linux") return null;
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return fields[0] === "Z" || fields[0] === "X" ? null : (fields[19] ?? null);
  } catch {
    return null;
  }
}
