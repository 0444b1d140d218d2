/** Filling stores and spools fast, with the shapes the product writes. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { SessionEvent } from "../src/core/event.ts";
import type { ObservationDraft } from "../src/core/observation.ts";
import type { Paths } from "../src/env/paths.ts";
import { replaceLocal } from "../src/store/observations.ts";
import { type Db, inTransaction, openStore } from "../src/store/open.ts";
import { upsertProject } from "../src/store/projects.ts";
import { insertPrompt } from "../src/store/prompts.ts";
import { endSession, touchSession } from "../src/store/sessions.ts";
import { replaceLocalSummary, replaceSessionSummary } from "../src/store/summaries.ts";
import { eventOf } from "./payloads.ts";
import { FILES } from "./scratch.ts";

const DAY_MS = 86_400_000;
const TYPES = ["bugfix", "feature", "refactor", "change", "discovery", "decision"];
const TURNS = 10;
/** Events of one session among those that `fillEvents` adds. */
const SESSION = 200;

/** Puts `count` observations of the project into the store, spread over `sessions` sessions of ten turns called `name`. */
export function fillObservations(
  paths: Paths,
  project: string,
  count: number,
  sessions: number,
  name = "past",
): void {
  const db = openStore(paths.store, paths.backups);
  const perTurn = Math.ceil(count / sessions / TURNS);
  inTransaction(db, () => {
    for (let session = 0; session < sessions; session += 1)
      for (let turn = 1; turn <= TURNS; turn += 1)
        fillTurn(db, project, { name, session, turn, sessions, perTurn });
  });
  db.run("pragma wal_checkpoint(truncate)");
  db.close();
}

type At = { name: string; session: number; turn: number; sessions: number; perTurn: number };

function fillTurn(db: Db, project: string, at: At): void {
  const time = Date.now() - ((at.sessions - at.session) / at.sessions) * 60 * DAY_MS + at.turn * 60_000;
  const prompt = {
    ...eventOf(0, project),
    at: Math.floor(time),
    sessionId: `${at.name}-${at.session}`,
    promptId: `${at.name}-${at.session}-${at.turn}`,
    key: `${at.name}:${at.session}:${at.turn}`,
  };
  const projectId = prompt.project ? upsertProject(db, prompt.project, prompt.at) : null;
  const { id } = touchSession(db, prompt, projectId);
  const promptNumber = insertPrompt(db, id, prompt).prompt.number;
  const turn = { sessionRow: id, projectId, promptNumber };
  replaceLocal(
    db,
    turn,
    Array.from({ length: at.perTurn }, (_, unit) => draftOf(at, unit, prompt.at)),
  );
  const summary = {
    request: `Make order ${at.session}/${at.turn} take the discount before the tax`,
    investigated: "Read how prices are made and where the ledger takes them",
    learned: "The ledger expects the discount before the tax",
    completed: `Changed the order of discount and tax for case ${at.turn}; the tests pass`,
    nextSteps: "",
    notes: "",
    filesRead: FILES.slice(0, 3),
    filesEdited: FILES.slice(3, 5),
    at: prompt.at,
  };
  replaceLocalSummary(db, turn, summary);
  replaceSessionSummary(db, turn, summary);
  endSession(db, id, prompt.at + 1_000, "other");
}

function draftOf(at: At, unit: number, time: number): ObservationDraft {
  const number = (at.session * TURNS + at.turn) * at.perTurn + unit;
  const file = FILES[number % FILES.length] ?? "";
  return {
    unit: `edit:${file}:${unit}`,
    type: TYPES[number % TYPES.length] ?? "change",
    title: `Discount ${number} is taken before the tax in ${file}`,
    subtitle: "priceOf, exported: order of discount and tax",
    narrative:
      "The ledger expects the discount before the tax, so both functions take it first; a test shows it.",
    facts: [
      `priceOf rounds after the tax (${number})`,
      "exported() takes no tax",
      `npm test -- case-${number} passes`,
    ],
    concepts: ["what-changed", "problem-solution"],
    filesRead: [file],
    filesModified: number % 3 === 0 ? [] : [file],
    origin: "tool",
    pinned: false,
    agentId: null,
    agentType: null,
    evidence: [],
    at: time,
  };
}

/**
 * Adds `count` events straight by SQL, ten a turn, two hundred a session. The bodies are those of `eventOf`, packed
 * once each for a few hundred of them: packing a million would only take long.
 */
export function fillEvents(paths: Paths, project: string, count: number): void {
  const db = openStore(paths.store, paths.backups);
  db.run("pragma synchronous = off");
  db.run("pragma wal_autocheckpoint = 100000");
  const bodies = Array.from({ length: 400 }, (_, index) => eventOf(index, project)).map((event) => ({
    ...event,
    packed: Bun.deflateSync(Buffer.from(JSON.stringify(event.body)), { level: 3 }),
  }));
  const first = eventOf(0, project);
  const projectId = first.project ? upsertProject(db, first.project, first.at) : null;
  for (let from = 0; from < count; from += 20_000) {
    inTransaction(db, () => {
      for (let index = from; index < Math.min(count, from + 20_000); index += SESSION) {
        const at = first.at - (count - index) * 1_000;
        const session = touchSession(db, { ...first, sessionId: `old-${index}`, at }, projectId);
        endSession(db, session.id, at + SESSION * 1_000, "other");
        for (let step = 0; step < SESSION; step += 1) {
          const event = bodies[(index + step) % bodies.length];
          if (event) addOld(db, session.id, { index, step, project, at: at + step * 1_000 }, event);
        }
      }
    });
  }
  db.run("pragma wal_checkpoint(truncate)");
  db.close();
}

type OldAt = { index: number; step: number; project: string; at: number };

function addOld(db: Db, sessionRow: number, old: OldAt, event: SessionEvent & { packed: Uint8Array }): void {
  const turn = Math.floor(old.step / 10) + 1;
  const promptId = `old-${old.index}-${turn}`;
  if (old.step % 10 === 0) {
    insertPrompt(db, sessionRow, { ...event, promptId, key: `old:${old.index}:${turn}`, at: old.at });
    return;
  }
  const key = `claude-code:old-${old.index}:tool:toolu_old_${old.index + old.step}`;
  db.query(
    `insert into events (session_row, prompt_number, prompt_id, key, kind, tool, cwd, via, body, created_at)
     values (?, ?, ?, ?, ?, ?, ?, 'hook', ?, ?)`,
  ).run(
    sessionRow,
    turn,
    promptId,
    key,
    event.kind,
    event.body.tool ?? null,
    old.project,
    event.packed,
    old.at,
  );
}

/** Puts the events `from` to `from + count` into the spool, without waiting for the disk. Answers the last file. */
export function fillSpool(
  paths: Paths,
  project: string,
  from: number,
  count: number,
): { last: string; bytes: number } {
  mkdirSync(paths.spool.new, { recursive: true, mode: 0o700 });
  mkdirSync(paths.spool.tmp, { recursive: true, mode: 0o700 });
  let last = "";
  let bytes = 0;
  for (let index = from; index < from + count; index += 1) {
    const text = JSON.stringify(eventOf(index, project));
    last = join(paths.spool.new, `${String(index).padStart(17, "0")}-000001-1.json`);
    writeFileSync(last, text, { mode: 0o600 });
    bytes += text.length;
  }
  return { last, bytes };
}
