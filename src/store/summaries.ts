import type { Source, Summary, SummaryDraft } from "../core/observation.ts";
import { textList } from "./observations.ts";
import type { Db } from "./open.ts";

type Row = Record<string, string | number | null>;

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
  db.query(
    `insert into summaries (session_row, project_id, prompt_number, request, investigated, learned, completed,
       next_steps, notes, files_read, files_edited, source, created_at)
     values ($session, $project, $prompt, $request, $investigated, $learned, $completed,
       $nextSteps, $notes, $filesRead, $filesEdited, 'local', $at)
     on conflict (session_row, prompt_number, source) do update set
       request = excluded.request, investigated = excluded.investigated, learned = excluded.learned,
       completed = excluded.completed, next_steps = excluded.next_steps, notes = excluded.notes,
       files_read = excluded.files_read, files_edited = excluded.files_edited, created_at = excluded.created_at`,
  ).run({
    session: turn.sessionRow,
    project: turn.projectId,
    prompt: turn.promptNumber,
    request: draft.request,
    investigated: draft.investigated,
    learned: draft.learned,
    completed: draft.completed,
    nextSteps: draft.nextSteps,
    notes: draft.notes,
    filesRead: JSON.stringify(draft.filesRead),
    filesEdited: JSON.stringify(draft.filesEdited),
    at: draft.at,
  });
}

/** Turns looked at in all; of very long sessions only the newest then. One read of a small table's index. */
const TURNS_MAX = 300;

/** The summaries of the turns of the project's newest sessions: newest session first, its turns in their order. */
export function recentSessions(db: Db, projectId: number, limit: number): Summary[][] {
  const rows = db
    .query(
      `select m.*, s.session_id, '' as project from
         (select id, session_id, last_event_at from sessions where project_id = ? order by last_event_at desc limit ?) s
       join summaries m on m.session_row = s.id
       order by s.last_event_at desc, s.id desc, m.prompt_number desc, m.id desc limit ?`,
    )
    .all(projectId, limit * 2, TURNS_MAX) as Row[];
  const sessions = new Map<number, Summary[]>();
  for (const row of rows) {
    const turn = fromRow(row);
    const turns = sessions.get(turn.sessionRowId);
    if (turns) turns.unshift(turn);
    else sessions.set(turn.sessionRowId, [turn]);
  }
  return [...sessions.values()].slice(0, limit);
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
