/** Made-up earlier sessions in a real store, as the worker would have left them. */

import { buildSessionContext, type SessionContext } from "../../src/context/session.ts";
import type { ProjectRef } from "../../src/core/event.ts";
import type { Observation, ObservationDraft, SummaryDraft } from "../../src/core/observation.ts";
import { type GitState, NO_GIT } from "../../src/env/git-state.ts";
import { loadSettings, type Settings } from "../../src/env/settings.ts";
import { ingest } from "../../src/store/ingest.ts";
import { replaceLocal } from "../../src/store/observations.ts";
import { type Db, openStore } from "../../src/store/open.ts";
import { findSessionOfHost } from "../../src/store/sessions.ts";
import { replaceSessionSummary } from "../../src/store/summaries.ts";
import { eventOf } from "../support/events.ts";
import type { Place } from "../support/temp.ts";

export const NOW = Date.UTC(2026, 4, 20, 15, 30);
const HOUR_MS = 3_600_000;

export type Note = Partial<ObservationDraft> & { title: string };

export type Past = {
  db: Db;
  project: ProjectRef;
  /** A session that ended `hoursAgo`, with its notes and, where given, its summary; answers the notes' ids. */
  session: (
    id: string,
    hoursAgo: number,
    notes: readonly Note[],
    more?: { branch?: string; summary?: Partial<SummaryDraft> },
  ) => number[];
  /** A memory that was written by hand. */
  pin: (title: string, source?: Observation["source"]) => number;
  tell: (options?: Telling) => SessionContext;
};

export type Telling = {
  settings?: Partial<Settings>;
  source?: string;
  sessionId?: string;
  now?: number;
  git?: Partial<GitState>;
  all?: boolean;
};

/** An empty store of the place's project. */
export function openPast(place: Place): Past {
  const db = openStore(place.paths.store, place.paths.backups);
  const project = { key: place.project, name: "shop", worktree: null, root: place.project };
  const defaults = loadSettings(place.paths.settings, {}).values;
  const session: Past["session"] = (id, hoursAgo, notes, { branch, summary } = {}) => {
    const at = NOW - hoursAgo * HOUR_MS;
    const more = { sessionId: id, project, branch: branch ?? null };
    const events = [
      eventOf("session_start", { reason: "startup" }, { ...more, at: at - HOUR_MS }),
      eventOf("session_end", { reason: "other" }, { ...more, at }),
    ];
    ingest(db, events, { now: at, isAlive: () => false });
    const row = findSessionOfHost(db, "claude-code", id);
    if (!row) throw new Error("the session was not stored");
    const turn = { sessionRow: row.id, projectId: row.projectId, promptNumber: 0 };
    replaceLocal(
      db,
      turn,
      notes.map((note, index) => draftOf(note, index, at - HOUR_MS + index)),
    );
    if (summary) replaceSessionSummary(db, turn, summaryOf(summary, at));
    const ids = db
      .query("select id from observations where session_row = ? order by created_at")
      .values(row.id);
    return ids.map(([one]) => Number(one));
  };
  return {
    db,
    project,
    session,
    pin: (title, source = "manual") => {
      const row = db
        .query(
          `insert into observations (project_id, unit, type, title, source, origin, pinned, created_at)
           values ((select id from projects), ?, 'decision', ?, ?, 'manual', 1, ?) returning id`,
        )
        .get(`manual:${title}`, title, source, NOW - HOUR_MS) as { id: number };
      return row.id;
    },
    tell: ({ settings, git, ...options } = {}) =>
      buildSessionContext(db, project, {
        source: "startup",
        now: NOW,
        ...options,
        settings: { ...defaults, ...settings },
        git: { ...NO_GIT, ...git },
      }),
  };
}

function draftOf(note: Note, index: number, at: number): ObservationDraft {
  return {
    unit: `unit:${index}`,
    type: "change",
    subtitle: "",
    narrative: "",
    facts: [],
    concepts: [],
    filesRead: [],
    filesModified: [],
    origin: "tool",
    pinned: false,
    agentId: null,
    agentType: null,
    evidence: [],
    at,
    ...note,
  };
}

function summaryOf(summary: Partial<SummaryDraft>, at: number): SummaryDraft {
  return {
    request: "",
    investigated: "",
    learned: "",
    completed: "",
    nextSteps: "",
    notes: "",
    filesRead: [],
    filesEdited: [],
    at,
    ...summary,
  };
}
