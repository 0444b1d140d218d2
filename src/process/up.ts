/** Waiting for the worker. */
import { createClient, type WorkerStatus } from "../api/client.ts";
import { compareVersions } from "../core/version.ts";
import type { Env, Paths } from "../env/paths.ts";
import { readStartFailure } from "./failure.ts";
import { isServed, type Programs, startWorker } from "./spawn.ts";

export type Up = { status: WorkerStatus } | { why: string };

/**
 * Starts the worker where none of this version or a newer one runs, and waits until it is ready: its status, or a
 * sentence on why it is not there.
 */
export async function bringUp(
  paths: Paths,
  programs: Programs,
  version: string,
  env: Env,
  deadlineMs = 20_000,
): Promise<Up> {
  const began = Date.now();
  if (!isServed(paths, version)) startWorker(paths, programs, env);
  while (Date.now() - began < deadlineMs) {
    const status = await createClient(paths, 1_000)
      .status()
      .catch(() => null);
    // An older one that answers is about to hand over.
    if (status?.ready && compareVersions(status.version, version) >= 0) return { status };
    const failure = readStartFailure(paths);
    if (failure && failure.version === version && failure.at >= began) return { why: failure.why };
    await Bun.sleep(50);
  }
  return { why: "it did not answer in time" };
}

/** Waits until nothing is left to store or to work on; `false` where that did not come within `deadlineMs`. */
export async function waitUntilIdle(paths: Paths, deadlineMs: number): Promise<boolean> {
  const until = Date.now() + deadlineMs;
  while (Date.now() < until) {
    const status = await createClient(paths, 1_000)
      .status()
      .catch(() => null);
    const idle =
      status?.spool === 0 &&
      status.transcripts === 0 &&
      status.queue?.pending === 0 &&
      status.queue.processing === 0;
    if (status?.ready && idle) return true;
    await Bun.sleep(50);
  }
  return false;
}
