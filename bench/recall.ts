/** Conversations put into a store as the product keeps them, and what is found of them. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ObservationDraft } from "../src/core/observation.ts";
import type { SearchResult } from "../src/search/request.ts";
import { indexPending } from "../src/store/fulltext.ts";
import { ingest } from "../src/store/ingest.ts";
import { replaceLocal } from "../src/store/observations.ts";
import { type Db, inTransaction, openStore } from "../src/store/open.ts";
import { findProject } from "../src/store/projects.ts";
import { findSessionOfHost } from "../src/store/sessions.ts";

/** What was said once, as it is kept: the user's words to an agent as a prompt, all else as an observation. */
export type Said = {
  /** The benchmark's id. */
  id: string;
  as: "prompt" | "observation";
  title: string;
  subtitle: string;
  text: string;
  origin: "manual" | "assistant";
  at: number;
};

export type Conversation = { name: string; sessions: { name: string; said: Said[] }[] };

/** A store of conversations, each a project of its own; `idOf` gives the benchmark's id of a result. */
export type Kept = {
  db: Db;
  projects: number[];
  idOf: (result: Pick<SearchResult, "kind" | "id">) => string | null;
  sessionOf: (row: number) => string | null;
  dispose: () => void;
};

export function keep(conversations: readonly Conversation[]): Kept {
  const dir = mkdtempSync(join(tmpdir(), "bench-recall-"));
  const db = openStore(join(dir, "store.sqlite"), join(dir, "backups"));
  const ids = new Map<string, string>();
  const sessions = new Map<number, string>();
  const projects = conversations.map((conversation) => keepOne(db, conversation, ids, sessions));
  indexPending(db);
  return {
    db,
    projects,
    idOf: ({ kind, id }) => ids.get(`${kind} ${id}`) ?? null,
    sessionOf: (row) => sessions.get(row) ?? null,
    dispose: () => {
      db.close();
      rmSync(dir, { recursive: true, force: true });
    },
  };
}

function keepOne(
  db: Db,
  conversation: Conversation,
  ids: Map<string, string>,
  sessions: Map<number, string>,
): number {
  const key = `name:${conversation.name}`;
  for (const session of conversation.sessions) {
    const sessionId = `${conversation.name} ${session.name}`;
    const event = (kind: "session_start" | "prompt", at: number, prompt: string, number: number) => ({
      v: 1 as const,
      kind,
      key: `${sessionId} ${kind} ${number}`,
      host: "bench",
      sessionId,
      at,
      project: { key, name: conversation.name, worktree: null, root: "/" },
      cwd: null,
      transcriptPath: null,
      promptId: kind === "prompt" ? `${number}` : null,
      agentId: null,
      agentType: null,
      hostPid: null,
      via: "hook" as const,
      body: kind === "prompt" ? { prompt } : {},
    });
    const start = session.said[0]?.at ?? 0;
    ingest(db, [event("session_start", start, "", 0)], { now: start, isAlive: () => true });
    const row = findSessionOfHost(db, "bench", sessionId);
    const project = findProject(db, key);
    if (!row || !project) throw new Error(`The session ${sessionId} was not kept.`);
    sessions.set(row.id, session.name);
    inTransaction(db, () => {
      for (const [number, said] of session.said.entries()) {
        if (said.as === "prompt") {
          ingest(db, [event("prompt", said.at, said.text, number + 1)], {
            now: said.at,
            isAlive: () => true,
          });
          const found = db
            .query("select id from prompts where session_row = ? order by id desc limit 1")
            .get(row.id) as { id: number };
          ids.set(`prompt ${found.id}`, said.id);
          continue;
        }
        const turn = { sessionRow: row.id, projectId: project.id, promptNumber: number + 1 };
        const made = replaceLocal(db, turn, [draftOf(said)]);
        ids.set(`observation ${made.written[0]}`, said.id);
      }
    });
  }
  const project = findProject(db, key);
  return project?.id ?? 0;
}

function draftOf(said: Said): ObservationDraft {
  return {
    unit: "said",
    type: "discovery",
    title: said.title,
    subtitle: said.subtitle,
    narrative: said.text,
    facts: [],
    concepts: [],
    filesRead: [],
    filesModified: [],
    origin: said.origin,
    pinned: false,
    agentId: null,
    agentType: null,
    evidence: [],
    at: said.at,
  };
}

/** The share of what is wanted that is among the first `k`. */
export function recallAt(k: number, found: readonly string[], wanted: readonly string[]): number {
  const first = new Set(found.slice(0, k));
  return wanted.filter((id) => first.has(id)).length / wanted.length;
}

/** Whether any of what is wanted is among the first `k`: 1 or 0. */
export function anyAt(k: number, found: readonly string[], wanted: readonly string[]): number {
  return found.slice(0, k).some((id) => wanted.includes(id)) ? 1 : 0;
}

/** The mean in percent. */
export function meanPercent(values: readonly number[]): number {
  return (100 * values.reduce((sum, value) => sum + value, 0)) / Math.max(1, values.length);
}
