/** The real worker as a child of the bench. */
import { createClient } from "../src/api/client.ts";
import type { Paths } from "../src/env/paths.ts";
import { childEnv, commandFor } from "../src/process/spawn.ts";
import { waitUntilIdle } from "../src/process/up.ts";
import type { Scratch } from "./scratch.ts";

export type WorkerProcess = {
  pid: number;
  /** Ends it as a power cut would; resolves when it is gone. */
  kill: () => Promise<void>;
  /** Asks it to leave; resolves when it is gone. */
  stop: () => Promise<void>;
};

/** Starts a worker on the data directory and returns at once. */
export function spawnWorker(scratch: Scratch, paths: Paths): WorkerProcess {
  const child = Bun.spawn(commandFor(scratch.programs, "worker"), {
    cwd: scratch.programs.dir,
    env: childEnv({ ...scratch.env }, paths.data),
    stdio: ["ignore", "ignore", "ignore"],
  });
  const end = async (signal: "SIGKILL" | "SIGTERM") => {
    child.kill(signal);
    await child.exited;
  };
  return { pid: child.pid, kill: () => end("SIGKILL"), stop: () => end("SIGTERM") };
}

/** Starts a worker and waits until its store is open. Throws where that takes longer than half a minute. */
export async function startWorker(scratch: Scratch, paths: Paths): Promise<WorkerProcess> {
  const worker = spawnWorker(scratch, paths);
  for (const until = Date.now() + 30_000; Date.now() < until; await Bun.sleep(10)) {
    const status = await createClient(paths, 1_000)
      .status()
      .catch(() => null);
    if (status?.ready && status.pid === worker.pid) return worker;
  }
  await worker.kill();
  throw new Error("The worker did not come up.");
}

/** Waits until spool and queue are empty. Throws where that takes too long. */
export async function settle(paths: Paths, deadlineMs = 120_000): Promise<void> {
  if (!(await waitUntilIdle(paths, deadlineMs)))
    throw new Error("The worker did not get done with its work.");
}
