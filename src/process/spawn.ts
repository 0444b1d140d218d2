/** Starting the worker, detached, from whichever of our programs first needs it. */
import { closeSync, mkdirSync, openSync, rmSync, statSync, utimesSync } from "node:fs";
import { dirname, join } from "node:path";
import { compareVersions } from "../core/version.ts";
import { ensureDir } from "../env/files.ts";
import type { Env, Paths } from "../env/paths.ts";
import { CHILD_MARKER } from "../env/switches.ts";
import { backsOff, readStartFailure } from "./failure.ts";
import { lives, readRecord } from "./record.ts";

/** So long one start is given before another program tries its own. */
const START_GRACE_MS = 10_000;
/**
 * The runtime looks every second whether there is garbage, even in a process that does nothing: a laptop's battery
 * pays for it. Collections that allocation asks for come as ever.
 */
const GC_TIMER_MS = 30_000;

export type Programs = {
  /** The Bun executable. */
  runtime: string;
  /** Folder of the bundles and of the empty `bunfig.toml` beside them. */
  dir: string;
};

/** The programs beside the running one. By its path, for a bundler may have fixed `import.meta.dir` at build time. */
export function ownPrograms(): Programs {
  return { runtime: process.execPath, dir: dirname(Bun.main) };
}

/**
 * Words that start one of our programs so that nothing of the current directory has a say: no `.env`, no
 * `bunfig.toml` of a project.
 */
export function commandFor(programs: Programs, program: "worker" | "hook" | "mcp" | "cli"): string[] {
  return [
    programs.runtime,
    "--no-env-file",
    `--config=${join(programs.dir, "bunfig.toml")}`,
    join(programs.dir, `${program}.js`),
  ];
}

/** The environment of a child: without what steers Bun, and without what belongs to one session of the host. */
export function childEnv(env: Env, data: string): Record<string, string> {
  const kept = Object.entries(env).filter(
    (entry): entry is [string, string] =>
      entry[1] !== undefined &&
      !/^(BUN_|NODE_|CLAUDECODE$|CLAUDE_(CODE_|PROJECT_DIR|PLUGIN_|ENV_FILE|EFFORT|MEM_PROJECT)|ANTHROPIC_)/.test(
        entry[0],
      ),
  );
  return {
    ...Object.fromEntries(kept),
    CLAUDE_MEM_DATA_DIR: data,
    [CHILD_MARKER]: "1",
    BUN_GC_TIMER_INTERVAL: String(GC_TIMER_MS),
  };
}

/**
 * Starts the worker unless one of this version or a newer one lives, or a start is under way. Returns at once;
 * never throws: without a worker the spool simply waits.
 */
export function ensureWorker(paths: Paths, programs: Programs, version: string, env: Env): void {
  try {
    if (isServed(paths, version) || backsOff(readStartFailure(paths), version, Date.now())) return;
    if (!claimStart(paths)) return;
    startWorker(paths, programs, env);
  } catch {
    // No room for a process, no writable state: the next event tries again.
  }
}

/** Whether a worker of this version or a newer one lives. */
export function isServed(paths: Paths, version: string): boolean {
  const record = readRecord(paths);
  return record !== null && lives(record) && compareVersions(record.version, version) >= 0;
}

/** Starts the worker without asking whether one runs; the lock lets only one live. */
export function startWorker(paths: Paths, programs: Programs, env: Env): void {
  const child = Bun.spawn(commandFor(programs, "worker"), {
    cwd: programs.dir,
    env: childEnv(env, paths.data),
    stdio: ["ignore", "ignore", "ignore"],
    detached: true,
    windowsHide: true,
  });
  child.unref();
}

/** Thirty sessions that open at once start one worker, not thirty. */
function claimStart(paths: Paths): boolean {
  const file = startFile(paths);
  const age = Date.now() - (statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0);
  // An age below zero: the clock has jumped back, and the mark says nothing.
  if (age >= 0 && age < START_GRACE_MS) return false;
  ensureDir(paths.state.root);
  try {
    closeSync(openSync(file, "wx", 0o600));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    // A start that never came up. Two programs may both renew it; then both start one and the lock decides.
    utimesSync(file, new Date(), new Date());
  }
  return true;
}

/** The worker is up: whoever misses it from now on may start it again. */
export function clearStart(paths: Paths): void {
  mkdirSync(paths.state.root, { recursive: true, mode: 0o700 });
  rmSync(startFile(paths), { force: true });
}

const startFile = (paths: Paths) => join(paths.state.root, "worker.starting");
