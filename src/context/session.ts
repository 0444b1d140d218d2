/** What a session is told when it starts: one builder behind every door. */
import { statSync } from "node:fs";
import { isAbsolute, join } from "node:path";
import { type Budget, estimateTokens, HOST_CONTEXT_MAX, openBudget } from "../core/budget.ts";
import type { ProjectRef } from "../core/event.ts";
import type { Observation } from "../core/observation.ts";
import type { Settings } from "../env/settings.ts";
import {
  countObservations,
  observationsById,
  pinnedObservations,
  recentCandidates,
} from "../store/observations.ts";
import type { Db } from "../store/open.ts";
import { findProject } from "../store/projects.ts";
import { recentSessions } from "../store/summaries.ts";
import {
  CLOSE,
  firstTime,
  heading,
  lastSessionLines,
  leftOut,
  OPEN,
  observationInFull,
  observationLine,
  pinnedLine,
  sessionLine,
} from "./render.ts";
import { dayOf, type Ranked, rankForStart, startOfDay } from "./select.ts";
import { type WholeSession, wholeSession } from "./whole-session.ts";

/** Looked at beyond what is shown, so that worth and not recency alone decides. */
const CANDIDATES = 400;
const PINNED_MAX = 30;
/** After `clear` and `compact` the session is under way: a reminder, not the whole history. */
const SMALLER = { chars: 4_000, tokens: 700 };

export type SessionContext = { text: string; shown: number; leftOut: number; chars: number; tokens: number };

export type SessionContextOptions = {
  settings: Settings;
  /** How the session starts; `clear` and `compact` are told less. */
  source: string;
  now: number;
  /** No limits: for a person who wants to see everything. */
  all?: boolean;
};

/** Builds the text for `project` from the store (`null`: there is none yet). Identical data, same day: same bytes. */
export function buildSessionContext(
  db: Db | null,
  project: ProjectRef,
  options: SessionContextOptions,
): SessionContext {
  const found = db ? findProject(db, project.key) : null;
  const total = db && found ? countObservations(db, found.id) : 0;
  const { settings } = options;
  const sessions = (
    db && found ? recentSessions(db, found.id, Math.max(1, settings.CLAUDE_MEM_CONTEXT_SESSION_COUNT)) : []
  ).flatMap((turns) => wholeSession(turns) ?? []);
  const limit = budgetFor(options);
  if (!db || !found || (total === 0 && sessions.length === 0)) {
    return measured(fits(firstTime(project.name), limit) ? firstTime(project.name) : "", 0, 0);
  }
  const pinned = pinnedObservations(db, found.id, PINNED_MAX);
  const ranked = rankForStart(
    recentCandidates(db, found.id, options.all ? 100_000 : CANDIDATES),
    startOfDay(options.now),
    changeTimes(project.root),
  );
  const inFull = (id: number) => observationsById(db, [id])[0];
  return compose({ inFull, project: found.name, pinned, sessions, ranked, total, limit, options });
}

type Material = {
  inFull: (id: number) => Observation | undefined;
  project: string;
  pinned: Observation[];
  sessions: WholeSession[];
  ranked: Ranked[];
  total: number;
  limit: Budget;
  options: SessionContextOptions;
};

/** Takes item by item, best first, while the budget lasts; then lays them out. */
function compose(material: Material): SessionContext {
  const { options, total, limit } = material;
  const { settings } = options;
  const budget = openBudget(limit);
  const head = heading(material.project, dayOf(options.now));
  // The frame and the closing sentence are paid first: they are never what is left out.
  const frame = [
    OPEN,
    ...head,
    leftOut(total),
    "## Pinned",
    "## Last session (YYYY-MM-DD)",
    "## Timeline, newest first",
    CLOSE,
  ];
  if (!frame.every((line) => budget.take(line))) return measured("", 0, total);

  const pinned = material.pinned.map(pinnedLine).filter((line) => budget.take(line));
  const last = material.sessions[0];
  const lastLines = last ? lastSessionLines(last).filter((line) => budget.take(line)) : [];

  const days = new Map<string, { at: number; id: number; line: string }[]>();
  const place = (at: number, id: number, line: string): boolean => {
    const day = dayOf(at);
    const cost = days.has(day) ? line : `### ${day}\n${line}`;
    if (!budget.take(cost)) return false;
    days.set(day, [...(days.get(day) ?? []), { at, id, line }]);
    return true;
  };
  let shown = 0;
  const wanted = options.all
    ? material.ranked
    : material.ranked.slice(0, settings.CLAUDE_MEM_CONTEXT_OBSERVATIONS);
  for (const { observation } of wanted) {
    const whole =
      options.all || shown < settings.CLAUDE_MEM_CONTEXT_FULL_COUNT
        ? material.inFull(observation.id)
        : undefined;
    if (
      place(observation.at, observation.id, whole ? observationInFull(whole) : observationLine(observation))
    )
      shown += 1;
  }
  const earlier = settings.CLAUDE_MEM_CONTEXT_SESSION_COUNT === 0 ? [] : material.sessions.slice(1);
  for (const session of earlier) place(session.at, 0, sessionLine(session));

  const lines = [OPEN, ...head];
  if (pinned.length > 0) lines.push("## Pinned", ...pinned);
  if (last && lastLines.length > 0) lines.push(`## Last session (${dayOf(last.at)})`, ...lastLines);
  if (days.size > 0) lines.push("## Timeline, newest first", ...timeline(days));
  const missing = total - shown - pinned.length;
  if (missing > 0) lines.push(leftOut(missing));
  return measured([...lines, CLOSE].join("\n"), shown + pinned.length, Math.max(0, missing));
}

function timeline(days: Map<string, { at: number; id: number; line: string }[]>): string[] {
  return [...days.keys()]
    .sort()
    .reverse()
    .flatMap((day) => [
      `### ${day}`,
      ...(days.get(day) ?? []).sort((a, b) => b.at - a.at || b.id - a.id).map((entry) => entry.line),
    ]);
}

function budgetFor(options: SessionContextOptions): Budget {
  if (options.all) return { chars: Number.MAX_SAFE_INTEGER, tokens: Number.MAX_SAFE_INTEGER };
  const { settings } = options;
  const smaller = options.source === "clear" || options.source === "compact";
  const most = {
    chars: Math.min(settings.CLAUDE_MEM_CONTEXT_MAX_CHARS, HOST_CONTEXT_MAX),
    tokens: settings.CLAUDE_MEM_CONTEXT_MAX_TOKENS,
  };
  return smaller
    ? { chars: Math.min(SMALLER.chars, most.chars), tokens: Math.min(SMALLER.tokens, most.tokens) }
    : most;
}

/** When files of the checkout were last changed, each asked once; a path outside or missing gives `null`. */
function changeTimes(root: string): (path: string) => number | null {
  const known = new Map<string, number | null>();
  return (path) => {
    const found = known.get(path);
    if (found !== undefined) return found;
    const time =
      known.size < 500
        ? (statSync(isAbsolute(path) ? path : join(root, path), { throwIfNoEntry: false })?.mtimeMs ?? null)
        : null;
    known.set(path, time);
    return time;
  };
}

function fits(text: string, limit: Budget): boolean {
  return text.length <= limit.chars && estimateTokens(text) <= limit.tokens;
}

function measured(text: string, shown: number, missing: number): SessionContext {
  return { text, shown, leftOut: missing, chars: text.length, tokens: estimateTokens(text) };
}
