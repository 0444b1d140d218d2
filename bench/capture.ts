/** Whether nothing is missed and nothing doubled when hooks fail and transcripts are late: real sessions, replayed. */
import { appendFileSync, mkdirSync, mkdtempSync, realpathSync, rmSync, utimesSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type HandlerParts, handle } from "../src/capture/handle.ts";
import { reconcileDue } from "../src/capture/reconcile.ts";
import { openLog } from "../src/env/log.ts";
import { type Paths, pathsOf } from "../src/env/paths.ts";
import { loadSettings } from "../src/env/settings.ts";
import { HOSTS } from "../src/hosts/index.ts";
import { createDrainer } from "../src/process/drain.ts";
import { recentCaptures } from "../src/store/captures.ts";
import { type Db, openStore } from "../src/store/open.ts";
import { wantTranscript } from "../src/store/transcripts.ts";
import { type Held, heldIn, type Replay, replayOf } from "./replay.ts";
import { atLeast, atMost, createReport, figure, type Report } from "./report.ts";
import { dataFolder, moved, recordedSessions, transcriptOf } from "./sessions.ts";

const SEED = 20_261_201;
/** Of the hook calls: so many are dropped, doubled or put in another order. */
const DISTURBED = 1 / 3;

type Disturbance = { calls: number; dropped: number; doubled: number; reordered: number };
type Tally = Disturbance & {
  expected: number;
  byHooks: number;
  captured: number;
  doubledRows: number;
  told: number;
};

export async function benchCapture(): Promise<Report> {
  const report = createReport("capture");
  const data = dataFolder();
  if (!data) return report;
  const root = realpathSync(mkdtempSync(join(tmpdir(), "bench-capture-")));
  try {
    const began = performance.now();
    const tally = replayAll(data, root);
    reportOn(report, tally, (performance.now() - began) / 1_000);
    return report;
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

function replayAll(data: string, root: string): Tally {
  const random = generator(SEED);
  const world = open(root);
  const held: Held = { tools: new Set(), prompts: new Set() };
  const tally: Tally = {
    calls: 0,
    dropped: 0,
    doubled: 0,
    reordered: 0,
    expected: 0,
    byHooks: 0,
    captured: 0,
    doubledRows: 0,
    told: 0,
  };
  recordedSessions(data).forEach((session, at) => {
    const folder = join(root, "config", "projects", at % 7 === 6 ? "-srv-repo-again" : "-srv-repo");
    mkdirSync(folder, { recursive: true });
    const text = moved(transcriptOf(data, session));
    const sessionId = replayOf(text, "", false).sessionId;
    const replay = replayOf(text, join(folder, `${sessionId}.jsonl`), at % 2 === 0);
    // A fork's transcript begins with the other session's history, for which no hook runs again.
    const isCopy = ({ id }: { id: string }) => held.tools.has(id) || held.prompts.has(id);
    replay.calls = replay.calls.filter((call) => !isCopy(call));
    remember(held, replay, world.skipped);
    play(world, replay, disturbed(replay, random, tally), random);
  });
  count(world.db, held, tally);
  world.db.close();
  return tally;
}

type World = ReturnType<typeof open>;

function open(root: string) {
  const paths: Paths = pathsOf(join(root, "data"));
  const db = openStore(paths.store, paths.backups);
  const settings = loadSettings(paths.settings, {}).values;
  const log = openLog({ dir: paths.logs, program: "worker", level: "error" });
  const host = HOSTS["claude-code"];
  if (!host) throw new Error("no host");
  const clock = { now: 0 };
  const env = {
    HOME: join(root, "home"),
    CLAUDE_CONFIG_DIR: join(root, "config"),
    CLAUDE_PROJECT_DIR: "/srv/repo",
  };
  const parts: HandlerParts = {
    host,
    paths,
    env,
    via: "mcp",
    hostPid: null,
    settings: () => settings,
    log: () => log,
    tell: () => "",
    lastSession: () => null,
    workerTrouble: () => null,
    guard: () => null,
    ensureWorker: () => undefined,
    now: () => clock.now,
  };
  const drainer = createDrainer(
    db,
    paths,
    log,
    () => undefined,
    () => true,
  );
  const options = { now: 0, isAlive: () => false };
  const work = (now: number) => {
    while (drainer.drainBatch() > 0);
    while (reconcileDue({ db, paths, env, settings, log, options: { ...options, now } }));
  };
  return { db, parts, clock, work, skipped: settings.CLAUDE_MEM_SKIP_TOOLS };
}

/**
 * Hooks in their disturbed order; the transcript grows beside them, cut in the middle of lines, or, for every third
 * session, appears only when all is over.
 */
function play(world: World, replay: Replay, calls: Replay["calls"], random: () => number): void {
  const path = String(replay.calls[0]?.payload.transcript_path);
  const text = `${replay.lines.join("\n")}\n`;
  const late = random() < 1 / 3;
  let written = 0;
  const write = (upTo: number) => {
    if (upTo <= written) return;
    appendFileSync(path, text.slice(written, upTo));
    written = upTo;
  };
  const ends: number[] = [];
  for (let end = 0; end >= 0; end = text.indexOf("\n", end + 1)) ends.push(end + 1);
  for (const call of calls) {
    world.clock.now = call.at + Math.floor(random() * 900);
    handle(world.parts, call.event, call.payload);
    if (call.event !== "Stop") continue;
    if (!late) write(Math.min(text.length, (ends[call.line] ?? 0) + Math.floor(random() * 300)));
    world.work(world.clock.now + 1_000);
  }
  world.work(world.clock.now + 1_000);
  write(text.length);
  // The next start in the project looks at what lies there.
  utimesSync(path, world.clock.now / 1_000, world.clock.now / 1_000);
  wantTranscript(world.db, { path, host: "claude-code", sessionId: replay.sessionId }, world.clock.now);
  world.work(world.clock.now + 2 * 3_600_000);
}

function disturbed(replay: Replay, random: () => number, tally: Tally): Replay["calls"] {
  const result: Replay["calls"] = [];
  for (const call of replay.calls) {
    tally.calls += 1;
    if (random() >= DISTURBED) {
      result.push(call);
      continue;
    }
    const way = Math.floor(random() * 3);
    if (way === 0) {
      tally.dropped += 1;
    } else if (way === 1) {
      tally.doubled += 1;
      result.push(call, call);
    } else {
      tally.reordered += 1;
      result.splice(Math.max(0, result.length - 1 - Math.floor(random() * 6)), 0, call);
    }
  }
  return result;
}

/** Once over all sessions: a fork repeats the records of the session it came from. */
function remember(held: Held, replay: Replay, skipped: readonly string[]): void {
  const more = heldIn(replay.lines, skipped);
  held.tools = held.tools.union(more.tools);
  held.prompts = held.prompts.union(more.prompts);
}

function count(db: Db, held: Held, tally: Tally): void {
  const calls = db
    .query("select tool_use_id as id, via from events where kind in ('tool', 'tool_failure')")
    .all() as { id: string; via: string }[];
  const prompts = db.query("select record_id as id, via from prompts").all() as { id: string; via: string }[];
  const stored = (rows: readonly { id: string }[], wanted: Set<string>) =>
    new Set(rows.map((row) => row.id)).intersection(wanted).size;
  tally.expected = held.tools.size + held.prompts.size;
  tally.captured = stored(calls, held.tools) + stored(prompts, held.prompts);
  tally.byHooks = [...calls, ...prompts].filter((row) => row.via !== "transcript").length;
  tally.doubledRows = calls.length + prompts.length - tally.captured;
  for (const capture of recentCaptures(db, 1_000)) tally.told += capture.captured;
}

function reportOn(report: Report, tally: Tally, seconds: number): void {
  const share = tally.captured / Math.max(1, tally.expected);
  report.tables.push({
    title: "real sessions, a third of their hook calls disturbed, transcripts late (seed 20261201)",
    head: ["", "count"],
    rows: [
      ["hook calls", tally.calls],
      ["dropped", tally.dropped],
      ["doubled", tally.doubled],
      ["reordered", tally.reordered],
      ["prompts and tool calls in the transcripts", tally.expected],
      ["of these delivered by hooks", tally.byHooks],
      ["of these in the store in the end", tally.captured],
      ["rows too many", tally.doubledRows],
      ["captured as `status` counts it", tally.told],
      ["seconds", seconds],
    ],
  });
  figure(report, "hooks alone / expected", tally.byHooks / Math.max(1, tally.expected));
  atLeast(report, "captured / expected", share, 1);
  atMost(report, "doubled", tally.doubledRows, 0);
  figure(report, "seconds", seconds);
}

/** Mulberry32, public domain: the same disturbances at every run. */
function generator(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
