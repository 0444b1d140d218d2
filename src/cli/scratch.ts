/** The real programs in a data directory of their own, for `doctor` and `demo`. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Env, type Paths, pathsOf } from "../env/paths.ts";
import { VERSION } from "../env/version.ts";
import { stopWorker } from "../process/lifecycle.ts";
import { commandFor, type Programs } from "../process/spawn.ts";
import { bringUp, waitUntilIdle } from "../process/up.ts";

export type Scratch = {
  root: string;
  paths: Paths;
  /** A directory to play in, a project of its own. */
  project: string;
  /** Runs the hook program as the host would; answers its output. Throws where it does not exit with 0. */
  hook: (event: string, payload: Record<string, unknown>) => string;
  /** Starts the worker and waits until all that came has been worked on. Throws a sentence otherwise. */
  settle: () => Promise<void>;
  /** Stops the worker, and deletes the folder unless it is to be kept. */
  close: (keep?: boolean) => Promise<void>;
};

export function openScratch(programs: Programs, env: Env, projectName: string): Scratch {
  const root = mkdtempSync(join(realpathSync(tmpdir()), "throughline-"));
  const project = join(root, projectName);
  mkdirSync(join(project, ".git"), { recursive: true });
  const paths = pathsOf(join(root, "data"));
  const scratchEnv: Env = {
    PATH: env.PATH,
    HOME: root,
    USERPROFILE: root,
    SystemRoot: env.SystemRoot,
    TMPDIR: env.TMPDIR,
    TEMP: env.TEMP,
    CLAUDE_MEM_DATA_DIR: paths.data,
    CLAUDE_MEM_WORKER_PORT: "0",
    CLAUDE_MEM_IDLE_EXIT_MINUTES: "5",
    CLAUDE_PROJECT_DIR: project,
  };
  return {
    root,
    paths,
    project,
    hook: (event, payload) => {
      const ran = Bun.spawnSync([...commandFor(programs, "hook"), "claude-code", event], {
        stdin: Buffer.from(JSON.stringify({ ...payload, hook_event_name: event, cwd: project })),
        env: scratchEnv,
        cwd: project,
        stdout: "pipe",
        stderr: "pipe",
        timeout: 10_000,
        windowsHide: true,
      });
      if (ran.exitCode !== 0)
        throw new Error(`The hook program exits with ${ran.exitCode}: ${ran.stderr.toString().trim()}`);
      return ran.stdout.toString();
    },
    settle: async () => {
      const up = await bringUp(paths, programs, VERSION, scratchEnv);
      if ("why" in up) throw new Error(`The worker did not start: ${up.why}.`);
      if (!(await waitUntilIdle(paths, 15_000))) throw new Error("The worker did not finish its work.");
    },
    close: async (keep = false) => {
      await stopWorker(paths, 5_000);
      if (!keep) rmSync(root, { recursive: true, force: true });
    },
  };
}

/** The text for the model in a hook's output; "" where there is none. */
export function contextIn(output: string): string {
  const parsed = JSON.parse(output || "{}") as { hookSpecificOutput?: { additionalContext?: string } };
  return parsed.hookSpecificOutput?.additionalContext ?? "";
}
