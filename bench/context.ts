/** What comes beside a prompt and beside a read: whether it bears on the work, and how long it keeps the host waiting. */
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { LOOKED_AT, toldOf } from "../src/context/file.ts";
import { commandFor } from "../src/process/spawn.ts";
import { recallFor } from "../src/search/recall.ts";
import { notesOfFile } from "../src/store/file-notes.ts";
import type { Db } from "../src/store/open.ts";
import { fillObservations } from "./fill.ts";
import { replay } from "./injection-replay.ts";
import { interleave } from "./interleave.ts";
import { atLeast, atMost, createReport, figure, type Report } from "./report.ts";
import { FILES, makeScratch } from "./scratch.ts";
import {
  dataFolder,
  eventsOf,
  PROJECT,
  type RecordedSession,
  recordedSessions,
  touchedFiles,
} from "./sessions.ts";
import { median, percentile } from "./stats.ts";
import { startWorker } from "./worker-process.ts";

const ROUNDS = 40;
const LIMIT = 5;

export async function benchContext(): Promise<Report> {
  const report = createReport("context");
  const data = dataFolder();
  if (data) relevance(report, data);
  await waiting(report);
  return report;
}

type Told = {
  prompts: number;
  told: number;
  wrong: number;
  items: number;
  turn: number;
  session: number;
  ms: number[];
};

function relevance(report: Report, data: string): void {
  const sessions = recordedSessions(data);
  const told: Told = { prompts: 0, told: 0, wrong: 0, items: 0, turn: 0, session: 0, ms: [] };
  const files = { asked: 0, shares: [] as number[] };
  const touchedBy = touchedFiles(data);
  const earlier = new Map<string, Set<string>>();
  replay(data, ({ db, number, now }) => {
    const session = sessions[number - 1];
    if (!session) return;
    askPrompts(db, data, session, now, told);
    askFiles(db, touchedBy.get(session.id) ?? [], earlier, files);
    for (const file of touchedBy.get(session.id) ?? [])
      earlier.set(file, (earlier.get(file) ?? new Set()).add(session.id));
  });
  const whole = files.shares.filter((share) => share === 1).length / Math.max(1, files.shares.length);
  report.tables.push({
    title: "memories beside prompts; right: it names a file that the turn (the session) worked on",
    head: [
      "prompts",
      "told",
      "told and wrong for the turn",
      "memories",
      "right for the turn",
      "for the session",
    ],
    rows: [
      [told.prompts, told.told, told.wrong, told.items, told.turn / told.items, told.session / told.items],
    ],
  });
  report.tables.push({
    title:
      "histories beside reads: of the earlier sessions that list the file as worked on (15 or fewer), those shown",
    head: ["files asked", "mean share", "all shown"],
    rows: [[files.asked, files.shares.reduce((sum, share) => sum + share, 0) / files.shares.length, whole]],
  });
  atLeast(report, "silent / wrong", (told.prompts - told.told) / Math.max(1, told.wrong), 1);
  figure(report, "right for the turn", told.turn / told.items);
  figure(report, "right for the session", told.session / told.items);
  figure(report, "recall ms p95", percentile(told.ms, 0.95));
  atLeast(report, "file histories with every session", whole, 1);
}

function askPrompts(db: Db, data: string, session: RecordedSession, now: number, told: Told): void {
  const turns = turnsOf(data, session);
  const all = new Set(turns.flatMap(({ files }) => [...files]));
  const shown = new Set<number>();
  for (const { prompt, files } of turns) {
    told.prompts += 1;
    const before = performance.now();
    const ids = recallFor(db, { prompt, project: 1, exclude: shown, limit: LIMIT, now });
    told.ms.push(performance.now() - before);
    for (const id of ids) shown.add(id);
    if (ids.length === 0) continue;
    told.told += 1;
    const named = ids.map((id) => filesOf(db, id)).filter((list) => list.length > 0);
    if (files.size === 0 || named.length === 0) continue;
    const right = named.filter((list) => list.some((file) => files.has(file))).length;
    told.items += named.length;
    told.turn += right;
    told.session += named.filter((list) => list.some((file) => all.has(file))).length;
    if (right === 0) told.wrong += 1;
  }
}

function turnsOf(data: string, session: RecordedSession): { prompt: string; files: Set<string> }[] {
  const turns = new Map<string, { prompt: string; files: Set<string> }>();
  for (const { kind, promptId, body } of eventsOf(data, session)) {
    const turn = turns.get(promptId ?? "") ?? { prompt: "", files: new Set<string>() };
    turns.set(promptId ?? "", turn);
    if (kind === "prompt") turn.prompt ||= body.prompt ?? "";
    const input = body.input as { file_path?: unknown; path?: unknown } | null | undefined;
    const path = input?.file_path ?? input?.path;
    if (kind === "tool" && typeof path === "string") turn.files.add(path.replace(`${PROJECT.root}/`, ""));
  }
  return [...turns.values()];
}

function filesOf(db: Db, id: number): string[] {
  const rows = db.query("select path from observation_files where observation_id = ?").values(id) as [
    string,
  ][];
  return rows.map(([path]) => path);
}

/** For every file of the session: of the earlier sessions whose observations have it, how many are in what is told. */
function askFiles(
  db: Db,
  touched: readonly string[],
  earlier: ReadonlyMap<string, Set<string>>,
  files: { asked: number; shares: number[] },
): void {
  for (const file of touched) {
    const worked = earlier.get(file);
    if (!worked) continue;
    files.asked += 1;
    const notes = notesOfFile(db, 1, [file], LOOKED_AT);
    const rows = db.query("select id, session_id as name from sessions").all() as {
      id: number;
      name: string;
    }[];
    const names = new Map(rows.map((row) => [row.id, row.name]));
    const nameOf = (row: number | null) => names.get(row ?? 0) ?? "";
    const known = new Set(notes.map((note) => nameOf(note.sessionRowId)).filter((name) => worked.has(name)));
    if (known.size === 0 || known.size > 15) continue;
    const told = new Set(toldOf(notes).map((note) => nameOf(note.sessionRowId)));
    files.shares.push([...known].filter((name) => told.has(name)).length / known.size);
  }
}

/** Through the MCP server as the host calls it, the worker running: what a prompt and a read wait beside an event that asks nothing. */
async function waiting(report: Report): Promise<void> {
  const scratch = makeScratch("context");
  try {
    fillObservations(scratch.paths, scratch.project, 10_000, 200);
    const worker = await startWorker(scratch, scratch.paths);
    const [command = "", ...args] = [...commandFor(scratch.programs, "mcp"), "claude-code"];
    const client = new Client({ name: "bench", version: "1.0.0" });
    const env = { ...scratch.env, CLAUDE_PROJECT_DIR: scratch.project };
    await client.connect(new StdioClientTransport({ command, args, cwd: scratch.project, env }));
    let call = 0;
    const hook = (event: string, fields: Record<string, unknown>) => async (): Promise<number> => {
      call += 1;
      const base = { session_id: `bench-${call}`, cwd: scratch.project, hook_event_name: event };
      const before = performance.now();
      await client.callTool({ name: "hook", arguments: { ...base, ...fields } });
      return performance.now() - before;
    };
    const prompt = `Take the discount of ${FILES[42]} before the tax`;
    const times = await interleave(ROUNDS, {
      nothing: hook("Nothing", {}),
      stored: hook("UserPromptSubmit", { prompt: "thanks" }),
      prompt: hook("UserPromptSubmit", { prompt }),
      read: hook("PreToolUse", { tool_name: "Read", tool_input: { file_path: FILES[42] } }),
    });
    await client.close();
    await worker.stop();
    const names = ["nothing", "stored", "prompt", "read"] as const;
    report.tables.push({
      title: `ms through the MCP server, ${ROUNDS} rounds, 10,000 observations`,
      head: ["event", "median", "p90"],
      rows: names.map((name) => [name, median(times[name] ?? []), percentile(times[name] ?? [], 0.9)]),
    });
    const added = (name: "prompt" | "read", to: "nothing" | "stored") =>
      median(times[name] ?? []) - median(times[to] ?? []);
    atMost(report, "a prompt waits longer by, ms", added("prompt", "stored"), 60);
    atMost(report, "a read waits longer by, ms", added("read", "nothing"), 50);
  } finally {
    await scratch.dispose();
  }
}
