/** What is remembered about a file. */
import { textList } from "./observations.ts";
import type { Db } from "./open.ts";

/** A note as far as a file's history needs it. */
export type FileNote = {
  id: number;
  sessionRowId: number | null;
  type: string;
  title: string;
  hypothesis: boolean;
  /** Unix milliseconds. */
  at: number;
  /** Whether it changed the file, or only read it. */
  modified: boolean;
  /** How many files it speaks of. */
  files: number;
};

/** The project's newest notes about the file under any of these spellings, newest first; what newer ones stand for is left out. */
export function notesOfFile(
  db: Db,
  projectId: number,
  spellings: readonly string[],
  limit: number,
): FileNote[] {
  const rows = db
    .query(
      `select o.id, o.session_row, o.type, o.title, o.hypothesis, o.created_at, max(f.modified), o.files_modified, o.files_read
       from observation_files f join observations o on o.id = f.observation_id
       where f.path in (select value from json_each(?)) and f.project_id = ? and o.superseded_by is null
       group by o.id order by o.created_at desc, o.id desc limit ?`,
    )
    .values(JSON.stringify(spellings), projectId, limit) as [
    number,
    number | null,
    string,
    string,
    number,
    number,
    number,
    string,
    string,
  ][];
  return rows.map(([id, sessionRowId, type, title, guess, at, modified, changed, read]) => ({
    id,
    sessionRowId,
    type,
    title,
    hypothesis: guess === 1,
    at,
    modified: modified === 1,
    files: new Set([...textList(changed), ...textList(read)]).size,
  }));
}
