/** Waiting for the worker. */
import { createClient, type WorkerStatus } from "../api/client.ts";
import type { Env, Paths } from "../env/paths.ts";
import { isServed, type Programs, startWorker } from "./spawn.ts";

/** Starts the worker where none runs and waits until it is ready; `null` where that did not come within `deadlineMs`. */
export async function bringUp(
  paths: Paths,
  programs: Programs,
  version: string,
  env: Env,
  deadlineMs = 15_000,
): Promise<WorkerStatus | null> {
  const until = Date.now() + deadlineMs;
  if (!isServed(paths, version)) startWorker(paths, programs, env);
  while (Date.now() < until) {
    const status = await createClient(paths, 1_000)
      .status()
      .catch(() => null);
    if (status?.ready) return status;
    await Bun.sleep(50);
  }
  return null;
}

/** Waits until nothing is left to store or to work on; `false` where that did not come within `deadlineMs`. */
export async function waitUntilIdle(paths: Paths, deadlineMs: number): Promise<boolean> {
  const until = Date.now() + deadlineMs;
  while (Date.now() < until) {
    const status = await createClient(paths, 1_000)
      .status()
      .catch(() => null);
    if (status?.ready && status.spool === 0 && status.queue?.pending === 0 && status.queue.processing === 0)
      return true;
    await Bun.sleep(50);
  }
  return false;
}
