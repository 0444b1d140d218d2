/** What a starting session may be told, read in a few indexed goes: notes as they are weighed, and who edited what. */
import type { Observation } from "../core/observation.ts";
import { observationFromRow, SELECT_OBSERVATION, textList } from "./observations.ts";
import type { Db } from "./open.ts";

/** What is needed of an observation to weigh and to name it; the rest is read for those that are told in full. */
export type Candidate = Pick<
  Observation,
  | "id"
  | "sessionRowId"
  | "unit"
  | "type"
  | "title"
  | "filesRead"
  | "filesModified"
  | "origin"
  | "hypothesis"
  | "times"
  | "at"
> & {
  /** A problem whose solution it tells too. */
  solved: boolean;
};

type CandidateRow = [
  id: number,
  session: number | null,
  unit: string,
  type: string,
  title: string,
  solved: number,
  read: string,
  modified: string,
  origin: Observation["origin"],
  guess: number,
  times: number,
  at: number,
];

/** The newest observations of a project that nothing has superseded and nobody has pinned, newest first. */
export function recentCandidates(db: Db, projectId: number, limit: number): Candidate[] {
  const rows = db
    .query(
      `select id, session_row, unit, type, title, concepts like '%"problem-solution"%', files_read, files_modified, origin, hypothesis,
         (select count(*) + 1 from observations r where r.superseded_by = o.id and r.superseded_how = 'repeated'),
         created_at
       from observations o
       where project_id = ? and superseded_by is null and pinned = 0 and source <> 'manual'
       order by created_at desc limit ?`,
    )
    .values(projectId, limit) as CandidateRow[];
  return rows.map(
    ([id, sessionRowId, unit, type, title, solved, read, modified, origin, guess, times, at]) => ({
      id,
      sessionRowId,
      unit,
      type,
      title,
      solved: solved === 1,
      filesRead: textList(read),
      filesModified: textList(modified),
      origin,
      hypothesis: guess === 1,
      times,
      at,
    }),
  );
}

/** How many observations the project has; counted to `most` and no further. */
export function countUpTo(db: Db, projectId: number, most: number): number {
  const row = db
    .query("select count(*) as n from (select 1 from observations where project_id = ? limit ?)")
    .get(projectId, most) as { n: number };
  return row.n;
}

/** Pinned and manual memories of a project, and what the user has said instead of one since; newest first. */
export function pinnedObservations(db: Db, projectId: number, limit: number): Observation[] {
  const rows = db
    .query(
      `${SELECT_OBSERVATION} where o.superseded_by is null and o.id in
         (select coalesce(superseded_by, id) from observations
          where project_id = ? and (pinned = 1 or source = 'manual'))
       order by o.pinned desc, o.created_at desc, o.id desc limit ?`,
    )
    .all(projectId, limit) as Record<string, string | number | null>[];
  return rows.map(observationFromRow);
}

/** A session as one who worked on files: the newest has rank 0. */
export type SessionFiles = {
  sessionRowId: number;
  rank: number;
  branch: string | null;
  /** Unix ms of the last thing known of it. */
  at: number;
  edited: Set<string>;
  read: Set<string>;
};

/** Rows looked at beyond the sessions' own: of sessions without a summary of their own, their turns'. */
const ROWS_MAX = 300;

/** Which files the project's newest sessions edited and read, newest first; sessions without a summary are left out. */
export function recentSessionFiles(db: Db, projectId: number, limit: number): SessionFiles[] {
  const rows = db
    .query(
      `select s.id, s.branch, s.last_event_at, m.files_edited, m.files_read from
         (select id, branch, last_event_at from sessions where project_id = ? order by last_event_at desc limit ?) s
       join summaries m on m.session_row = s.id
       where m.prompt_number is null or not exists
         (select 1 from summaries w where w.session_row = s.id and w.prompt_number is null)
       order by s.last_event_at desc, s.id desc limit ?`,
    )
    .values(projectId, limit, ROWS_MAX) as [number, string | null, number, string, string][];
  const sessions = new Map<number, SessionFiles>();
  for (const [sessionRowId, branch, at, edited, read] of rows) {
    const rank = sessions.size;
    const known = sessions.get(sessionRowId) ?? {
      sessionRowId,
      rank,
      branch,
      at,
      edited: new Set<string>(),
      read: new Set<string>(),
    };
    for (const path of textList(edited)) known.edited.add(path);
    for (const path of textList(read)) known.read.add(path);
    sessions.set(sessionRowId, known);
  }
  return [...sessions.values()];
}
