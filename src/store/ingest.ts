/** The one way into the store for what happened: every door's events end here. */
import type { SessionEvent } from "../core/event.ts";
import { adoptEvents, deleteTurnEvents, insertEvent } from "./events.ts";
import { wantJob } from "./jobs.ts";
import { type Db, inTransaction } from "./open.ts";
import { upsertProject } from "./projects.ts";
import { insertPrompt, type Prompt, promptOf } from "./prompts.ts";
import { endSession, openSessions, type Session, touchSession } from "./sessions.ts";

export type Ingested = { stored: number; known: number; private: number };

export type IngestOptions = {
  now: number;
  /** Whether the process with this id lives; decides which open sessions a new one ends. */
  isAlive: (pid: number) => boolean;
};

/** A turn under way is compressed when nothing more came for so long, so that a killed session is remembered too. */
const SETTLE_MS = 15_000;

/**
 * Stores a batch in one transaction, each event once by its key, and asks for the work that follows. Pure of
 * clocks and processes: both come with the options.
 */
export function ingest(db: Db, events: readonly SessionEvent[], options: IngestOptions): Ingested {
  const result: Ingested = { stored: 0, known: 0, private: 0 };
  inTransaction(db, () => {
    for (const event of events) result[ingestOne(db, event, options)] += 1;
  });
  return result;
}

function ingestOne(db: Db, event: SessionEvent, options: IngestOptions): keyof Ingested {
  const projectId = event.project ? upsertProject(db, event.project, event.at) : null;
  const session = touchSession(db, event, projectId);
  if (event.kind === "prompt") return ingestPrompt(db, session, event, options.now);

  const prompt = promptOf(db, session.id, event.promptId);
  if (prompt?.private && isOfTurn(event, prompt) && keepsContent(event)) return "private";
  // One that overtook its prompt waits outside all turns rather than in a private one.
  const promptNumber = prompt && (!prompt.private || isOfTurn(event, prompt)) ? prompt.number : 0;
  const added = insertEvent(db, session.id, promptNumber, event);
  if (event.kind === "session_end") endSession(db, session.id, event.at, event.body.reason ?? "other");
  if (!added) return "known";
  if (event.kind === "session_start") endAbandoned(db, session, event, options);
  wantCompression(db, session.id, promptNumber, event, options.now);
  return "stored";
}

function ingestPrompt(db: Db, session: Session, event: SessionEvent, now: number): keyof Ingested {
  const number = insertPrompt(db, session.id, event);
  if (number === null) return "known";
  const turn = (promptNumber: number) => ({ sessionRow: session.id, promptNumber });
  // The host gives no event for an interrupted turn: the next prompt closes it.
  if (number > 1) wantJob(db, "compress", turn(number - 1), now, now);
  if (event.promptId !== null) {
    for (const emptied of adoptEvents(db, session.id, event.promptId, number)) {
      wantJob(db, "compress", turn(emptied), now, now);
    }
  }
  if (event.body.private) deleteTurnEvents(db, session.id, number);
  wantJob(db, "compress", turn(number), now + SETTLE_MS, now);
  return event.body.private ? "private" : "stored";
}

/** Where either side has no id of the host's, the newest turn is the event's. */
function isOfTurn(event: SessionEvent, prompt: Prompt): boolean {
  return event.promptId === null || prompt.promptId === null || event.promptId === prompt.promptId;
}

/** Of a private turn only that the session began or ended in it is kept, neither of which holds words. */
function keepsContent(event: SessionEvent): boolean {
  return event.kind !== "session_start" && event.kind !== "session_end";
}

function wantCompression(
  db: Db,
  sessionRow: number,
  promptNumber: number,
  event: SessionEvent,
  now: number,
): void {
  if (event.kind === "session_start") return;
  const atOnce = /^(turn_end|turn_failure|session_end|compact_start)$/.test(event.kind);
  wantJob(db, "compress", { sessionRow, promptNumber }, atOnce ? now : now + SETTLE_MS, now);
}

/**
 * A new session ends those of its project that nobody ended: the host's process is gone, or it is the very one
 * that now runs the new session. Two agents side by side leave each other alone.
 */
function endAbandoned(db: Db, session: Session, event: SessionEvent, options: IngestOptions): void {
  if (session.projectId === null || !/^(startup|clear)$/.test(event.body.reason ?? "startup")) return;
  for (const other of openSessions(db, session.projectId, session.id)) {
    const lives = other.hostPid !== null && other.hostPid !== event.hostPid && options.isAlive(other.hostPid);
    if (lives || other.lastEventAt > event.at) continue;
    endSession(db, other.id, other.lastEventAt, "abandoned");
    const prompt = promptOf(db, other.id, null);
    wantJob(
      db,
      "compress",
      { sessionRow: other.id, promptNumber: prompt?.number ?? 0 },
      options.now,
      options.now,
    );
  }
}
