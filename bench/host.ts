/** What the plugin costs inside the real Claude Code: each tool call, a prompt, a start, a whole run. */
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { commandFor } from "../src/process/spawn.ts";
import { openReadOnly } from "../src/store/open.ts";
import { type FakeApi, startFakeApi } from "../test/e2e/driver/fake-api.ts";
import { createHostHome, type HostHome } from "../test/e2e/driver/host.ts";
import { runPrint } from "../test/e2e/driver/print.ts";
import { marker, type Step } from "../test/e2e/driver/script.ts";
import { fillObservations } from "./fill.ts";
import { writeCommandHook, writeOurs } from "./host-plugins.ts";
import { type SessionTimes, timeSession } from "./host-session.ts";
import { interleave } from "./interleave.ts";
import { atLeast, atMost, createReport, figure, type Report } from "./report.ts";
import { makeScratch, type Scratch, withoutWorker } from "./scratch.ts";
import { median, percentile } from "./stats.ts";
import { settle, startWorker } from "./worker-process.ts";

/** Of each kind in a session: calls with a small payload (Write) and with a file in it (Read). */
const CALLS = 30;
/** The first calls of a session pay for what the host loads late. */
const DROPPED = 3;
const PROMPTS = 4;
const ROUNDS = 7;
const WHOLE_ROUNDS = 7;

/** Directories of the plugins; `down` is ours with a worker that cannot be started. */
type Plugins = Record<"ours" | "sh" | "bun" | "down", string>;

export async function benchHost(): Promise<Report> {
  const scratch = makeScratch("host");
  const api = await startFakeApi();
  const home = createHostHome({ apiUrl: api.url, env: { CLAUDE_MEM_WORKER_PORT: "0" } });
  try {
    const plugins = writePlugins(scratch, home);
    writeScripts(api, home);
    const worker = await startWorker(scratch, scratch.paths);
    await timeSession(api, home, { pluginDir: plugins.ours, script: "four", prompts: 1 });
    const sessions = await sessionTimes(api, home, plugins);
    const whole = await wholeTimes(home, plugins);
    await settle(scratch.paths);
    await worker.stop();
    return reportOf(sessions, whole, keptShare(scratch));
  } finally {
    await home.dispose();
    await scratch.dispose();
    await api.stop();
  }
}

function writePlugins(scratch: Scratch, home: HostHome): Plugins {
  const down = scratch.another("down");
  for (const paths of [scratch.paths, down]) fillObservations(paths, home.projectDir, 10_000, 200);
  return {
    ours: writeOurs(join(home.root, "ours"), scratch.programs, scratch.paths),
    down: writeOurs(
      join(home.root, "down"),
      withoutWorker(scratch.programs, join(scratch.root, "broken")),
      down,
    ),
    sh: writeCommandHook(join(home.root, "sh"), "empty-sh", ["/bin/sh", "-c", "cat >/dev/null"]),
    bun: writeCommandHook(join(home.root, "bun"), "empty-bun", [
      ...commandFor(scratch.programs, "hook").slice(0, -1),
      join(scratch.programs.dir, "empty.js"),
    ]),
  };
}

function writeScripts(api: FakeApi, home: HostHome): void {
  const reads: Step[] = Array.from({ length: CALLS }, (_, at) => {
    const file = join(home.projectDir, `file-${at}.ts`);
    writeFileSync(file, `export const at${at} = ${at};\n`.repeat(70));
    return { tool: "Read", input: { file_path: file } };
  });
  const writes: Step[] = Array.from({ length: CALLS }, (_, at) => ({
    tool: "Write",
    input: {
      file_path: join(home.projectDir, "written", `${at}.ts`),
      content: `export const at${at} = ${at};\n`,
    },
  }));
  api.script("calls", [...reads, ...writes, { text: "All done." }]);
  api.script("four", [...reads.slice(0, 4), { text: "Four read." }]);
  api.script("words", [{ text: "It is as before." }]);
}

function sessionTimes(api: FakeApi, home: HostHome, plugins: Plugins) {
  const with_ = (pluginDir: string | undefined) => () => {
    // The host refuses to write over a file that the session has not read.
    rmSync(join(home.projectDir, "written"), { recursive: true, force: true });
    return timeSession(api, home, { pluginDir, script: "calls", prompts: PROMPTS });
  };
  return interleave(ROUNDS, {
    none: with_(undefined),
    ours: with_(plugins.ours),
    sh: with_(plugins.sh),
    bun: with_(plugins.bun),
  });
}

function wholeTimes(home: HostHome, plugins: Plugins) {
  const with_ = (pluginDir: string | undefined) => async () => {
    const before = performance.now();
    const plugin = pluginDir === undefined ? {} : { pluginDir };
    const run = await runPrint(home, { prompt: `Read four. ${marker("four")}`, ...plugin });
    if (run.result?.result !== "Four read.")
      throw new Error(`claude -p went wrong: ${run.stderr || run.stdout}`);
    return performance.now() - before;
  };
  return interleave(WHOLE_ROUNDS, {
    none: with_(undefined),
    ours: with_(plugins.ours),
    down: with_(plugins.down),
  });
}

/** Which share of the tool calls of the sessions with our plugin is in the store: not to keep them would be fast. */
function keptShare(scratch: Scratch): number {
  const db = openReadOnly(scratch.paths.store);
  if (!db) return 0;
  const row = db.query("select count(*) as n from events where kind = 'tool'").get() as { n: number };
  db.close();
  return row.n / (ROUNDS * 2 * CALLS + (WHOLE_ROUNDS + 1) * 4);
}

type Pick = (times: SessionTimes) => number[];

const readTimes: Pick = (times) => times.toolMs.slice(DROPPED, CALLS);
const writeTimes: Pick = (times) => times.toolMs.slice(CALLS + DROPPED);
const promptTimes: Pick = (times) => times.promptMs;
const startTimes: Pick = (times) => [times.startMs];

function reportOf(
  sessions: Record<string, SessionTimes[]>,
  whole: Record<string, number[]>,
  kept: number,
): Report {
  const report = createReport("host");
  const tools = tell(report, sessions, writeTimes, "tool call", "tool call (Write) to next request");
  tell(report, sessions, readTimes, "read", "Read to next request");
  tell(report, sessions, promptTimes, "prompt", "further prompt to its request");
  tell(report, sessions, startTimes, "start", "start of the program to first request");
  const wholeOf = (name: string) => median(whole[name] ?? []);
  report.tables.push({
    title: "whole `claude -p` with four tool calls, ms",
    head: ["plugin", "median", "x none"],
    rows: Object.keys(whole).map((name) => [name, wholeOf(name), wholeOf(name) / wholeOf("none")]),
  });
  report.notes.push(`${CALLS} calls of each kind in a session, the first ${DROPPED} dropped.`);
  atMost(report, "tool call, ours / sh", (tools.ours ?? Number.NaN) / (tools.sh ?? Number.NaN), 0.5);
  atMost(report, "whole run, with plugin / without", wholeOf("ours") / wholeOf("none"), 1.35);
  atMost(report, "whole run, worker down / without", wholeOf("down") / wholeOf("none"), 1.35);
  atLeast(report, "share of tool calls kept", kept, 1);
  return report;
}

/** One table and its figures; answers what each plugin adds, the median over the rounds. */
function tell(
  report: Report,
  sessions: Record<string, SessionTimes[]>,
  pick: Pick,
  label: string,
  title: string,
): Record<string, number> {
  const values = Object.entries(sessions).map(([name, runs]) => [name, runs.flatMap(pick)] as const);
  const without = sessions.none ?? [];
  // Against the run without a plugin of the same round: both had the same minute of the machine.
  const added = Object.fromEntries(
    Object.entries(sessions).map(([name, runs]) => [
      name,
      median(
        runs.map((run, round) => median(pick(run)) - median(without[round] ? pick(without[round]) : [])),
      ),
    ]),
  );
  report.tables.push({
    title: `${title}, ms`,
    head: ["plugin", "median", "p10", "p90", "added", "values"],
    rows: values.map(([name, times]) => [
      name,
      median(times),
      percentile(times, 0.1),
      percentile(times, 0.9),
      added[name] ?? Number.NaN,
      String(times.length),
    ]),
  });
  figure(report, `${label} without plugin ms`, median(without.flatMap(pick)));
  for (const [name, ms] of Object.entries(added))
    if (name !== "none") figure(report, `${label}, added by ${name} ms`, ms);
  return added;
}
