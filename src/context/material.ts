/** Everything a starting session may be told, read from store and checkout in a few goes. */
import type { Observation, Summary } from "../core/observation.ts";
import type { GitState } from "../env/git-state.ts";
import {
  type Candidate,
  pinnedObservations,
  recentCandidates,
  recentSessionFiles,
} from "../store/candidates.ts";
import type { Db } from "../store/open.ts";
import { recentSessionSummaries } from "../store/summaries.ts";
import { isSameBranch, rankFiles, type WorkedFile } from "./files.ts";
import { type Entry, rankForStart, startOfDay } from "./select.ts";
import { doneSince, leftRed, type OpenStep, openSteps } from "./unfinished.ts";

/** Looked at beyond what is shown, so that worth and not recency alone decides. */
const CANDIDATES = 200;
const PINNED_MAX = 30;
/** Sessions whose files tell what is worked on. */
const SESSIONS_OF_FILES = 60;
/** Of so many of the likeliest files the checkout is asked for their state. */
const ASKED_FILES = 60;
/** Sessions whose open steps are still told. */
const SESSIONS_OF_STEPS = 6;

export type Material = {
  pinned: Observation[];
  /** Newest first. */
  sessions: Summary[];
  /** The session that this one most likely goes on with; `null` where there is none. */
  before: Summary | null;
  notes: Candidate[];
  entries: Entry[];
  files: WorkedFile[];
  steps: OpenStep[];
  red: Candidate[];
  uncommitted: string[];
  /** Commits of this checkout that no session remembered here has seen, newest first. */
  commits: GitState["commits"];
  branchOf: (sessionRow: number | null) => string | null;
};

export type Reading = {
  now: number;
  git: GitState;
  /** How many sessions may be told. */
  sessions: number;
  /** The session that goes on, by the host's id; `null` for a new one. */
  continues: string | null;
  all: boolean;
};

/** Reads the project's memories and weighs them for a session that starts at `now` in the checkout `git` tells of. */
export function readMaterial(db: Db, projectId: number, reading: Reading): Material {
  const { git } = reading;
  // Nothing moves within a day.
  const today = startOfDay(reading.now);
  const notes = recentCandidates(db, projectId, reading.all ? 100_000 : CANDIDATES);
  const sessions = recentSessionSummaries(db, projectId, Math.max(SESSIONS_OF_STEPS, reading.sessions));
  const worked = recentSessionFiles(db, projectId, SESSIONS_OF_FILES);
  const branches = new Map(worked.map((session) => [session.sessionRowId, session.branch]));
  const branchOf = (row: number | null) => (row === null ? null : (branches.get(row) ?? null));
  const isHere = (row: number | null) => isSameBranch(branchOf(row), git.branch);

  const before = goneOnWith(sessions, reading.continues, isHere);
  const steps = openSteps(
    sessions
      .slice(0, SESSIONS_OF_STEPS)
      .filter((session) => session === before || concerns(branchOf(session.sessionRowId), git.branch)),
    (since) => doneSince(since, sessions, notes, git.commits),
    today,
  );
  const signals = { branch: git.branch, open: steps.map((step) => step.text).join(" ") };
  const first = rankFiles(worked, { ...signals, uncommitted: new Set<string>() });
  const uncommitted = git.uncommitted(first.slice(0, ASKED_FILES).map((file) => file.path));
  const files =
    uncommitted.length > 0 ? rankFiles(worked, { ...signals, uncommitted: new Set(uncommitted) }) : first;
  const hottest = files[0]?.score ?? 1;
  const heats = new Map(files.map((file) => [file.path, file.score / hottest]));
  const around = { today, isHere, heat: (path: string) => heats.get(path) ?? 0 };
  return {
    pinned: pinnedObservations(db, projectId, PINNED_MAX),
    sessions,
    before,
    notes,
    entries: rankForStart(notes, around),
    files,
    steps,
    red: leftRed(
      notes.filter((note) => concerns(branchOf(note.sessionRowId), git.branch)),
      today,
    ),
    uncommitted,
    commits: git.commits.filter((commit) => commit.at > (sessions[0]?.at ?? 0)),
    branchOf,
  };
}

/** The session under way; else the newest on this branch, else the newest, of those that came to anything. */
function goneOnWith(
  sessions: readonly Summary[],
  continues: string | null,
  isHere: (sessionRow: number) => boolean,
): Summary | null {
  if (continues !== null) return sessions.find((session) => session.sessionId === continues) ?? null;
  const telling = sessions.filter(cameToAnything);
  return telling.find((session) => isHere(session.sessionRowId)) ?? telling[0] ?? sessions[0] ?? null;
}

export function cameToAnything(session: Summary): boolean {
  return session.completed !== "" || session.learned !== "";
}

/** What was left on another branch than this one is that branch's business, unless one of them is not known. */
function concerns(branch: string | null, here: string | null): boolean {
  return branch === null || here === null || branch === here;
}
