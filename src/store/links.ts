/** What observations are about, and which newer one stands for an older one. */
import type { Observation, SupersededHow } from "../core/observation.ts";
import { textList } from "./observations.ts";
import type { Db } from "./open.ts";

/** An observation as far as telling what it has to do with another needs it. */
export type Note = Pick<
  Observation,
  | "id"
  | "sessionRowId"
  | "promptNumber"
  | "unit"
  | "type"
  | "title"
  | "narrative"
  | "facts"
  | "concepts"
  | "filesModified"
  | "origin"
  | "source"
  | "pinned"
  | "hypothesis"
  | "at"
> & {
  /** Unix milliseconds of the note that its own link leads to; `null` where it has none. */
  linkedAt: number | null;
};

/** A subject is 48 bits; an even one alone makes two notes comparable, of odd ones it takes two. */
export type Subject = number;

/**
 * So many later notes on one subject are looked at. A word that more notes than that share in between says nothing
 * about these two: a common word reaches days, a rare one years.
 */
export const REACH = 16;

export function subjectsOfRow(db: Db, id: number): Subject[] {
  const rows = db.query("select subject from observation_subjects where observation_id = ?").values(id) as [
    Subject,
  ][];
  return rows.map(([subject]) => subject);
}

/** Makes `subjects` be what the observation is about. */
export function replaceSubjects(
  db: Db,
  projectId: number,
  note: { id: number; at: number },
  subjects: readonly Subject[],
): void {
  db.query("delete from observation_subjects where observation_id = ?").run(note.id);
  for (const subject of subjects) {
    db.query("insert or ignore into observation_subjects values (?, ?, ?, ?)").run(
      projectId,
      subject,
      note.at,
      note.id,
    );
  }
}

/** The nearest notes on the subject before (after) a moment, nearest first; at most `REACH`. */
export function nearOnSubject(
  db: Db,
  projectId: number,
  subject: Subject,
  at: number,
  where: "before" | "after",
): number[] {
  const sql =
    where === "before"
      ? "at < ? order by at desc, observation_id desc"
      : "at > ? order by at, observation_id";
  const rows = db
    .query(
      `select observation_id from observation_subjects where project_id = ? and subject = ? and ${sql} limit ${REACH}`,
    )
    .values(projectId, subject, at) as [number][];
  return rows.map(([id]) => id);
}

/** The notes with these ids, in order of time. */
export function notesById(db: Db, ids: readonly number[]): Note[] {
  if (ids.length === 0) return [];
  const rows = db
    .query(
      `select o.id, o.session_row, o.prompt_number, o.unit, o.type, o.title, o.narrative, o.facts, o.concepts,
         o.files_modified, o.origin, o.source, o.pinned, o.hypothesis, o.created_at,
         (select n.created_at from observation_links l join observations n on n.id = l.newer where l.older = o.id) as linked_at
       from json_each(?) j join observations o on o.id = j.value
       order by o.created_at, o.session_row, o.prompt_number, o.unit`,
    )
    .all(JSON.stringify(ids)) as Record<string, string | number | null>[];
  return rows.map((row) => ({
    id: Number(row.id),
    sessionRowId: row.session_row === null ? null : Number(row.session_row),
    promptNumber: row.prompt_number === null ? null : Number(row.prompt_number),
    unit: String(row.unit),
    type: String(row.type),
    title: String(row.title),
    narrative: String(row.narrative),
    facts: textList(row.facts),
    concepts: textList(row.concepts),
    filesModified: textList(row.files_modified),
    origin: row.origin as Note["origin"],
    source: row.source as Note["source"],
    pinned: row.pinned === 1,
    hypothesis: row.hypothesis === 1,
    at: Number(row.created_at),
    linkedAt: row.linked_at === null ? null : Number(row.linked_at),
  }));
}

/** Sets or, with `null`, removes the link of an observation. Its `superseded_by` waits for `settleEnds`. */
export function setLink(db: Db, older: number, link: { newer: number; how: SupersededHow } | null): void {
  if (link) {
    db.query("insert or replace into observation_links values (?, ?, ?)").run(older, link.newer, link.how);
  } else {
    db.query("delete from observation_links where older = ?").run(older);
  }
}

/** Of these observations those whose link leads to one after `at`; and, where `free`, those without a link. */
export function reachingPast(db: Db, ids: readonly number[], at: number, free: boolean): number[] {
  if (ids.length === 0) return [];
  const rows = db
    .query(
      `select j.value from json_each(?) j left join observation_links l on l.older = j.value
         left join observations n on n.id = l.newer
       where n.created_at > ? or (l.newer is null and ?)`,
    )
    .values(JSON.stringify(ids), at, free ? 1 : 0) as [number][];
  return rows.map(([id]) => id);
}

/** Those whose links lead to the observation at once. */
export function linkedTo(db: Db, newer: number): number[] {
  const rows = db.query("select older from observation_links where newer = ?").values(newer) as [number][];
  return rows.map(([older]) => older);
}

/**
 * Writes `superseded_by` and `superseded_how` of these observations and of all whose links lead through them: the
 * end of the links; and how, where the way there is more than repetition.
 */
export function settleEnds(db: Db, ids: readonly number[]): void {
  const affected = db
    .query(
      `with recursive up (id) as (
         select value from json_each(?) union select l.older from observation_links l join up on l.newer = up.id)
       select o.id, l.newer, l.how from up join observations o on o.id = up.id
         left join observation_links l on l.older = o.id
       order by o.created_at desc`,
    )
    .values(JSON.stringify(ids)) as [number, number | null, SupersededHow | null][];
  const write = db.query(
    `update observations set superseded_by = ?1, superseded_how = ?2
     where id = ?3 and (superseded_by is not ?1 or superseded_how is not ?2)`,
  );
  const read = db.query("select superseded_by, superseded_how from observations where id = ?");
  const ends = new Map<number, End>();
  // Newest first, so that the end of what a link leads to is known.
  for (const [id, newer, how] of affected) {
    let own: End = [null, null];
    if (newer !== null) {
      const [end, endHow] = ends.get(newer) ?? ((read.values(newer)[0] ?? own) as End);
      own = [end ?? newer, how === "repeated" ? (endHow ?? how) : how];
    }
    ends.set(id, own);
    write.run(...own, id);
  }
}

/** `superseded_by` and `superseded_how`. */
type End = [number | null, SupersededHow | null];
