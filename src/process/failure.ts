/** Why the worker could not do its work: told to the user, and no reason to start another one at every event. */
import { rmSync } from "node:fs";
import { join } from "node:path";
import { readJsonObject, writeAtomic } from "../env/files.ts";
import type { Paths } from "../env/paths.ts";

export type StartFailure = {
  /** Of the worker that failed; another version may fare better. */
  version: string;
  /** A sentence. */
  why: string;
  /** Unix ms. */
  at: number;
};

/** What failed rarely mends itself within minutes; a start costs as much as a second of work. */
const BACK_OFF_MS = 5 * 60_000;

const fileOf = (paths: Paths) => join(paths.state.root, "worker-failed.json");

/** Notes the failure. Never throws: a worker that cannot even note it has nothing better to do. */
export function noteStartFailure(paths: Paths, version: string, why: string, at: number): void {
  try {
    writeAtomic(fileOf(paths), `${JSON.stringify({ version, why: why.slice(0, 500), at })}\n`);
  } catch {
    // The reason is in the log, or nowhere can be written at all.
  }
}

/** The last start's failure; `null` where it came up. */
export function readStartFailure(paths: Paths): StartFailure | null {
  const stored = readJsonObject(fileOf(paths));
  if (typeof stored?.version !== "string" || typeof stored.why !== "string") return null;
  return { version: stored.version, why: stored.why, at: Number(stored.at) || 0 };
}

/** The worker is up. */
export function clearStartFailure(paths: Paths): void {
  rmSync(fileOf(paths), { force: true });
}

/** Whether a worker of this version failed so recently that another try is not worth it yet. */
export function backsOff(failure: StartFailure | null, version: string, now: number): boolean {
  if (!failure || failure.version !== version) return false;
  const age = now - failure.at;
  return age >= 0 && age < BACK_OFF_MS;
}
