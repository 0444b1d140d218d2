/** Finding and running the user's Claude Code. */
import { accessSync, constants, statSync } from "node:fs";
import { delimiter, join } from "node:path";
import { homeOf } from "../../env/home.ts";
import { CHILD_MARKER } from "../../env/switches.ts";

type Env = Record<string, string | undefined>;

/** The `claude` program: on PATH, else where its installers put it. `null` where there is none. */
export function findClaude(env: Env, platform: NodeJS.Platform = process.platform): string | null {
  const home = homeOf(env);
  const names = platform === "win32" ? ["claude.exe", "claude.cmd"] : ["claude"];
  const folders = [
    ...(env.PATH ?? "").split(delimiter).filter((folder) => folder !== "" && !isProjectsOwn(folder)),
    join(home, ".local", "bin"),
    join(home, ".claude", "local"),
    join(home, ".claude", "bin"),
    "/usr/local/bin",
    "/opt/homebrew/bin",
  ];
  for (const folder of folders) {
    for (const name of names) if (isProgram(join(folder, name))) return join(folder, name);
  }
  return null;
}

/** `npx` and `npm run` put a project's own programs on PATH; a `claude` there is a dependency, not the user's. */
function isProjectsOwn(folder: string): boolean {
  return /[/\\]node_modules[/\\]\.bin[/\\]?$/.test(folder);
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

/** Our asking must send nothing anywhere: neither the host's telemetry nor its update checks; and it is not observed. */
const QUIET = {
  [CHILD_MARKER]: "1",
  DISABLE_TELEMETRY: "1",
  DISABLE_ERROR_REPORTING: "1",
  DISABLE_AUTOUPDATER: "1",
  CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
  CLAUDE_CODE_DISABLE_OFFICIAL_MARKETPLACE_AUTOINSTALL: "1",
};

export type Ran = { ok: boolean; output: string };

/** Runs `claude` with these words and waits. Its own hooks and plugins are none of ours here: the marker says so. */
export function runClaude(program: string, words: readonly string[], env: Env, timeoutMs = 60_000): Ran {
  const result = Bun.spawnSync([program, ...words], {
    env: { ...env, ...QUIET },
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
    timeout: timeoutMs,
    windowsHide: true,
  });
  const output = `${result.stdout.toString()}${result.stderr.toString()}`.trim();
  return { ok: result.exitCode === 0, output };
}

/** `a.b.c` of the program, or `null`. */
export function claudeVersion(program: string, env: Env): string | null {
  return /\d+\.\d+\.\d+/.exec(runClaude(program, ["--version"], env, 15_000).output)?.[0] ?? null;
}

/** The folder of the user's Claude Code configuration. */
export function configDir(env: Env): string {
  return env.CLAUDE_CONFIG_DIR || join(homeOf(env), ".claude");
}
