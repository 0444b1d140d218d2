import type { SessionEvent } from "../core/event.ts";
import type { Db } from "./open.ts";

export type Prompt = { number: number; text: string; private: 0 | 1; promptId: string | null; at: number };

/** The same prompt comes through two doors within moments; where nothing else tells, this decides (ms). */
const SAME_PROMPT_MS = 10_000;

const COLUMNS = "number, text, private, prompt_id as promptId, created_at as at";

/**
 * Adds the user's prompt as a turn of its own; `isNew` is `false` where it is there already. `recordId` is the
 * transcript's id of it, for one that was found there.
 */
export function insertPrompt(
  db: Db,
  sessionRow: number,
  event: SessionEvent,
  recordId: string | null = null,
): { prompt: Prompt; isNew: boolean } {
  const known = findSame(db, sessionRow, event, recordId);
  if (known) {
    db.query(
      `update prompts set prompt_id = coalesce(prompt_id, $promptId), record_id = coalesce(record_id, $recordId),
         via = case when via = 'transcript' then $via else via end
       where session_row = $row and number = $number`,
    ).run({ promptId: event.promptId, recordId, via: event.via, row: sessionRow, number: known.number });
    return { prompt: { ...known, promptId: known.promptId ?? event.promptId }, isNew: false };
  }
  const prompt = db
    .query(
      `insert into prompts (session_row, number, key, prompt_id, record_id, text, private, via, created_at)
       select $row, coalesce(max(number), 0) + 1, $key, $promptId, $recordId, $text, $private, $via, $at
       from prompts where session_row = $row returning ${COLUMNS}`,
    )
    .get({
      row: sessionRow,
      key: event.key,
      promptId: event.promptId,
      recordId,
      text: textOf(event),
      private: event.body.private ? 1 : 0,
      via: event.via,
      at: event.at,
    }) as Prompt;
  return { prompt, isNew: true };
}

/**
 * By key or by the transcript's record; else by the same words at the same time, where one side has no id of the host's to tell it by or the ids
 * agree; else by id and command, whose words the transcript spells in its own way. A prompt that another record of the
 * transcript stands for already is another one.
 */
function findSame(db: Db, sessionRow: number, event: SessionEvent, recordId: string | null): Prompt | null {
  const command = /^\/[\w:.-]+/.exec(textOf(event))?.[0] ?? null;
  return db
    .query(
      `select ${COLUMNS} from prompts
       where session_row = $row and (key = $key or record_id = $recordId
         or (($recordId is null or record_id is null or record_id = $recordId)
           and ((text = $text and abs(created_at - $at) <= ${SAME_PROMPT_MS}
               and (prompt_id is null or $promptId is null or prompt_id = $promptId or prompt_id = record_id))
             or ($command is not null and prompt_id = $promptId and (text = $command or text like $command || ' %')))))
       order by key = $key desc, abs(created_at - $at) limit 1`,
    )
    .get({
      row: sessionRow,
      key: event.key,
      recordId,
      text: textOf(event),
      at: event.at,
      promptId: event.promptId,
      command,
    }) as Prompt | null;
}

function textOf(event: SessionEvent): string {
  return event.body.private ? "" : (event.body.prompt ?? "");
}

/** The transcript shows this prompt too; `true` the first time. */
export function confirmPrompt(db: Db, sessionRow: number, number: number): boolean {
  return (
    db
      .query(
        "update prompts set in_transcript = 1 where session_row = ? and number = ? and in_transcript = 0",
      )
      .run(sessionRow, number).changes > 0
  );
}

/** Whether another session has the prompt of this record: then the record is a copy of that session's history. */
export function isCopiedPrompt(db: Db, host: string, sessionId: string, recordId: string): boolean {
  const row = db
    .query(
      `select 1 from prompts p join sessions s on s.id = p.session_row
       where p.record_id = ? and s.host = ? and s.session_id <> ? limit 1`,
    )
    .get(recordId, host, sessionId);
  return row !== null;
}

/**
 * The turn that an event of this moment (Unix ms) belongs to: by the host's prompt id, whose later prompts were typed
 * while the turn ran; else the newest prompt before it; `null` before the first.
 */
export function promptOf(db: Db, sessionRow: number, promptId: string | null, at: number): Prompt | null {
  if (promptId !== null) {
    const exact = db
      .query(
        `select ${COLUMNS} from prompts where session_row = ? and prompt_id = ? order by created_at, number limit 1`,
      )
      .get(sessionRow, promptId) as Prompt | null;
    if (exact) return exact;
  }
  return db
    .query(
      `select ${COLUMNS} from prompts where session_row = ? and created_at <= ? order by created_at desc, number desc limit 1`,
    )
    .get(sessionRow, at) as Prompt | null;
}

/** The number of the turn before this one in time; `null` for the first. */
export function promptBefore(db: Db, sessionRow: number, prompt: Prompt): number | null {
  const row = db
    .query(
      `select number from prompts where session_row = ? and number <> ? and created_at <= ?
       order by created_at desc, number desc limit 1`,
    )
    .get(sessionRow, prompt.number, prompt.at) as { number: number } | null;
  return row?.number ?? null;
}

/** When the next turn of the session began after `at`; `null` where there is none. */
export function nextPromptAt(db: Db, sessionRow: number, at: number): number | null {
  const row = db
    .query("select min(created_at) as at from prompts where session_row = ? and created_at > ?")
    .get(sessionRow, at) as { at: number | null };
  return row.at;
}

export function findPrompt(db: Db, sessionRow: number, number: number): Prompt | null {
  return db
    .query(`select ${COLUMNS} from prompts where session_row = ? and number = ?`)
    .get(sessionRow, number) as Prompt | null;
}
