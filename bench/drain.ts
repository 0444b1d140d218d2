/** How fast a full spool gets into the store, and whether a large store slows that or the start of a session. */
import { cpSync, existsSync } from "node:fs";
import { dirname } from "node:path";
import type { Paths } from "../src/env/paths.ts";
import { commandFor } from "../src/process/spawn.ts";
import { listSpool } from "../src/spool/drain.ts";
import { sizeOf } from "../src/store/size.ts";
import { fillEvents, fillObservations, fillSpool } from "./fill.ts";
import { interleave } from "./interleave.ts";
import { sessionStart } from "./payloads.ts";
import { timeOf } from "./program.ts";
import { atLeast, atMost, createReport, figure, type Report } from "./report.ts";
import { makeScratch, type Scratch } from "./scratch.ts";
import { median } from "./stats.ts";
import { settle, spawnWorker, startWorker } from "./worker-process.ts";

const SPOOL = 20_000;
const LARGE = 1_000_000;
const ROUNDS = 2;
const STARTS = 15;

type Drained = { perSecond: number; mean: number; settleMs: number };

export async function benchDrain(): Promise<Report> {
  const scratch = makeScratch("drain");
  try {
    const small = scratch.paths;
    const large = scratch.another("large");
    fillObservations(small, scratch.project, 10_000, 200);
    cpSync(dirname(small.store), dirname(large.store), { recursive: true });
    const before = performance.now();
    fillEvents(large, scratch.project, LARGE);
    // What a compressor would have made of so many.
    fillObservations(large, scratch.project, LARGE / 20, LARGE / 1_000, "older");
    const filledIn = (performance.now() - before) / 1_000;
    const drained = await interleave(ROUNDS, {
      small: (round) => drain(scratch, small, round),
      large: (round) => drain(scratch, large, round),
    });
    const starts = await startTimes(scratch, small, large);
    return reportOf(drained, starts, { small: sizeOf(small.store), large: sizeOf(large.store), filledIn });
  } finally {
    await scratch.dispose();
  }
}

/** Fills the spool, starts a worker on it and waits until the last file is gone. Counted from the worker's start. */
async function drain(scratch: Scratch, paths: Paths, round: number): Promise<Drained> {
  const { last, bytes } = fillSpool(paths, scratch.project, round * SPOOL, SPOOL);
  const before = performance.now();
  const worker = spawnWorker(scratch, paths);
  while (existsSync(last)) await Bun.sleep(2);
  const ms = performance.now() - before;
  if (listSpool(paths.spool).length > 0) throw new Error("The last event went before an older one.");
  await settle(paths);
  const settleMs = performance.now() - before - ms;
  await worker.stop();
  return { perSecond: (SPOOL / ms) * 1_000, mean: bytes / SPOOL, settleMs };
}

/** Times of a SessionStart hook with each store, both workers running. */
async function startTimes(scratch: Scratch, small: Paths, large: Paths): Promise<Record<string, number[]>> {
  const workers = [await startWorker(scratch, small), await startWorker(scratch, large)];
  const words = [...commandFor(scratch.programs, "hook"), "claude-code", "SessionStart"];
  const start = (paths: Paths) => async (round: number) => {
    const ms = await timeOf(words, {
      env: { ...scratch.env, CLAUDE_MEM_DATA_DIR: paths.data },
      cwd: scratch.project,
      input: sessionStart(`bench-start-${round}-${performance.now()}`, scratch.project),
    });
    await Bun.sleep(30);
    return ms;
  };
  const variants = { small: start(small), large: start(large) };
  await interleave(2, variants);
  const times = await interleave(STARTS, variants);
  for (const worker of workers) await worker.stop();
  return times;
}

function reportOf(
  drained: Record<string, Drained[]>,
  starts: Record<string, number[]>,
  store: { small: number; large: number; filledIn: number },
): Report {
  const report = createReport("drain");
  const rate = (name: string) => median((drained[name] ?? []).map((one) => one.perSecond));
  const settling = (name: string) => median((drained[name] ?? []).map((one) => one.settleMs));
  const start = (name: string) => median(starts[name] ?? []);
  const row = (label: string, name: "small" | "large") => [
    label,
    rate(name),
    settling(name),
    start(name),
    store[name] / 1e6,
  ];
  report.tables.push({
    title: `spool of ${SPOOL} events (mean ${Math.round(drained.small?.[0]?.mean ?? 0)} bytes), counted from the worker's start`,
    head: ["store", "events/s", "compressed after, ms", "SessionStart ms", "MB at the end"],
    rows: [row("10,000 observations", "small"), row(`60,000, and ${LARGE} events`, "large")],
  });
  report.notes.push(`The large store was filled in ${store.filledIn.toFixed(0)} s.`);
  atLeast(report, "events/s", rate("small"), 5_000);
  figure(report, "events/s, large store", rate("large"));
  atMost(report, "drain slower in a large store", rate("small") / rate("large"), 1.5);
  atMost(report, "SessionStart slower in a large store", start("large") / start("small"), 1.5);
  return report;
}
