/** How much of what the host's transcripts show is in the store, and how it came there. */
import type { Db } from "./open.ts";

/** Prompts and tool calls of one session or of many. */
export type Capture = {
  /** Shown by the transcripts read so far. */
  expected: number;
  /** Of these, in the store. */
  captured: number;
  /** Of these, delivered by hooks; the others were found in the transcripts. */
  byHooks: number;
  /** Lines of the transcripts that could not be read. */
  unreadable: number;
};

export type SessionCapture = Capture & {
  sessionId: string;
  startedAt: number;
  project: string;
  /** Whether any hook of the session ran: one from before the installation has none to miss. */
  hooked: boolean;
};

const CAPTURE = `s.expected,
  (select count(*) from confirmed_events c where c.session_row = s.id)
    + (select count(*) from prompts p where p.session_row = s.id and p.in_transcript = 1) as captured,
  (select count(*) from confirmed_events c join events e on e.id = c.event_id
    where c.session_row = s.id and e.via <> 'transcript')
    + (select count(*) from prompts p where p.session_row = s.id and p.in_transcript = 1 and p.via <> 'transcript')
    as byHooks,
  (select coalesce(sum(t.unreadable), 0) from transcripts t where t.host = s.host and t.session_id = s.session_id)
    as unreadable`;

const SESSION = `select s.session_id as sessionId, s.started_at as startedAt, coalesce(p.name, '') as project, ${CAPTURE},
  exists (select 1 from events e where e.session_row = s.id and e.via <> 'transcript') as hooked
  from sessions s left join projects p on p.id = s.project_id`;

type Row = Omit<SessionCapture, "hooked"> & { hooked: 0 | 1 };

/** The newest sessions that have a transcript, newest first. */
export function recentCaptures(db: Db, limit: number): SessionCapture[] {
  const rows = db
    .query(`${SESSION} where s.expected > 0 order by s.last_event_at desc, s.id desc limit ?`)
    .all(limit) as Row[];
  return rows.map(asCapture);
}

/**
 * The project's newest session that began before `before` (Unix ms), so that one just starting is not taken for the
 * last; `null` where there is none or no transcript of it has been read.
 */
export function lastCapture(db: Db, projectId: number, before: number): SessionCapture | null {
  const row = db
    .query(`${SESSION} where s.project_id = ? and s.started_at < ? order by s.last_event_at desc limit 1`)
    .get(projectId, before) as Row | null;
  return row && row.expected > 0 ? asCapture(row) : null;
}

function asCapture(row: Row): SessionCapture {
  return { ...row, hooked: row.hooked === 1 };
}
