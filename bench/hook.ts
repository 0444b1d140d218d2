/** How long the host waits for the hook program, beside what starting any program costs on this machine. */
import { cpSync, existsSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { scrubbed } from "../src/hosts/claude-code/manifest.ts";
import { commandFor } from "../src/process/spawn.ts";
import { fillObservations } from "./fill.ts";
import { interleave } from "./interleave.ts";
import { postToolUse, sessionStart } from "./payloads.ts";
import { runTimed, timeOf } from "./program.ts";
import { atMost, createReport, figure, type Report } from "./report.ts";
import { makeScratch, type Scratch, withoutWorker } from "./scratch.ts";
import { median, percentile } from "./stats.ts";
import { startWorker } from "./worker-process.ts";

const RUNS = 30;
const OBSERVATIONS = 10_000;
const SESSIONS = 200;
/** Between two runs, for what the worker does with the event of the last one. */
const PAUSE_MS = 20;

export async function benchHook(): Promise<Report> {
  const scratch = makeScratch("hook");
  try {
    fillObservations(scratch.paths, scratch.project, OBSERVATIONS, SESSIONS);
    const down = scratch.another("down");
    cpSync(dirname(scratch.paths.store), dirname(down.store), { recursive: true });
    const worker = await startWorker(scratch, scratch.paths);
    const variants = withPauses(variantsOf(scratch, down.data));
    await checkContext(scratch);
    await interleave(3, variants);
    const times = await interleave(RUNS, variants);
    await worker.stop();
    return reportOf(times);
  } finally {
    await scratch.dispose();
  }
}

type Variant = (round: number) => Promise<number>;

function variantsOf(scratch: Scratch, downData: string): Record<string, Variant> {
  const { programs, project, env } = scratch;
  const bun = commandFor(programs, "hook").slice(0, -1);
  const hook = (event: string, dir = programs.dir) => [
    ...commandFor({ ...programs, dir }, "hook"),
    "claude-code",
    event,
  ];
  const plain = { env, cwd: project };
  const broken = withoutWorker(programs, join(scratch.root, "broken"));
  const downEnv = { ...env, CLAUDE_MEM_DATA_DIR: downData };
  let call = 0;
  const post = (bytes: number) => {
    call += 1;
    return postToolUse({ sessionId: "bench", cwd: project, call, bytes });
  };
  const started = (round: number) => sessionStart(`bench-start-${round}-${performance.now()}`, project);
  const envProgram = existsSync("/usr/bin/env") ? "/usr/bin/env" : null;
  return {
    "/bin/true": () => timeOf(["/bin/true"], plain),
    empty: () => timeOf([...bun, join(programs.dir, "empty.js")], plain),
    "node -e 0": () => timeOf(["node", "-e", "0"], plain),
    "PostToolUse 2 KB": () => timeOf(hook("PostToolUse"), { ...plain, input: post(2_000) }),
    "PostToolUse 2 KB, as installed": () =>
      timeOf(scrubbed(hook("PostToolUse"), envProgram), { ...plain, input: post(2_000) }),
    "PostToolUse 200 KB": () => timeOf(hook("PostToolUse"), { ...plain, input: post(200_000) }),
    SessionStart: (round: number) => timeOf(hook("SessionStart"), { ...plain, input: started(round) }),
    "SessionStart, worker down": (round: number) => {
      // Without its mark every start tries to bring the worker up anew, which is the dearest case.
      rmSync(join(downData, "state", "worker.starting"), { force: true });
      const options = { env: downEnv, cwd: project, input: started(round) };
      return timeOf(hook("SessionStart", broken.dir), options);
    },
  };
}

/** A pause after every run, whatever it was, so that all of them start on a machine at rest. */
function withPauses(variants: Readonly<Record<string, Variant>>): Record<string, Variant> {
  const paused = (variant: Variant) => async (round: number) => {
    const ms = await variant(round);
    await Bun.sleep(PAUSE_MS);
    return ms;
  };
  return Object.fromEntries(Object.entries(variants).map(([name, variant]) => [name, paused(variant)]));
}

/** A start that tells nothing would be fast for the wrong reason. */
async function checkContext(scratch: Scratch): Promise<void> {
  const words = [...commandFor(scratch.programs, "hook"), "claude-code", "SessionStart"];
  const input = sessionStart("bench-check", scratch.project);
  const run = await runTimed(words, { env: scratch.env, cwd: scratch.project, input });
  if (!run.output.includes("is taken before the tax"))
    throw new Error("SessionStart told nothing of the store.");
}

function reportOf(times: Record<string, number[]>): Report {
  const report = createReport("hook");
  const of = (name: string) => median(times[name] ?? []);
  const [empty, node] = [of("empty"), of("node -e 0")];
  report.tables.push({
    title: `whole process, ms, ${RUNS} interleaved runs; SessionStart with ${OBSERVATIONS} observations`,
    head: ["program", "median", "p10", "p90", "x empty", "x node"],
    rows: Object.entries(times).map(([name, values]) => [
      name,
      median(values),
      percentile(values, 0.1),
      percentile(values, 0.9),
      median(values) / empty,
      median(values) / node,
    ]),
  });
  for (const name of Object.keys(times)) figure(report, `${name} ms`, of(name));
  for (const name of ["PostToolUse 2 KB", "PostToolUse 200 KB"]) {
    atMost(report, `${name} / empty`, of(name) / empty, 1.8);
    atMost(report, `${name} / node`, of(name) / node, 0.5);
  }
  atMost(report, "SessionStart / empty", of("SessionStart") / empty, 2.5);
  figure(report, "SessionStart, worker down / empty", of("SessionStart, worker down") / empty);
  return report;
}
