/** A store whose turns leave exactly the observations written down for them. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { compressTurn } from "../../src/compress/job.ts";
import type { ObservationDraft, SummaryDraft } from "../../src/core/observation.ts";
import type { Compressor } from "../../src/core/turn.ts";
import { ingest } from "../../src/store/ingest.ts";
import { type Db, openStore } from "../../src/store/open.ts";
import { promptEvent, T0 } from "../support/events.ts";

export const HOUR_MS = 3_600_000;

export type Draft = Partial<ObservationDraft> & Pick<ObservationDraft, "unit" | "title">;
export type ScriptedTurn = {
  session?: string;
  /** Hours after the start; a turn's place in its list where not given. */
  hour?: number;
  drafts?: Draft[];
  summary?: Partial<SummaryDraft>;
  isPrivate?: boolean;
};

export type Scripted = {
  db: Db;
  /** Compresses the turns with these places in the list, in this order. */
  compress: (order: readonly number[]) => void;
  /** Makes a turn leave something else; takes effect with the next compressing. */
  rewrite: (at: number, turn: ScriptedTurn) => void;
  close: () => void;
};

export function scripted(turns: readonly ScriptedTurn[]): Scripted {
  const dir = mkdtempSync(join(tmpdir(), "throughline-links-"));
  const db = openStore(join(dir, "store.sqlite"), join(dir, "backups"));
  const script = [...turns];
  const numbers = new Map<string, number>();
  const places = turns.map((turn, at) => {
    const sessionId = turn.session ?? "s1";
    const promptNumber = (numbers.get(sessionId) ?? 0) + 1;
    numbers.set(sessionId, promptNumber);
    const prompt = promptEvent(turn.isPrivate ? "" : `turn ${at}`, {
      sessionId,
      at: timeOf(turn, at),
      promptId: `p${at}`,
      key: `prompt-${at}`,
    });
    ingest(db, [turn.isPrivate ? { ...prompt, body: { private: true } } : prompt], {
      now: T0,
      isAlive: () => false,
    });
    return { sessionId, promptNumber };
  });
  const compressor =
    (at: number): Compressor =>
    () => ({
      observations: (script[at]?.drafts ?? []).map((draft) => draftOf(draft, timeOf(script[at] ?? {}, at))),
      summary: script[at]?.summary ? summaryOf(script[at].summary, timeOf(script[at], at)) : null,
    });
  return {
    db,
    rewrite: (at, turn) => {
      script[at] = turn;
    },
    compress: (order) => {
      for (const at of order) {
        const { sessionId, promptNumber } = places[at] ?? { sessionId: "", promptNumber: 0 };
        const row = db.query("select id from sessions where session_id = ?").get(sessionId) as { id: number };
        const job = { id: 0, kind: "compress" as const, generation: 1, attempts: 1 };
        compressTurn(db, { ...job, sessionRow: row.id, promptNumber }, compressor(at));
      }
    },
    close: () => {
      db.close();
      rmSync(dir, { recursive: true, force: true });
    },
  };
}

function timeOf(turn: ScriptedTurn, at: number): number {
  return T0 + (turn.hour ?? at) * HOUR_MS;
}

export function draftOf(draft: Draft, at: number): ObservationDraft {
  return {
    type: "discovery",
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
    ...draft,
  };
}

function summaryOf(summary: Partial<SummaryDraft>, at: number): SummaryDraft {
  const words = { request: "", investigated: "", learned: "", completed: "", nextSteps: "", notes: "" };
  return { ...words, filesRead: [], filesEdited: [], at, ...summary };
}

/** "title → title of the one that stands for it (how)", of all that are superseded, sorted. */
export function linksIn(db: Db): string[] {
  const rows = db
    .query(
      `select a.title || ' → ' || b.title || ' (' || a.superseded_how || ')' as link
       from observations a join observations b on b.id = a.superseded_by order by a.created_at, link`,
    )
    .values() as [string][];
  return rows.map(([link]) => link);
}

export function finding(title: string, more: Partial<Draft> = {}): Draft {
  return { unit: "finding", title, origin: "assistant", ...more };
}

export function decision(words: string, more: Partial<Draft> = {}): Draft {
  return {
    unit: `decision:${words}`,
    title: words,
    narrative: words,
    type: "decision",
    origin: "user",
    ...more,
  };
}

export function editOf(path: string, title: string, more: Partial<Draft> = {}): Draft {
  return { unit: `edit:${path}`, title, type: "change", filesModified: [path], ...more };
}

/** A check that was left failing. */
export function failing(kind: string, command: string, names: string[]): Draft {
  const facts = names.length > 0 ? [`Failing: ${names.join(", ")}`] : [];
  const title = `\`${command}\` fails: ${names.join(" and ")}`;
  return { unit: `failure:${kind}:${command}`, title, facts, concepts: ["gotcha"] };
}

/** A check that failed and was mended in one turn. */
export function mended(kind: string, command: string, names: string[]): Draft {
  const title = `Fixed \`${command}\`: ${names.join(" and ")}`;
  return { ...failing(kind, command, names), title, type: "bugfix", concepts: ["problem-solution"] };
}

export function passing(title: string): Draft {
  return { unit: "run:checks", title, facts: title.split("; ") };
}

export function committed(subject: string, hash: string): Draft {
  const title = `Committed “${subject}”`;
  return { unit: "run:git", title, type: "change", facts: [`${title}: commit ${hash} on main`] };
}
