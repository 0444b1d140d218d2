import type { EventKind, SessionEvent } from "../core/event.ts";
import type { StoredEvent } from "../core/turn.ts";
import { decodeBody, encodeBody } from "./body.ts";
import type { Db } from "./open.ts";

/**
 * Adds the event; `false` where its key is there already. One that was found in a transcript before its hook's
 * delivery came is then the hook's.
 */
export function insertEvent(db: Db, sessionRow: number, promptNumber: number, event: SessionEvent): boolean {
  const result = db
    .query(
      `insert or ignore into events
         (session_row, prompt_number, prompt_id, key, kind, tool, tool_use_id, agent_id, agent_type, cwd, via, body,
          created_at)
       values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    )
    .run(
      sessionRow,
      promptNumber,
      event.promptId,
      event.key,
      event.kind,
      event.body.tool ?? null,
      event.body.toolUseId ?? null,
      event.agentId,
      event.agentType,
      event.cwd,
      event.via,
      encodeBody(event.body),
      event.at,
    );
  if (result.changes > 0) return true;
  if (takeAnswer(db, event)) return true;
  if (event.via !== "transcript") {
    db.query("update events set via = ? where key = ? and via = 'transcript'").run(event.via, event.key);
  }
  return false;
}

/** The result of a call that was stored without one. */
function takeAnswer(db: Db, event: SessionEvent): boolean {
  if (event.body.tool === undefined) return false;
  const { via, kind, key } = event;
  return (
    db
      .query("update events set kind = ?, body = ?, via = ?, unanswered = 0 where key = ? and unanswered = 1")
      .run(kind, encodeBody(event.body), via, key).changes > 0
  );
}

/** The call of this key has no result yet. */
export function markUnanswered(db: Db, key: string): void {
  db.query("update events set unanswered = 1 where key = ?").run(key);
}

/** The transcript shows this event too; `true` the first time. */
export function confirmEvent(db: Db, key: string): boolean {
  return (
    db
      .query(
        "insert or ignore into confirmed_events (event_id, session_row) select id, session_row from events where key = ?",
      )
      .run(key).changes > 0
  );
}

/** Ids shorter than this may come from a host that counts them anew in every session. */
const GLOBAL_ID = 16;

/** Whether another session of the host has this tool call: then a record of it is a copy of that session's history. */
export function isCopiedCall(db: Db, host: string, sessionId: string, toolUseId: string): boolean {
  if (toolUseId.length < GLOBAL_ID) return false;
  const row = db
    .query(
      `select 1 from events e join sessions s on s.id = e.session_row
       where e.tool_use_id = ? and s.host = ? and s.session_id <> ? limit 1`,
    )
    .get(toolUseId, host, sessionId);
  return row !== null;
}

/** Whether the turn has an end of the main agent's that a hook delivered, or one from the transcript. */
export function turnEndsBy(db: Db, sessionRow: number, promptNumber: number): "hook" | "transcript" | null {
  const row = db
    .query(
      `select max(via <> 'transcript') as byHook from events
       where session_row = ? and prompt_number = ? and kind in ('turn_end', 'turn_failure') and agent_id is null`,
    )
    .get(sessionRow, promptNumber) as { byHook: 0 | 1 | null };
  if (row.byHook === null) return null;
  return row.byHook === 1 ? "hook" : "transcript";
}

/** The end that was taken from the transcript makes room for the one the hook delivers. */
export function deleteFoundTurnEnds(db: Db, sessionRow: number, promptNumber: number): void {
  db.query(
    `delete from events where session_row = ? and prompt_number = ? and kind = 'turn_end' and via = 'transcript'`,
  ).run(sessionRow, promptNumber);
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
 * Events that came before their prompt (hooks may overtake each other, and a prompt may be found in a transcript much
 * later) move to its turn: those that name it, and those without a name that happened between it and the next. Answers
 * the turns they were taken from.
 */
export function adoptEvents(
  db: Db,
  sessionRow: number,
  prompt: { number: number; promptId: string | null; from: number; until: number | null },
): number[] {
  const chosen = `session_row = $row and prompt_number <> $number and (prompt_id = $promptId
    or (prompt_id is null and created_at > $from and created_at < $until and kind not in ('session_start', 'session_end')))`;
  const until = prompt.until ?? Number.MAX_SAFE_INTEGER;
  const wanted = {
    row: sessionRow,
    number: prompt.number,
    promptId: prompt.promptId,
    from: prompt.from,
    until,
  };
  const from = db.query(`select distinct prompt_number as n from events where ${chosen}`).all(wanted) as {
    n: number;
  }[];
  if (from.length > 0) db.query(`update events set prompt_number = $number where ${chosen}`).run(wanted);
  return from.map((row) => row.n);
}

/** Removes what a turn holds in words, for one that turned out to be private; the session's start and end stay. */
export function deleteTurnEvents(db: Db, sessionRow: number, promptNumber: number): void {
  db.query(
    `delete from events where session_row = ? and prompt_number = ?
       and kind not in ('session_start', 'session_end')`,
  ).run(sessionRow, promptNumber);
}

/** The main agent's closing words of the turn before this one in time; "" where there are none. */
export function closingBefore(db: Db, sessionRow: number, promptNumber: number): string {
  const row = db
    .query(
      `select e.body from prompts now
       join prompts p on p.session_row = now.session_row and p.created_at < now.created_at
       join events e on e.session_row = p.session_row and e.prompt_number = p.number
       where now.session_row = ? and now.number = ? and e.kind = 'turn_end' and e.agent_id is null
         and p.created_at = (select max(b.created_at) from prompts b
           where b.session_row = now.session_row and b.created_at < now.created_at)
       order by e.created_at desc, e.id desc limit 1`,
    )
    .get(sessionRow, promptNumber) as { body: string | Uint8Array } | null;
  return row ? (decodeBody(row.body).message ?? "") : "";
}
