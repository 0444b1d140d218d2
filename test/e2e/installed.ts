/** A made-up user with Throughline installed into their Claude Code by the real `install`. */
import { Database } from "bun:sqlite";
import { copyFileSync, existsSync, linkSync, mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { createClient } from "../../src/api/client.ts";
import { type Paths, pathsOf } from "../../src/env/paths.ts";
import { waitUntilIdle } from "../../src/process/up.ts";
import { DIST, ensureBuilt } from "../support/built.ts";
import { createHostHome, type HostHome } from "./driver/host.ts";

export { DIST };
export type Installed = HostHome & { paths: Paths };

/** Runs the CLI from `dist` as this user. Throws with its words when it fails. */
export async function cli(home: HostHome, words: string[], dist = DIST): Promise<string> {
  const child = Bun.spawn(
    [
      process.execPath,
      "--no-env-file",
      `--config=${join(dist, "bunfig.toml")}`,
      join(dist, "cli.js"),
      ...words,
    ],
    { env: home.env, cwd: home.homeDir, stdin: "ignore", stdout: "pipe", stderr: "pipe" },
  );
  const [stdout, stderr, code] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ]);
  if (code !== 0) throw new Error(`throughline ${words.join(" ")} exits with ${code}: ${stdout}${stderr}`);
  return stdout;
}

/** A home whose PATH has the host's program, with Throughline installed. */
export async function installedHome(
  apiUrl: string,
  options: { env?: Record<string, string>; words?: string[] } = {},
): Promise<Installed> {
  await ensureBuilt();
  const home = createHostHome({
    apiUrl,
    env: { CLAUDE_MEM_WORKER_PORT: "0", CLAUDE_MEM_LOG_LEVEL: "debug", ...options.env },
  });
  const bin = join(home.root, "bin");
  mkdirSync(bin);
  const program = join(bin, "claude");
  try {
    linkSync(home.claude, program);
  } catch {
    copyFileSync(home.claude, program);
  }
  home.claude = program;
  home.env.PATH = `${bin}:${home.env.PATH}`;
  mkdirSync(join(home.projectDir, ".git"));
  await cli(home, ["install", ...(options.words ?? [])]);
  return Object.assign(home, {
    paths: pathsOf(home.env.CLAUDE_MEM_DATA_DIR || join(home.homeDir, ".throughline")),
  });
}

/** Waits until the worker has nothing left to do. */
export async function settled(home: Installed): Promise<void> {
  if (await waitUntilIdle(home.paths, 20_000)) return;
  const status = await createClient(home.paths)
    .status()
    .catch((error) => error);
  throw new Error(`The worker is not idle: ${JSON.stringify(status)}`);
}

export type EventRow = {
  kind: string;
  tool: string | null;
  via: string;
  key: string;
  agent_id: string | null;
};

/** Every event in the store, in order; [] where there is no store. */
export function storedEvents(home: Installed): EventRow[] {
  if (!existsSync(home.paths.store)) return [];
  const db = new Database(home.paths.store, { readonly: true });
  try {
    return db.query("select kind, tool, via, key, agent_id from events order by id").all() as EventRow[];
  } finally {
    db.close();
  }
}

export function waiting(home: Installed): number {
  return existsSync(home.paths.spool.new) ? readdirSync(home.paths.spool.new).length : 0;
}

/** How often each kind of event, or each tool of a tool event, is in the store. */
export function tally(events: EventRow[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const event of events) {
    const name = event.tool ? `${event.kind} ${event.tool}` : event.kind;
    counts[name] = (counts[name] ?? 0) + 1;
  }
  return counts;
}
