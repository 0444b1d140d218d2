/** What a session is told when it starts: one builder behind every door. */
import { type Budget, estimateTokens, HOST_CONTEXT_MAX } from "../core/budget.ts";
import type { ProjectRef } from "../core/event.ts";
import { type GitState, readGitState } from "../env/git-state.ts";
import type { Settings } from "../env/settings.ts";
import { countUpTo } from "../store/candidates.ts";
import { observationsById } from "../store/observations.ts";
import type { Db } from "../store/open.ts";
import { findProject } from "../store/projects.ts";
import { compose } from "./compose.ts";
import { type Material, readMaterial } from "./material.ts";
import type { Plan } from "./plan.ts";
import { CLOSE, firstTime, heading, leftOut, OPEN } from "./render.ts";
import { openRoom } from "./room.ts";
import { dayOf } from "./select.ts";

/** After `clear` and `compact` the session is under way: what it needs to go on, not the whole history. */
const SMALLER = { chars: 4_000, tokens: 850 };

/** Counting more takes longer than all the rest, and "many" is all that a reader makes of it. */
const COUNTED_MAX = 20_000;

export type SessionContext = { text: string; shown: number; leftOut: number; chars: number; tokens: number };

export type SessionContextOptions = {
  settings: Settings;
  /** How the session starts; `clear` and `compact` are told less. */
  source: string;
  now: number;
  /** The host's id of the session that starts: after `compact` it is the one that goes on. */
  sessionId?: string;
  /** No limits: for a person who wants to see everything. */
  all?: boolean;
  /** The state of the checkout; read from the project's root where it is not given. */
  git?: GitState;
};

/** Builds the text for `project` from the store (`null`: there is none yet). Identical data, same day: same bytes. */
export function buildSessionContext(
  db: Db | null,
  project: ProjectRef,
  options: SessionContextOptions,
): SessionContext {
  const limit = budgetFor(options);
  const found = db ? findProject(db, project.key) : null;
  if (!db || !found) return begin(project.name, limit);
  const total = countUpTo(db, found.id, options.all ? Number.MAX_SAFE_INTEGER : COUNTED_MAX);
  const git = options.git ?? readGitState(project.root);
  const material = readMaterial(db, found.id, {
    now: options.now,
    git,
    sessions: options.settings.CLAUDE_MEM_CONTEXT_SESSION_COUNT,
    continues: options.source === "compact" ? (options.sessionId ?? null) : null,
    all: options.all === true,
  });
  if (total === 0 && material.sessions.length === 0) return begin(project.name, limit);
  return write(db, { name: found.name, total, git, material, limit, options });
}

type Parts = {
  name: string;
  total: number;
  git: GitState;
  material: Material;
  limit: Budget;
  options: SessionContextOptions;
};

function write(db: Db, { name, total, git, material, limit, options }: Parts): SessionContext {
  const room = openRoom(limit);
  const head = heading(name, dayOf(options.now), git.branch);
  // The frame and the closing sentence are paid first: they are never what is left out.
  if (![OPEN, ...head, leftOut(total, total === COUNTED_MAX), CLOSE].every((line) => room.take(line)))
    return measured("", 0, total);
  const page = compose(material, planFor(db, options), room);
  const missing = Math.max(0, total - page.told.size);
  const lines = [
    OPEN,
    ...head,
    ...page.lines,
    ...(missing > 0 ? [leftOut(missing, total === COUNTED_MAX)] : []),
    CLOSE,
  ];
  return measured(lines.join("\n"), page.told.size, missing);
}

function planFor(db: Db, { settings, source, now, all = false }: SessionContextOptions): Plan {
  return {
    now,
    notes: all ? Number.MAX_SAFE_INTEGER : settings.CLAUDE_MEM_CONTEXT_OBSERVATIONS,
    sessions: settings.CLAUDE_MEM_CONTEXT_SESSION_COUNT,
    full: settings.CLAUDE_MEM_CONTEXT_FULL_COUNT,
    all,
    continues: source === "compact" || source === "clear" ? source : null,
    inFull: (id) => observationsById(db, [id])[0],
  };
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

function begin(project: string, limit: Budget): SessionContext {
  const text = firstTime(project);
  const fits = text.length <= limit.chars && estimateTokens(text) <= limit.tokens;
  return measured(fits ? text : "", 0, 0);
}

function measured(text: string, shown: number, missing: number): SessionContext {
  return { text, shown, leftOut: missing, chars: text.length, tokens: estimateTokens(text) };
}
