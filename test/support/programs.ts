/** Running the built programs as a host and its user would. */
import { join } from "node:path";
import { createClient, type WorkerStatus } from "../../src/api/client.ts";
import { waitUntilIdle } from "../../src/process/up.ts";
import { DIST } from "./built.ts";
import type { Place } from "./temp.ts";

export { DIST, ensureBuilt } from "./built.ts";

export const EVENTS = [
  "Setup",
  "SessionStart",
  "UserPromptSubmit",
  "PreToolUse",
  "PostToolUse",
  "PostToolUseFailure",
  "SubagentStop",
  "PreCompact",
  "PostCompact",
  "Stop",
  "StopFailure",
  "SessionEnd",
] as const;

export type Json = { [key: string]: unknown };

/** What a program of this place finds in its environment, and nothing more. */
export function envOf(place: Place, more: Record<string, string> = {}): Record<string, string> {
  return { PATH: "/usr/bin:/bin", HOME: place.home, CLAUDE_MEM_WORKER_PORT: "0", ...more };
}

/** Words that start a program of `dist` so that nothing of the current directory has a say. */
export function wordsFor(program: string, dist = DIST): string[] {
  return [
    process.execPath,
    "--no-env-file",
    `--config=${join(dist, "bunfig.toml")}`,
    join(dist, `${program}.js`),
  ];
}

export type HookOptions = {
  env?: Record<string, string>;
  cwd?: string;
  dist?: string;
  /** Ends the hook by SIGKILL after so long. */
  killAfterMs?: number;
  /** Runs it as this user. */
  uid?: number;
  runtime?: string;
};

export type HookRun = {
  exitCode: number | null;
  stdout: string;
  stderr: string;
  /** Standard output as JSON; `null` where it is empty or is none. */
  json: Json | null;
  /** `additionalContext` and `systemMessage`, "" where absent. */
  context: string;
  notice: string;
};

/** The fields every payload of Claude Code has, and those of the event. */
export function payloadFor(place: Place, event: string, fields: Json = {}): Json {
  return {
    session_id: "s1",
    transcript_path: join(place.root, "transcript.jsonl"),
    cwd: place.project,
    hook_event_name: event,
    ...fields,
  };
}

/** A tool call of `tool_name` Bash; another `id` is another call. */
export function toolPayload(place: Place, id: string, fields: Json = {}): Json {
  return payloadFor(place, "PostToolUse", {
    tool_name: "Bash",
    tool_input: { command: `echo ${id}` },
    tool_response: { stdout: `${id}\n`, stderr: "", interrupted: false },
    tool_use_id: `toolu_${id}`,
    ...fields,
  });
}

/** Runs the hook program for the event with the payload on its standard input. */
export async function runHook(
  place: Place,
  event: string,
  payload: Json | string | Uint8Array,
  options: HookOptions = {},
): Promise<HookRun> {
  const input =
    typeof payload === "string" || payload instanceof Uint8Array ? payload : JSON.stringify(payload);
  const [runtime = "", ...words] = wordsFor("hook", options.dist);
  const child = Bun.spawn([options.runtime ?? runtime, ...words, "claude-code", event], {
    env: envOf(place, options.env),
    cwd: options.cwd ?? place.project,
    stdin: Buffer.from(input),
    stdout: "pipe",
    stderr: "pipe",
    ...(options.uid === undefined ? {} : { uid: options.uid, gid: options.uid }),
  });
  const timer =
    options.killAfterMs === undefined ? null : setTimeout(() => child.kill("SIGKILL"), options.killAfterMs);
  const [stdout, stderr] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ]);
  if (timer) clearTimeout(timer);
  return { exitCode: child.exitCode, stdout, stderr, ...answerIn(stdout) };
}

function answerIn(stdout: string): Pick<HookRun, "json" | "context" | "notice"> {
  let json: Json | null = null;
  try {
    json = JSON.parse(stdout) as Json;
  } catch {
    // Said by `json` being null.
  }
  const output = (json?.hookSpecificOutput ?? {}) as Json;
  return { json, context: String(output.additionalContext ?? ""), notice: String(json?.systemMessage ?? "") };
}

/** Runs the work for each item, so many at a time; results in the items' order. */
export async function each<T, R>(
  items: readonly T[],
  work: (item: T) => Promise<R>,
  atOnce = 4,
): Promise<R[]> {
  const results: R[] = [];
  let next = 0;
  const lane = async () => {
    while (next < items.length) {
      const at = next;
      next += 1;
      results[at] = await work(items[at] as T);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, lane));
  return results;
}

export type WorkerProcess = {
  pid: number;
  exited: Promise<number>;
  /** SIGTERM; resolves when it is gone. */
  stop: () => Promise<number>;
  /** SIGKILL, as the machine would. */
  kill: () => Promise<number>;
};

/** Starts a worker as a child of the test and returns at once. */
export function spawnWorker(
  place: Place,
  options: { env?: Record<string, string>; dist?: string } = {},
): WorkerProcess {
  const child = Bun.spawn(wordsFor("worker", options.dist), {
    env: envOf(place, options.env),
    cwd: place.home,
    stdio: ["ignore", "ignore", "ignore"],
  });
  const end = (signal: "SIGTERM" | "SIGKILL") => {
    child.kill(signal);
    return child.exited;
  };
  return { pid: child.pid, exited: child.exited, stop: () => end("SIGTERM"), kill: () => end("SIGKILL") };
}

/** Starts a worker and waits until its store is open. */
export async function startWorker(
  place: Place,
  options: { env?: Record<string, string>; dist?: string } = {},
): Promise<WorkerProcess> {
  const worker = spawnWorker(place, options);
  await until(async () => {
    const status = await statusOf(place);
    return status?.ready === true && status.pid === worker.pid;
  }, "the worker is up");
  return worker;
}

/** What the place's worker says of itself; `null` where none answers. */
export function statusOf(place: Place): Promise<WorkerStatus | null> {
  return createClient(place.paths, 1_000)
    .status()
    .catch(() => null);
}

/** Waits until the worker has stored all of the spool (turns may still wait for their compression). */
export async function waitForStored(place: Place): Promise<void> {
  await until(async () => {
    const status = await statusOf(place);
    return status?.ready === true && status.spool === 0;
  }, "everything is stored");
}

/** Waits until nothing is left to store or to compress. */
export async function waitForIdle(place: Place): Promise<void> {
  if (await waitUntilIdle(place.paths, 30_000)) return;
  throw new Error(`The worker is not idle: ${JSON.stringify(await statusOf(place))}`);
}

/** Looks again and again until it holds. Throws where that takes half a minute. */
export async function until(holds: () => boolean | Promise<boolean>, what: string): Promise<void> {
  for (const end = Date.now() + 30_000; Date.now() < end; await Bun.sleep(20)) if (await holds()) return;
  throw new Error(`It never came that ${what}.`);
}
