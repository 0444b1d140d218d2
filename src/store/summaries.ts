import type { Source, Summary, SummaryDraft } from "../core/observation.ts";
import { textList } from "./observations.ts";
import type { Db } from "./open.ts";

type Row = Record<string, string | number | null>;

const SELECT = `select m.*, s.session_id, coalesce(p.name, '') as project from summaries m
  join sessions s on s.id = m.session_row left join projects p on p.id = m.project_id`;

/** Makes the local summary of a turn be `draft`; `null` removes it. */
export function replaceLocalSummary(
  db: Db,
  turn: { sessionRow: number; projectId: number | null; promptNumber: number },
  draft: SummaryDraft | null,
): void {
  if (!draft) {
    db.query("delete from summaries where session_row = ? and prompt_number = ? and source = 'local'").run(
      turn.sessionRow,
      turn.promptNumber,
    );
    return;
  }
  db.query(`${INSERT} on conflict (session_row, prompt_number, source) ${UPDATE}`).run({
    ...columnsOf(draft),
    session: turn.sessionRow,
    project: turn.projectId,
    prompt: turn.promptNumber,
  });
}

/** Makes the local summary of a whole session be `draft`, its id unchanged; `null` removes it. */
export function replaceSessionSummary(
  db: Db,
  session: { sessionRow: number; projectId: number | null },
  draft: SummaryDraft | null,
): void {
  if (!draft) {
    db.query(
      "delete from summaries where session_row = ? and prompt_number is null and source = 'local'",
    ).run(session.sessionRow);
    return;
  }
  db.query(`${INSERT} on conflict (session_row, source) where prompt_number is null ${UPDATE}`).run({
    ...columnsOf(draft),
    session: session.sessionRow,
    project: session.projectId,
    prompt: null,
  });
}

const INSERT = `insert into summaries (session_row, project_id, prompt_number, request, investigated, learned, completed,
    next_steps, notes, files_read, files_edited, source, created_at)
  values ($session, $project, $prompt, $request, $investigated, $learned, $completed,
    $nextSteps, $notes, $filesRead, $filesEdited, 'local', $at)`;
const UPDATE = `do update set project_id = excluded.project_id,
  request = excluded.request, investigated = excluded.investigated, learned = excluded.learned,
  completed = excluded.completed, next_steps = excluded.next_steps, notes = excluded.notes,
  files_read = excluded.files_read, files_edited = excluded.files_edited, created_at = excluded.created_at`;

function columnsOf(draft: SummaryDraft) {
  const { request, investigated, learned, completed, nextSteps, notes, at } = draft;
  const files = {
    filesRead: JSON.stringify(draft.filesRead),
    filesEdited: JSON.stringify(draft.filesEdited),
  };
  return { request, investigated, learned, completed, nextSteps, notes, at, ...files };
}

/**
 * The newest `limit` summaries of a session's turns in order of time: a prompt that was found late in a transcript
 * has a higher number than those after it.
 */
export function turnSummaries(db: Db, sessionRow: number, limit: number): Summary[] {
  const rows = db
    .query(
      `${SELECT} where m.session_row = ? and m.prompt_number is not null
       order by m.created_at desc, m.prompt_number desc, m.id desc limit ?`,
    )
    .all(sessionRow, limit) as Row[];
  return rows.map(fromRow).reverse();
}

/**
 * The session-level summaries of the project's newest sessions, newest session first; a model's rather than the
 * local one. A session of which there is nothing to tell has none.
 */
export function recentSessionSummaries(db: Db, projectId: number, limit: number): Summary[] {
  const rows = db
    .query(
      `${SELECT} where s.project_id = ? and m.prompt_number is null
         and m.id = (select w.id from summaries w where w.session_row = s.id and w.prompt_number is null
                     order by w.source = 'local', w.id desc limit 1)
       order by s.last_event_at desc, s.id desc limit ?`,
    )
    .all(projectId, limit) as Row[];
  return rows.map(fromRow);
}

export function countSummaries(db: Db): number {
  return (db.query("select count(*) as n from summaries").get() as { n: number }).n;
}

function fromRow(row: Row): Summary {
  const text = (name: string) => String(row[name] ?? "");
  return {
    id: Number(row.id),
    sessionRowId: Number(row.session_row),
    sessionId: text("session_id"),
    projectId: row.project_id === null ? null : Number(row.project_id),
    project: text("project"),
    promptNumber: row.prompt_number === null ? null : Number(row.prompt_number),
    request: text("request"),
    investigated: text("investigated"),
    learned: text("learned"),
    completed: text("completed"),
    nextSteps: text("next_steps"),
    notes: text("notes"),
    filesRead: textList(row.files_read),
    filesEdited: textList(row.files_edited),
    source: row.source as Source,
    model: row.model === null ? null : text("model"),
    at: Number(row.created_at),
  };
}
