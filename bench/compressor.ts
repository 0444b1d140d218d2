/** What the local compressor makes of recorded sessions: how much, how telling, how complete, how large, how fast. */
import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { compressTurn } from "../src/compress/job.ts";
import { compressLocally } from "../src/compress/local/compress.ts";
import type { SessionEvent } from "../src/core/event.ts";
import { SETTINGS } from "../src/env/settings.ts";
import { runDue } from "../src/queue/runner.ts";
import { ingest } from "../src/store/ingest.ts";
import { type Db, openStore } from "../src/store/open.ts";
import { atLeast, atMost, createReport, figure, type Report } from "./report.ts";
import { commitSubjects, dataFolder, eventsOf, recordedSessions, touchedFiles } from "./sessions.ts";
import { contentWords, GENERIC_RULE, isGeneric } from "./titles.ts";

/** What one session came to, by a compressor. */
type Made = { titles: string[]; words: string; files: Set<string> };
type Session = { calls: number; events: SessionEvent[]; touched: string[]; subjects: string[] };
type Run = { made: Made[]; ms: number; store: number; parts: Map<string, number> };

const BATCH = 500;
const DAY_MS = 86_400_000;

export async function benchCompressor(): Promise<Report> {
  const report = createReport("compressor");
  const data = dataFolder();
  if (!data) return report;
  const [touched, subjects] = [touchedFiles(data), commitSubjects(data)];
  const sessions = recordedSessions(data).map((recorded): Session => {
    const events = eventsOf(data, recorded).filter((event) => !isSkipped(event));
    return {
      events,
      calls: events.filter(isCall).length,
      touched: touched.get(recorded.id) ?? [],
      subjects: subjects.get(recorded.id) ?? [],
    };
  });
  const run = runThrough(sessions);
  reportOn(report, sessions, run);
  return report;
}

/** Calls that no hook keeps by default do not count. */
function isSkipped(event: SessionEvent): boolean {
  const skipped: readonly string[] = SETTINGS.CLAUDE_MEM_SKIP_TOOLS.default;
  return isCall(event) && skipped.includes(event.body.tool ?? "");
}

function isCall(event: SessionEvent): boolean {
  return event.kind === "tool" || event.kind === "tool_failure";
}

/** Session by session into one store: stored, then compressed, as the worker does. */
function runThrough(sessions: readonly Session[]): Run {
  const dir = mkdtempSync(join(tmpdir(), "bench-compressor-"));
  const path = join(dir, "store.sqlite");
  const db = openStore(path, join(dir, "backups"));
  try {
    const began = performance.now();
    for (const { events } of sessions) {
      const last = events.at(-1)?.at ?? 0;
      for (let from = 0; from < events.length; from += BATCH)
        ingest(db, events.slice(from, from + BATCH), { now: last, isAlive: () => false });
      compressDue(db, last + DAY_MS);
    }
    const ms = performance.now() - began;
    const made = sessions.map(({ events }) => madeOf(db, events[0]?.sessionId ?? ""));
    const parts = partsOf(db);
    db.run("pragma wal_checkpoint(truncate)");
    return { made, ms, store: statSync(path).size, parts };
  } finally {
    db.close();
    rmSync(dir, { recursive: true, force: true });
  }
}

function compressDue(db: Db, now: number): void {
  const parts = {
    db,
    owner: "bench",
    maxAttempts: 1,
    now: () => now,
    work: (job: Parameters<typeof compressTurn>[1]) => {
      if (job.kind === "compress") compressTurn(db, job, compressLocally);
    },
    onFailure: (_: unknown, why: string) => {
      throw new Error(`A turn could not be compressed: ${why}`);
    },
  };
  while (runDue(parts, 100) > 0);
}

function madeOf(db: Db, sessionId: string): Made {
  const rows = db
    .query(
      `select o.title, o.subtitle, o.narrative, o.facts, o.files_modified as files from observations o
       join sessions s on s.id = o.session_row where s.session_id = ?`,
    )
    .all(sessionId) as { title: string; subtitle: string; narrative: string; facts: string; files: string }[];
  return {
    titles: rows.map((row) => row.title),
    words: rows.map((row) => `${row.title} ${row.subtitle} ${row.narrative} ${row.facts}`).join("\n"),
    files: new Set(rows.flatMap((row) => JSON.parse(row.files) as string[])),
  };
}

/** Bytes of the store's pages by what they hold. */
function partsOf(db: Db): Map<string, number> {
  const parts = new Map<string, number>();
  const rows = db.query("select name, sum(pgsize) as bytes from dbstat group by name").all() as {
    name: string;
    bytes: number;
  }[];
  for (const { name, bytes } of rows) {
    const part =
      /^(?:sqlite_autoindex_)?(events|observation|summar|prompt|session|job|confirmed)/.exec(name)?.[1] ??
      "other";
    parts.set(part, (parts.get(part) ?? 0) + bytes);
  }
  return parts;
}

/** For comparison: an observation for every edit and every command that worked. */
function trivially({ events }: Session): Made {
  const made: Made = { titles: [], words: "", files: new Set() };
  for (const event of events) {
    const input = event.kind === "tool" ? (event.body.input as Record<string, unknown> | null) : null;
    const file = typeof input?.file_path === "string" ? input.file_path.replace(/^\/srv\/repo\//, "") : "";
    if (file !== "" && /^(?:Edit|MultiEdit|Write)$/.test(event.body.tool ?? "")) {
      made.titles.push(`Edited ${file}`);
      made.files.add(file);
    } else if (typeof input?.command === "string") made.titles.push(`\`${input.command.slice(0, 100)}\``);
  }
  return { ...made, words: made.titles.join("\n") };
}

function reportOn(report: Report, sessions: readonly Session[], run: Run): void {
  const trivial = sessions.map(trivially);
  const [ours, theirs] = [measure(sessions, run.made), measure(sessions, trivial)];
  const rows = (Object.keys(ours) as (keyof Measures)[]).map((name) => [name, ours[name], theirs[name]]);
  report.tables.push({
    title: `${sessions.length} sessions, ${sum(sessions.map((one) => one.calls))} tool calls`,
    head: ["", "local compressor", "one for every edit and command"],
    rows,
  });
  const count = run.made.reduce((all, one) => all + one.titles.length, 0);
  const events = sum(sessions.map((one) => one.events.length));
  report.tables.push({
    title: `the store, ${run.store} bytes in all`,
    head: ["part (with its indexes)", "KiB", "bytes an observation"],
    rows: [...run.parts]
      .sort((a, b) => b[1] - a[1])
      .map(([name, bytes]) => [name, bytes / 1_024, bytes / count]),
  });
  report.notes.push(GENERIC_RULE, TOUCHED_NOTE, SUBJECT_NOTE);
  atMost(report, "observations per tool call, mean of sessions", ours["observations per tool call"], 0.35);
  atMost(report, "generic titles", ours["generic titles"], 0.05);
  atLeast(report, "touched files listed as modified", ours["touched files listed"], 0.98);
  atLeast(report, "of those that a call of the session changes", ours["of those that a call changes"], 0.98);
  const own = sum([...run.parts].filter(([name]) => /^observation/.test(name)).map(([, bytes]) => bytes));
  atMost(report, "bytes an observation, its rows, links and indexes", own / count, 4_096);
  atMost(report, "bytes an observation, evidence and all", run.store / count, 4_096);
  atMost(report, "seconds per 1,000 events", run.ms / events, 1.5);
  figure(report, "words of commit subjects answered", ours["words of commit subjects answered"]);
  figure(report, "subjects answered by half", ours["subjects answered by half"]);
}

const TOUCHED_NOTE =
  "Touched files are those of the session's checkpoints, which also name what others' merges, subagents without a transcript, hand edits and other sessions changed; what no event names nobody could list. A call changes a file if it is an editing call that worked on it, or a shell command that worked, names its base name and holds a writing verb.";
const SUBJECT_NOTE =
  "Words of a commit's subject: three letters or more, names split at their humps, no stop words, no kind of commit, cut to six letters; answered if any observation of the session has them in title, subtitle, narrative or facts.";

type Measures = ReturnType<typeof measure>;

function measure(sessions: readonly Session[], made: readonly Made[]) {
  const pairs = sessions.flatMap((session, at) => {
    const one = made[at];
    return one ? [{ session, made: one }] : [];
  });
  const titles = made.flatMap((one) => one.titles);
  const working = pairs.filter(({ session }) => session.calls > 0);
  const files = pairs.flatMap(({ session, made: { files: listed } }) => {
    const said = session.touched.length > 0 ? JSON.stringify(session.events.map((event) => event.body)) : "";
    return session.touched.map((file) => ({
      found: listed.has(file),
      named: said.includes(file),
      shown: isChangedBy(session.events, file),
    }));
  });
  const subjects = pairs.flatMap(({ session, made: { words } }) => {
    const known = contentWords(words);
    return session.subjects.map((subject) => {
      const wanted = [...contentWords(subject)];
      return wanted.filter((word) => known.has(word)).length / Math.max(1, wanted.length);
    });
  });
  return {
    "observations per tool call": mean(
      working.map(({ session, made: { titles: own } }) => own.length / session.calls),
    ),
    "observations in all": titles.length,
    "generic titles": mean(titles.map((title) => Number(isGeneric(title)))),
    "touched files listed": mean(files.map(({ found }) => Number(found))),
    "touched files that any event names": mean(files.map(({ named }) => Number(named))),
    "of those that a call changes": mean(
      files.filter(({ shown }) => shown).map(({ found }) => Number(found)),
    ),
    "words of commit subjects answered": mean(subjects),
    "subjects answered by half": mean(subjects.map((share) => Number(share >= 0.5))),
  };
}

const WRITING =
  /\bsed -i|\bperl -\w*i|\b(?:mv|rm|cp|tee|apply_patch)\b|>\s*\S|\bgit (?:add|mv|rm|restore)\b|\b(?:gofmt|goimports|prettier)\b.*-(?:w|-write)/;

function isChangedBy(events: readonly SessionEvent[], file: string): boolean {
  const base = file.slice(file.lastIndexOf("/") + 1);
  return events.some(({ kind, body }) => {
    const input = kind === "tool" ? (body.input as Record<string, unknown> | null) : null;
    if (/^(?:Edit|MultiEdit|Write|NotebookEdit)$/.test(body.tool ?? ""))
      return typeof input?.file_path === "string" && input.file_path.endsWith(`/${file}`);
    return typeof input?.command === "string" && input.command.includes(base) && WRITING.test(input.command);
  });
}

function mean(values: readonly number[]): number {
  return values.length === 0 ? 0 : sum(values) / values.length;
}

function sum(values: readonly number[]): number {
  return values.reduce((all, one) => all + one, 0);
}
