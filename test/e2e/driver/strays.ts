import { readdirSync, readFileSync } from "node:fs";

function environOf(pid: number): string[] {
  try {
    return readFileSync(`/proc/${pid}/environ`, "utf8").split("\0");
  } catch {
    return []; // Gone since the listing, or of another user.
  }
}

/**
 * Ids of the running processes whose HOME is this directory: the program, and whatever it or its hooks
 * started, detached or not. Linux only; elsewhere always empty.
 */
export function processesOfHome(homeDir: string): number[] {
  if (process.platform !== "linux") return [];
  const pids = readdirSync("/proc").map(Number).filter(Number.isInteger);
  return pids.filter((pid) => pid !== process.pid && environOf(pid).includes(`HOME=${homeDir}`));
}

/** Sends a signal to one process; one that is gone already is no error. */
export function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch {
    // Already gone.
  }
}

const ROUNDS = 100;
const PAUSE_MS = 50;

/** Ends every process of this home: SIGTERM, then SIGKILL for what is left after two seconds. */
export async function endProcessesOfHome(homeDir: string): Promise<void> {
  for (let round = 0; round < ROUNDS; round++) {
    const pids = processesOfHome(homeDir);
    if (pids.length === 0) return;
    // A process may start another between the listing and the signal, hence the repeated look.
    for (const pid of pids) signal(pid, round < 40 ? "SIGTERM" : "SIGKILL");
    await Bun.sleep(PAUSE_MS);
  }
}
