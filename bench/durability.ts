/** Whether anything is lost or doubled when worker and hooks are killed at any moment. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Paths } from "../src/env/paths.ts";
import { commandFor } from "../src/process/spawn.ts";
import { listSpool, parseSpoolFile } from "../src/spool/drain.ts";
import { turnEvents } from "../src/store/events.ts";
import { openReadOnly } from "../src/store/open.ts";
import { postToolUse } from "./payloads.ts";
import { timeOf } from "./program.ts";
import { atLeast, atMost, createReport, figure, type Report } from "./report.ts";
import { makeScratch, type Scratch } from "./scratch.ts";
import { median, seededRandom } from "./stats.ts";
import { killRunning, settle, spawnWorker, startWorker } from "./worker-process.ts";

const EVENTS = 1_000;
const BY_HOOK = 100;
const WRITERS = 3;
const WORKER_KILLS = 20;
const HOOK_KILLS = 60;

export async function benchDurability(): Promise<Report> {
  const report = createReport("durability");
  const scratch = makeScratch("durability");
  try {
    await killWorkers(scratch, report);
    await killHooks(scratch, report);
    return report;
  } finally {
    await scratch.dispose();
  }
}

/** Events come in from several processes while the worker is killed again and again. */
async function killWorkers(scratch: Scratch, report: Report): Promise<void> {
  const { paths } = scratch;
  const random = seededRandom(Date.now());
  const writing = Promise.all([...writers(scratch), writeByHook(scratch)]);
  let isWriting = true;
  writing.finally(() => {
    isWriting = false;
  });
  let [duringWork, waiting] = [0, 0];
  for (let kill = 0; kill < WORKER_KILLS; kill += 1) {
    const worker = spawnWorker(scratch, paths);
    // A start takes some 30 ms: about a fifth of the kills hit it, the others the work.
    await Bun.sleep(random() * 160);
    await worker.kill();
    await killRunning(paths);
    if (isWriting) duringWork += 1;
    if (listSpool(paths.spool).length > 0) waiting += 1;
  }
  await writing;
  const worker = await startWorker(scratch, paths);
  await settle(paths);
  await worker.stop();
  tellKept(report, paths, { duringWork, waiting });
}

function tellKept(report: Report, paths: Paths, kills: { duringWork: number; waiting: number }): void {
  const stored = storedIds(paths);
  const wanted = Array.from({ length: EVENTS }, (_, number) => `numbered_${number}`);
  const lost = wanted.filter((id) => !stored.has(id)).length;
  const doubled = [...stored.values()].filter((times) => times > 1).length;
  report.tables.push({
    title: `${EVENTS} events (${BY_HOOK} by the hook program), worker killed ${WORKER_KILLS} times`,
    head: ["", "count"],
    rows: [
      ["kills while events still came in", kills.duringWork],
      ["kills with events waiting in the spool", kills.waiting],
      ["stored", stored.size],
      ["lost", lost],
      ["doubled", doubled],
      ["set aside as bad", countFiles(paths.spool.bad)],
    ],
  });
  figure(report, "stored", stored.size);
  figure(report, "kills with events waiting", kills.waiting);
  atMost(report, "lost", lost, 0);
  atMost(report, "doubled", doubled, 0);
}

function writers(scratch: Scratch): Promise<void>[] {
  const each = (EVENTS - BY_HOOK) / WRITERS;
  return Array.from({ length: WRITERS }, async (_, writer) => {
    const words = [scratch.paths.data, scratch.project, String(BY_HOOK + writer * each), String(each)];
    const program = join(import.meta.dir, "writer.ts");
    await timeOf([process.execPath, program, ...words], { env: scratch.env, cwd: scratch.root });
  });
}

async function writeByHook(scratch: Scratch): Promise<void> {
  for (let number = 0; number < BY_HOOK; number += 1) {
    const input = payloadFor(scratch, `numbered_${number}`, number);
    await timeOf(hookWords(scratch), { env: scratch.env, cwd: scratch.project, input });
  }
}

/** The hook program itself is killed somewhere between its start and its end. */
async function killHooks(scratch: Scratch, report: Report): Promise<void> {
  const paths = scratch.another("hooks");
  const env = { ...scratch.env, CLAUDE_MEM_DATA_DIR: paths.data };
  const whole: number[] = [];
  for (let run = 0; run < 9; run += 1) {
    const input = payloadFor(scratch, `warm_${run}`, run);
    whole.push(await timeOf(hookWords(scratch), { env, cwd: scratch.project, input }));
  }
  const acknowledged = await killEach(scratch, env, median(whole) * 1.3);
  const half = halfFiles(paths);
  const worker = await startWorker(scratch, paths);
  await settle(paths);
  await worker.stop();
  tellKilled(report, acknowledged, storedIds(paths), half, countFiles(paths.spool.tmp));
}

/** Starts the hooks one by one, each killed within `upToMs` of its start; answers whose said it was done. */
async function killEach(scratch: Scratch, env: Record<string, string>, upToMs: number): Promise<Set<string>> {
  const random = seededRandom(Date.now() + 1);
  const acknowledged = new Set<string>();
  for (let run = 0; run < HOOK_KILLS; run += 1) {
    const id = `killed_${run}`;
    const child = Bun.spawn(hookWords(scratch), {
      env,
      cwd: scratch.project,
      stdin: Buffer.from(payloadFor(scratch, id, run)),
      stdout: "pipe",
      stderr: "ignore",
    });
    // Up to a little past the usual end, so that some come through.
    await Bun.sleep(random() * upToMs);
    child.kill("SIGKILL");
    await child.exited;
    const output = await new Response(child.stdout).text();
    if (child.exitCode === 0 || output !== "") acknowledged.add(id);
  }
  return acknowledged;
}

function tellKilled(
  report: Report,
  acknowledged: Set<string>,
  stored: Map<string, number>,
  half: number,
  leftBehind: number,
): void {
  const killed = Array.from({ length: HOOK_KILLS }, (_, run) => `killed_${run}`);
  const silent = killed.filter((id) => !acknowledged.has(id));
  const lost = [...acknowledged].filter((id) => !stored.has(id)).length;
  const unsaid = silent.filter((id) => stored.has(id)).length;
  report.tables.push({
    title: `${HOOK_KILLS} hook programs killed between start and end`,
    head: ["", "count"],
    rows: [
      ["acknowledged", acknowledged.size],
      ["acknowledged but not stored", lost],
      ["stored without a word", unsaid],
      ["absent, and never acknowledged", silent.length - unsaid],
      ["half files in spool/new", half],
      ["left in spool/tmp", leftBehind],
    ],
  });
  figure(report, "stored without a word", unsaid);
  atLeast(report, "acknowledged", acknowledged.size, 1);
  atMost(report, "acknowledged but not stored", lost, 0);
  atMost(report, "half files", half, 0);
}

function hookWords(scratch: Scratch): string[] {
  return [...commandFor(scratch.programs, "hook"), "claude-code", "PostToolUse"];
}

function payloadFor(scratch: Scratch, id: string, call: number): string {
  const payload = JSON.parse(
    postToolUse({ sessionId: "numbered", cwd: scratch.project, call, bytes: 2_000 }),
  );
  return JSON.stringify({ ...payload, tool_use_id: id });
}

/** How often each tool call is in the store, counted by what its body says, not by its key. */
function storedIds(paths: Paths): Map<string, number> {
  const counts = new Map<string, number>();
  const db = openReadOnly(paths.store);
  if (!db) return counts;
  const turns = db.query("select distinct session_row as s, prompt_number as n from events").all() as {
    s: number;
    n: number;
  }[];
  for (const { s, n } of turns) {
    for (const { body } of turnEvents(db, s, n)) {
      if (body.toolUseId) counts.set(body.toolUseId, (counts.get(body.toolUseId) ?? 0) + 1);
    }
  }
  db.close();
  return counts;
}

function halfFiles(paths: Paths): number {
  return listSpool(paths.spool).filter(
    (name) => parseSpoolFile(readFileSync(join(paths.spool.new, name), "utf8")) === null,
  ).length;
}

function countFiles(dir: string): number {
  try {
    return readdirSync(dir).length;
  } catch {
    return 0;
  }
}
