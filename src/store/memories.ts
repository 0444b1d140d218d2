/** Observations that a person or a model asks for by hand: kept, pinned, taken away. */
import type { Db } from "./open.ts";

export type MemoryDraft = {
  projectId: number | null;
  type: string;
  title: string;
  /** The exact words. */
  text: string;
  pinned: boolean;
  /** Unix milliseconds. */
  at: number;
};

/** Adds the memory as an observation without a session; answers its id. */
export function insertMemory(db: Db, memory: MemoryDraft): number {
  const row = db
    .query(
      `insert into observations (project_id, unit, type, title, narrative, source, origin, pinned, created_at)
       values ($project, 'manual', $type, $title, $text, 'manual', 'manual', $pinned, $at) returning id`,
    )
    .get({
      project: memory.projectId,
      type: memory.type,
      title: memory.title,
      text: memory.text,
      pinned: memory.pinned ? 1 : 0,
      at: memory.at,
    }) as { id: number };
  return row.id;
}

/** Pins or unpins; `false` where there is no such observation. */
export function setPinned(db: Db, id: number, pinned: boolean): boolean {
  return db.query("update observations set pinned = ? where id = ?").run(pinned ? 1 : 0, id).changes > 0;
}

/** Deletes the observation and keeps in mind that it is not to be made again; `false` where there is none. */
export function deleteObservation(db: Db, id: number): boolean {
  db.query(
    `insert or ignore into forgotten (session_row, prompt_number, unit)
     select session_row, prompt_number, unit from observations
     where id = ? and session_row is not null and prompt_number is not null`,
  ).run(id);
  return db.query("delete from observations where id = ?").run(id).changes > 0;
}

/** The units of the turn that were deleted by hand. */
export function forgottenUnits(db: Db, sessionRow: number, promptNumber: number): Set<string> {
  const rows = db
    .query("select unit from forgotten where session_row = ? and prompt_number = ?")
    .values(sessionRow, promptNumber) as [string][];
  return new Set(rows.map(([unit]) => unit));
}
