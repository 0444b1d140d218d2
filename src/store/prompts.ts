import type { SessionEvent } from "../core/event.ts";
import type { Db } from "./open.ts";

export type Prompt = { number: number; text: string; private: 0 | 1; promptId: string | null };

/** Adds the user's prompt as the session's next turn. `null` where the same one is there already. */
export function insertPrompt(db: Db, sessionRow: number, event: SessionEvent): number | null {
  const row = db
    .query(
      `insert or ignore into prompts (session_row, number, key, prompt_id, text, private, created_at)
       select $row, coalesce(max(number), 0) + 1, $key, $promptId, $text, $private, $at
       from prompts where session_row = $row returning number`,
    )
    .get({
      row: sessionRow,
      key: event.key,
      promptId: event.promptId,
      text: event.body.private ? "" : (event.body.prompt ?? ""),
      private: event.body.private ? 1 : 0,
      at: event.at,
    }) as { number: number } | null;
  return row?.number ?? null;
}

const COLUMNS = "number, text, private, prompt_id as promptId";

/** The turn an event belongs to: by the host's prompt id, else the newest; `null` before the first prompt. */
export function promptOf(db: Db, sessionRow: number, promptId: string | null): Prompt | null {
  if (promptId !== null) {
    const exact = db
      .query(
        `select ${COLUMNS} from prompts where session_row = ? and prompt_id = ? order by number desc limit 1`,
      )
      .get(sessionRow, promptId) as Prompt | null;
    if (exact) return exact;
  }
  return db
    .query(`select ${COLUMNS} from prompts where session_row = ? order by number desc limit 1`)
    .get(sessionRow) as Prompt | null;
}

export function findPrompt(db: Db, sessionRow: number, number: number): Prompt | null {
  return db
    .query(`select ${COLUMNS} from prompts where session_row = ? and number = ?`)
    .get(sessionRow, number) as Prompt | null;
}
