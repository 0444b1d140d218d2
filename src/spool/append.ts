/** The spool's writing end: one event, one file, durable before the caller goes on. */
import { closeSync, fsyncSync, openSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { SessionEvent } from "../core/event.ts";
import { ensureDir, writeAll } from "../env/files.ts";
import type { Paths } from "../env/paths.ts";

let sequence = 0;

/**
 * Writes `event` into the spool: temporary name, fsync, rename. When it returns, the event survives a crash of this
 * process and of the machine. The folder itself is not synced, which would cost more than all the rest: should a
 * power cut undo the rename, the file stands whole under its temporary name, and the worker takes it from there
 * (`rescueAbandoned`). Throws what the file system throws, and then leaves nothing behind.
 */
export function appendEvent(spool: Paths["spool"], event: SessionEvent): void {
  const name = spoolName();
  const temporary = join(spool.tmp, name);
  const bytes = Buffer.from(JSON.stringify(event));
  let fd: number;
  try {
    fd = openSync(temporary, "wx", 0o600);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
    ensureDir(spool.root);
    ensureDir(spool.tmp);
    ensureDir(spool.new);
    fd = openSync(temporary, "wx", 0o600);
  }
  try {
    try {
      writeAll(fd, bytes);
      fsyncSync(fd);
    } finally {
      closeSync(fd);
    }
    renameSync(temporary, join(spool.new, name));
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
}

/** Sorts by time: milliseconds, then the order within this process. Padded, so that text order is time order. */
function spoolName(): string {
  sequence += 1;
  return `${String(Date.now()).padStart(14, "0")}-${String(sequence).padStart(6, "0")}-${process.pid}.json`;
}
