import type { SessionEvent } from "../core/event.ts";
import type { Db } from "./open.ts";

export type Session = {
  id: number;
  host: string;
  sessionId: string;
  projectId: number | null;
  root: string | null;
  transcriptPath: string | null;
  hostPid: number | null;
  startedAt: number;
  lastEventAt: number;
  endedAt: number | null;
};

const COLUMNS = `id, host, session_id as sessionId, project_id as projectId, root,
  transcript_path as transcriptPath, host_pid as hostPid,
  started_at as startedAt, last_event_at as lastEventAt, ended_at as endedAt`;

/**
 * The session of an event, made on first sight. Its project is set once, by the first event that knows one; what
 * is known later only fills gaps. A start or a prompt after the end (a resumed session) opens it again; a tool call
 * that comes in late does not.
 */
export function touchSession(db: Db, event: SessionEvent, projectId: number | null): Session {
  return db
    .query(
      `insert into sessions (host, session_id, project_id, root, worktree, transcript_path, host_pid, branch,
         started_at, last_event_at, opened_at)
       values ($host, $sessionId, $projectId, $root, $worktree, $transcript, $pid, $branch, $at, $at, $opened)
       on conflict (host, session_id) do update set
         root = case when project_id is null and excluded.project_id is not null then excluded.root else root end,
         worktree = coalesce(worktree, excluded.worktree),
         project_id = coalesce(project_id, excluded.project_id),
         transcript_path = coalesce(excluded.transcript_path, transcript_path),
         host_pid = coalesce(excluded.host_pid, host_pid),
         branch = case when excluded.last_event_at >= last_event_at then coalesce(excluded.branch, branch)
           else coalesce(branch, excluded.branch) end,
         started_at = min(started_at, excluded.started_at),
         last_event_at = max(last_event_at, excluded.last_event_at),
         opened_at = max(opened_at, excluded.opened_at),
         end_reason = case when excluded.opened_at > ended_at then null else end_reason end,
         ended_at = case when excluded.opened_at > ended_at then null else ended_at end
       returning ${COLUMNS}`,
    )
    .get({
      host: event.host,
      sessionId: event.sessionId,
      projectId,
      root: event.project?.root ?? event.cwd,
      worktree: event.project?.worktree ?? null,
      transcript: event.transcriptPath,
      pid: event.hostPid,
      branch: event.branch ?? null,
      at: event.at,
      opened: event.kind === "session_start" || event.kind === "prompt" ? event.at : 0,
    }) as Session;
}

/**
 * An end that is older than the newest start or prompt, a second delivery or one that was overtaken, ends nothing; of
 * two ends the later one stands.
 */
export function endSession(db: Db, id: number, at: number, reason: string): void {
  db.query(
    `update sessions set ended_at = $at, end_reason = $reason
     where id = $id and opened_at <= $at and coalesce(ended_at, 0) <= $at`,
  ).run({ at, reason, id });
}

/** The session with this id of the host's. */
export function findSessionOfHost(db: Db, host: string, sessionId: string): Session | null {
  return db
    .query(`select ${COLUMNS} from sessions where host = ? and session_id = ?`)
    .get(host, sessionId) as Session | null;
}

/** So many more prompts and tool calls are known from the session's transcripts. */
export function expectMore(db: Db, id: number, count: number): void {
  db.query("update sessions set expected = expected + ? where id = ?").run(count, id);
}

export function findSession(db: Db, id: number): Session | null {
  return db.query(`select ${COLUMNS} from sessions where id = ?`).get(id) as Session | null;
}

/** Sessions of a project that nobody has ended, but for the one with id `except`. */
export function openSessions(db: Db, projectId: number, except: number): Session[] {
  return db
    .query(`select ${COLUMNS} from sessions where project_id = ? and id <> ? and ended_at is null`)
    .all(projectId, except) as Session[];
}

/** Sessions that have been silent since `before` without an end. */
export function silentSessions(db: Db, before: number, limit = 100): Session[] {
  return db
    .query(`select ${COLUMNS} from sessions where ended_at is null and last_event_at < ? limit ?`)
    .all(before, limit) as Session[];
}

/**
 * How many tool calls are kept of the project's newest session that began before `before` (Unix ms), so that one
 * just starting is not taken for the last; `null` where there is no session.
 */
export function lastSessionToolCalls(db: Db, projectId: number, before: number): number | null {
  const row = db
    .query(
      `select (select count(*) from events e where e.session_row = s.id and e.kind in ('tool', 'tool_failure')) as n
       from sessions s where s.project_id = ? and s.started_at < ? order by s.last_event_at desc limit 1`,
    )
    .get(projectId, before) as { n: number } | null;
  return row?.n ?? null;
}
