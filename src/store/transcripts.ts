/** The host's transcripts: how far each has been read, and which wait to be read on. */
import type { Db } from "./open.ts";

export type Transcript = {
  path: string;
  host: string;
  /** The host's id of the session whose file it is. */
  sessionId: string;
  agentId: string | null;
  agentType: string | null;
  /** What the file looked like where the reading stopped; `null` where none was yet. */
  mark: string | null;
  /** Bytes at the last reading. */
  size: number;
  /** Bytes read so far, up to the end of a line. */
  offset: number;
  /** JSON of the reader; `null` at the beginning. */
  state: string | null;
  unreadable: number;
  attempts: number;
};

const COLUMNS = `path, host, session_id as sessionId, agent_id as agentId, agent_type as agentType, mark,
  size, offset, state, unreadable, attempts`;

export type WantedTranscript = Pick<Transcript, "path" | "host" | "sessionId"> &
  Partial<Pick<Transcript, "agentId" | "agentType">>;

/** Asks for the file to be read on at `at` (Unix ms), or sooner if that was wanted already. */
export function wantTranscript(db: Db, file: WantedTranscript, at: number): void {
  db.query(
    `insert into transcripts (path, host, session_id, agent_id, agent_type, wanted_at)
     values ($path, $host, $session, $agent, $type, $at)
     on conflict (path) do update set wanted_at = min(coalesce(wanted_at, excluded.wanted_at), excluded.wanted_at),
       attempts = 0, agent_type = coalesce(excluded.agent_type, agent_type)`,
  ).run({
    path: file.path,
    host: file.host,
    session: file.sessionId,
    agent: file.agentId ?? null,
    type: file.agentType ?? null,
    at,
  });
}

export function findTranscript(db: Db, path: string): Transcript | null {
  return db.query(`select ${COLUMNS} from transcripts where path = ?`).get(path) as Transcript | null;
}

/** Takes the file that waits longest. The try is counted first, so that one that brings the worker down is given up. */
export function claimTranscript(db: Db, now: number): Transcript | null {
  return db
    .query(
      `update transcripts set attempts = attempts + 1
       where path = (select path from transcripts where wanted_at <= ? order by wanted_at, path limit 1)
       returning ${COLUMNS}`,
    )
    .get(now) as Transcript | null;
}

/** How far the reading has come; `wantedAt` is when it goes on, `null` where all there is has been read. */
export function saveReading(
  db: Db,
  path: string,
  read: Pick<Transcript, "mark" | "size" | "offset" | "state" | "unreadable">,
  wantedAt: number | null,
  now: number,
): void {
  db.query(
    `update transcripts set mark = $mark, size = $size, offset = $offset, state = $state,
       unreadable = $unreadable, wanted_at = $wantedAt, attempts = 0, error = null, read_at = $now where path = $path`,
  ).run({
    mark: read.mark,
    size: read.size,
    offset: read.offset,
    state: read.state,
    unreadable: read.unreadable,
    wantedAt,
    now,
    path,
  });
}

/** The file cannot be read: again when it is wanted again. What was read stays. */
export function failReading(db: Db, path: string, error: string, retryAt: number | null): void {
  db.query("update transcripts set error = $error, wanted_at = $retryAt where path = $path").run({
    error: error.slice(0, 500),
    retryAt,
    path,
  });
}

/** Forgets files that nobody waits for and that were never there, or were last read before `before`. */
export function pruneTranscripts(db: Db, before: number): void {
  db.query("delete from transcripts where wanted_at is null and coalesce(read_at, 0) < ?").run(before);
}

/** When the next file is to be read (Unix ms); `null` where none waits. */
export function nextTranscriptAt(db: Db): number | null {
  const row = db.query("select min(wanted_at) as at from transcripts where wanted_at is not null").get() as {
    at: number | null;
  };
  return row.at;
}

/** Files that are due to be read. */
export function countWantedTranscripts(db: Db, now: number): number {
  return (
    db.query("select count(*) as n from transcripts where wanted_at <= ?").get(now + SOON_MS) as { n: number }
  ).n;
}

/** What is wanted within this time is counted as waiting. */
const SOON_MS = 5_000;
