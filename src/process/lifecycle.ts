/** A worker's way in and out: the lock, taking over from an older version, files that say who runs. */
import { rmSync } from "node:fs";
import { createClient } from "../api/client.ts";
import { compareVersions } from "../core/version.ts";
import type { Log } from "../env/log.ts";
import type { Paths } from "../env/paths.ts";
import { noteStartFailure } from "./failure.ts";
import { type Lock, takeLock, waitForLock } from "./lock.ts";
import { isAlive, lives, readRecord, removeRecord, writeRecord } from "./record.ts";

/** An older worker finishes its transaction within this, or keeps its place. */
const HANDOVER_MS = 15_000;
/** A worker is on its way in or out for no longer than this. */
const SETTLING_MS = 3_000;

/**
 * The right to be this data directory's worker. Where an older version has it, that one is asked, once, to leave;
 * `null` where this process is not needed: the same or a newer version works already.
 */
export async function becomeWorker(paths: Paths, version: string, log: Log): Promise<Lock | null> {
  const lock = takeLock(paths.lock);
  if (lock) return lock;
  const record = readRecord(paths);
  // Nobody recorded, yet somebody has the lock: one that is leaving, or one that has just come.
  if (!record) return waitForLock(paths.lock, Date.now() + SETTLING_MS, () => readRecord(paths) !== null);
  if (compareVersions(record.version, version) >= 0) return null;
  log.info("asking an older worker to leave", { older: record.version, pid: record.pid });
  await createClient(paths)
    .stop()
    .catch(() => undefined);
  const taken = await waitForLock(paths.lock, Date.now() + HANDOVER_MS);
  // Asked once: without this note every event would start another process that asks again.
  if (!taken) noteStartFailure(paths, version, "an older worker does not leave", Date.now());
  return taken;
}

export function announce(paths: Paths, version: string): void {
  writeRecord(paths, version);
}

/** Takes the files of this process away; another's are left alone. */
export function withdraw(paths: Paths): void {
  if (readRecord(paths)?.pid !== process.pid) return;
  removeRecord(paths);
  rmSync(paths.port, { force: true });
  if (process.platform !== "win32") rmSync(paths.socket, { force: true });
}

export type StopOutcome = "not running" | "stopped" | "killed" | "unproven";

/**
 * Stops the worker: asks over the socket, then waits; after `graceMs` a process that has proven to be ours is
 * killed. A process that only has the recorded number is never signalled. It counts as stopped when it is gone, even
 * if a hook has started the next one by then.
 */
export async function stopWorker(paths: Paths, graceMs = 10_000): Promise<StopOutcome> {
  const client = createClient(paths);
  const record = readRecord(paths);
  const answering = await client
    .health()
    .then((health) => health.pid)
    .catch(() => null);
  const recorded = record && lives(record) ? record : null;
  const pid = answering ?? recorded?.pid;
  if (pid === undefined) return "not running";
  if (answering !== null) await client.stop().catch(() => undefined);
  else if (recorded?.started) signal(pid, "SIGTERM");
  else return "unproven";

  const isGone = () => (record?.pid === pid ? !lives(record) : !isAlive(pid));
  const lock = await waitForLock(paths.lock, Date.now() + graceMs, isGone);
  lock?.release();
  if (lock || isGone()) return "stopped";
  signal(pid, "SIGKILL");
  (await waitForLock(paths.lock, Date.now() + 2_000, isGone))?.release();
  return "killed";
}

/** A process that went in this very moment needs no signal. */
function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
  }
}
