import type { HostHome } from "./host.ts";
import { signal } from "./strays.ts";

export type PrintOptions = {
  prompt: string;
  /** The home's project directory by default. */
  cwd?: string;
  args?: string[];
  env?: Record<string, string>;
  /** 60 000 by default. */
  timeoutMs?: number;
  /** Plugin directory, or several, loaded for this run alone. */
  pluginDir?: string | string[];
};

/** The program's JSON result, as far as tests read it. */
export type PrintResult = {
  result: string;
  session_id: string;
  is_error: boolean;
  num_turns: number;
  [key: string]: unknown;
};

export type ProgramRun = { exitCode: number; stdout: string; stderr: string; timedOut: boolean };
export type PrintRun = ProgramRun & { result: PrintResult | null };

const TIMEOUT_MS = 60_000;

export type ProgramOptions = { cwd?: string; env?: Record<string, string>; timeoutMs?: number };

/** Runs the program with these arguments to its end, or kills it after `timeoutMs`. */
export async function runProgram(
  home: HostHome,
  args: string[],
  options: ProgramOptions = {},
): Promise<ProgramRun> {
  const child = Bun.spawn([home.claude, ...args], {
    cwd: options.cwd ?? home.projectDir,
    env: { ...home.env, ...options.env },
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
  });
  home.running.add(child.pid);
  let timedOut = false;
  const timer = setTimeout(() => {
    timedOut = true;
    signal(child.pid, "SIGKILL");
  }, options.timeoutMs ?? TIMEOUT_MS);
  const [stdout, stderr, exitCode] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ]);
  clearTimeout(timer);
  home.running.delete(child.pid);
  return { exitCode, stdout, stderr, timedOut };
}

/** The arguments that load plugin directories for one run. */
export function pluginArgs(pluginDir: string | string[] | undefined): string[] {
  if (pluginDir === undefined) return [];
  return [pluginDir].flat().flatMap((dir) => ["--plugin-dir", dir]);
}

function parseResult(stdout: string): PrintResult | null {
  try {
    return JSON.parse(stdout) as PrintResult;
  } catch {
    return null;
  }
}

/** One headless run (`claude -p`). `result` is null when the output was no JSON. */
export async function runPrint(home: HostHome, options: PrintOptions): Promise<PrintRun> {
  const fixed = ["-p", options.prompt, "--output-format", "json", "--dangerously-skip-permissions"];
  const { prompt: _, args = [], pluginDir, ...rest } = options;
  const run = await runProgram(home, [...fixed, ...pluginArgs(pluginDir), ...args], rest);
  return { ...run, result: parseResult(run.stdout) };
}
