/**
 * Links observations across turns: which newer one stands for an older one. A link is a function of the rows alone:
 * from each note to the nearest later one that stands for it, so that the order of compressing does not matter.
 */
import {
  linkedTo,
  type Note,
  nearOnSubject,
  notesById,
  reachingPast,
  replaceSubjects,
  setLink,
  settleEnds,
  subjectsOfRow,
} from "../../store/links.ts";
import type { Db } from "../../store/open.ts";
import { relationOf } from "./relation.ts";
import { subjectsOf } from "./subjects.ts";

/** Notes whose link must be found anew once these rows are gone or say something else. Asked before they change. */
export function disturbedBy(db: Db, projectId: number, ids: readonly number[]): Set<number> {
  return new Set([...ids.flatMap((id) => linkedTo(db, id)), ...reachingOver(db, projectId, ids, true)]);
}

/**
 * Earlier notes that reach later ones over these rows, or (`free`) might without them: one more or less in between
 * and two may be out of reach of each other, or within it. None where nothing is later, which is how turns mostly
 * come.
 */
function reachingOver(db: Db, projectId: number, ids: readonly number[], free: boolean): number[] {
  const own = new Set(ids);
  return notesById(db, ids).flatMap((note) => {
    const before = new Set<number>();
    for (const subject of subjectsOfRow(db, note.id)) {
      const after = nearOnSubject(db, projectId, subject, note.at, "after");
      if (after.every((id) => own.has(id))) continue;
      for (const id of nearOnSubject(db, projectId, subject, note.at, "before")) before.add(id);
    }
    return reachingPast(db, [...before], note.at, free);
  });
}

/** Brings the links in line with the rows `written`; `disturbed` as asked before the writing. */
export function relink(
  db: Db,
  projectId: number,
  written: readonly number[],
  disturbed: ReadonlySet<number>,
): void {
  const notes = notesById(db, written);
  for (const note of notes) replaceSubjects(db, projectId, note, subjectsOf(note));
  const again = new Set([...disturbed, ...written, ...reachingOver(db, projectId, written, false)]);
  const touched = new Set(again);
  for (const note of notesById(db, [...again])) setLink(db, note.id, nextOf(db, projectId, note));
  for (const newer of notes) {
    for (const older of notesById(db, comparable(db, projectId, newer, "before"))) {
      // Its own link leads to a nearer one, or has just been found.
      if (again.has(older.id) || (older.linkedAt !== null && older.linkedAt <= newer.at)) continue;
      const how = relationOf(older, newer);
      if (!how) continue;
      setLink(db, older.id, { newer: newer.id, how });
      touched.add(older.id);
    }
  }
  settleEnds(db, [...touched]);
}

function nextOf(db: Db, projectId: number, note: Note) {
  for (const newer of notesById(db, comparable(db, projectId, note, "after"))) {
    const how = relationOf(note, newer);
    if (how) return { newer: newer.id, how };
  }
  return null;
}

/** The notes within reach that share enough subjects with this one. */
function comparable(db: Db, projectId: number, note: Note, where: "before" | "after"): number[] {
  const shared = new Map<number, number>();
  for (const subject of subjectsOfRow(db, note.id)) {
    const weight = subject % 2 === 0 ? 2 : 1;
    for (const id of nearOnSubject(db, projectId, subject, note.at, where)) {
      shared.set(id, (shared.get(id) ?? 0) + weight);
    }
  }
  return [...shared].filter(([, weight]) => weight >= 2).map(([id]) => id);
}
