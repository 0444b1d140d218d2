/** The real worker as a child of the bench. */
import { createClient } from "../src/api/client.ts";
import type { Paths } from "../src/env/paths.ts";
import { stopWorker } from "../src/process/lifecycle.ts";
import { lives, readRecord } from "../src/process/record.ts";
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

/** Starts a worker on the data directory and returns at once. It leaves by itself where another one works there. */
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

/** Kills the worker of the data directory, whoever started it: hooks do so too. */
export async function killRunning(paths: Paths): Promise<void> {
  const record = readRecord(paths);
  if (!record || !lives(record)) return;
  process.kill(record.pid, "SIGKILL");
  while (lives(record)) await Bun.sleep(1);
}

/**
 * Starts a worker and waits until its store is open; where a hook was faster, that one's worker is as good. Throws
 * where it takes longer than half a minute.
 */
export async function startWorker(scratch: Scratch, paths: Paths): Promise<WorkerProcess> {
  const worker = spawnWorker(scratch, paths);
  for (const until = Date.now() + 30_000; Date.now() < until; await Bun.sleep(10)) {
    const status = await createClient(paths, 1_000)
      .status()
      .catch(() => null);
    if (!status?.ready) continue;
    if (status.pid === worker.pid) return worker;
    const stop = async () => {
      await stopWorker(paths);
    };
    return { pid: status.pid, kill: () => killRunning(paths), stop };
  }
  await worker.kill();
  throw new Error("The worker did not come up.");
}

/** Waits until spool and queue are empty. Throws where that takes too long. */
export async function settle(paths: Paths, deadlineMs = 120_000): Promise<void> {
  if (!(await waitUntilIdle(paths, deadlineMs)))
    throw new Error("The worker did not get done with its work.");
}
