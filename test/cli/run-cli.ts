/** The CLI as a person runs it, in a home of its own. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Paths, pathsOf } from "../../src/env/paths.ts";
import { DIST, ensureBuilt } from "../support/built.ts";

export type Ran = { code: number; stdout: string; stderr: string };
export type CliHome = {
  root: string;
  home: string;
  env: Record<string, string>;
  paths: Paths;
  /** The words that start the program. */
  command: string[];
  run: (...words: string[]) => Promise<Ran>;
  /** Stops the worker and removes everything. */
  dispose: () => Promise<void>;
};

export async function cliHome(): Promise<CliHome> {
  await ensureBuilt();
  const root = realpathSync(mkdtempSync(join(tmpdir(), "cli-home-")));
  const home = join(root, "home");
  mkdirSync(home);
  const env: Record<string, string> = {
    PATH: "/usr/bin:/bin",
    HOME: home,
    TMPDIR: join(root, "tmp"),
    CLAUDE_MEM_WORKER_PORT: "0",
    IS_SANDBOX: "1",
  };
  mkdirSync(env.TMPDIR ?? "");
  const command = [
    process.execPath,
    "--no-env-file",
    `--config=${join(DIST, "bunfig.toml")}`,
    join(DIST, "cli.js"),
  ];
  const run = async (...words: string[]): Promise<Ran> => {
    const child = Bun.spawn([...command, ...words], {
      env,
      cwd: home,
      stdin: "ignore",
      stdout: "pipe",
      stderr: "pipe",
    });
    const [stdout, stderr, code] = await Promise.all([
      new Response(child.stdout).text(),
      new Response(child.stderr).text(),
      child.exited,
    ]);
    return { code, stdout, stderr };
  };
  return {
    root,
    home,
    env,
    paths: pathsOf(join(home, ".throughline")),
    command,
    run,
    dispose: async () => {
      await run("stop");
      rmSync(root, { recursive: true, force: true });
    },
  };
}

/** Puts a program called `claude` first on the home's PATH: a link to `program`. */
export function putClaude(cli: CliHome, program: string): void {
  const bin = join(cli.root, "bin");
  mkdirSync(bin);
  symlinkSync(program, join(bin, "claude"));
  cli.env.PATH = `${bin}:${cli.env.PATH}`;
}
