import type { EventBody, EventKind, SessionEvent } from "../core/event.ts";
import type { StoredEvent } from "../core/turn.ts";
import type { Db } from "./open.ts";

/** Shorter bodies gain nothing from deflate. */
const DEFLATE_FROM = 400;

/** Adds the event; `false` where its key is there already. */
export function insertEvent(db: Db, sessionRow: number, promptNumber: number, event: SessionEvent): boolean {
  const result = db
    .query(
      `insert or ignore into events
         (session_row, prompt_number, prompt_id, key, kind, tool, agent_id, agent_type, cwd, via, body, created_at)
       values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    )
    .run(
      sessionRow,
      promptNumber,
      event.promptId,
      event.key,
      event.kind,
      event.body.tool ?? null,
      event.agentId,
      event.agentType,
      event.cwd,
      event.via,
      encodeBody(event.body),
      event.at,
    );
  return result.changes > 0;
}

/** The events of one turn in order of happening. */
export function turnEvents(db: Db, sessionRow: number, promptNumber: number): StoredEvent[] {
  const rows = db
    .query(
      `select id, kind, agent_id as agentId, agent_type as agentType, cwd, body, created_at as at
       from events where session_row = ? and prompt_number = ? order by created_at, id`,
    )
    .all(sessionRow, promptNumber) as (Omit<StoredEvent, "body" | "kind"> & {
    kind: EventKind;
    body: string | Uint8Array;
  })[];
  return rows.map((row) => ({ ...row, body: decodeBody(row.body) }));
}

/**
 * Events that came before their prompt (hooks may overtake each other) move to its turn. Answers the turns they
 * were taken from.
 */
export function adoptEvents(db: Db, sessionRow: number, promptId: string, promptNumber: number): number[] {
  const from = db
    .query(
      "select distinct prompt_number as n from events where session_row = ? and prompt_id = ? and prompt_number <> ?",
    )
    .all(sessionRow, promptId, promptNumber) as { n: number }[];
  if (from.length > 0) {
    db.query("update events set prompt_number = ? where session_row = ? and prompt_id = ?").run(
      promptNumber,
      sessionRow,
      promptId,
    );
  }
  return from.map((row) => row.n);
}

/** Removes what a turn holds in words, for one that turned out to be private; the session's start and end stay. */
export function deleteTurnEvents(db: Db, sessionRow: number, promptNumber: number): void {
  db.query(
    `delete from events where session_row = ? and prompt_number = ?
       and kind not in ('session_start', 'session_end')`,
  ).run(sessionRow, promptNumber);
}

function encodeBody(body: EventBody): string | Uint8Array {
  const text = JSON.stringify(body);
  if (text.length < DEFLATE_FROM) return text;
  const packed = Bun.deflateSync(Buffer.from(text), { level: 3 });
  return packed.length < text.length ? packed : text;
}

function decodeBody(stored: string | Uint8Array): EventBody {
  const text =
    typeof stored === "string" ? stored : new TextDecoder().decode(Bun.inflateSync(new Uint8Array(stored)));
  return JSON.parse(text) as EventBody;
}
