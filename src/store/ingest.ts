/** The one way into the store for what happened: every door's events end here. */
import type { SessionEvent } from "../core/event.ts";
import {
  adoptEvents,
  confirmEvent,
  deleteFoundTurnEnds,
  deleteTurnEvents,
  insertEvent,
  isCopiedCall,
  markUnanswered,
  turnEndsBy,
} from "./events.ts";
import { wantJob } from "./jobs.ts";
import { type Db, inTransaction } from "./open.ts";
import { upsertProject } from "./projects.ts";
import {
  confirmPrompt,
  insertPrompt,
  isCopiedPrompt,
  nextPromptAt,
  type Prompt,
  promptBefore,
  promptOf,
} from "./prompts.ts";
import { endSession, expectMore, openSessions, type Session, touchSession } from "./sessions.ts";
import { wantTranscript } from "./transcripts.ts";

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
  if (event.kind === "prompt") return ingestPrompt(db, session, event, options.now).outcome;
  return ingestEvent(db, session, event, options);
}

function ingestEvent(db: Db, session: Session, event: SessionEvent, options: IngestOptions): keyof Ingested {
  const prompt = promptOf(db, session.id, event.promptId, event.at);
  if (prompt?.private && isOfTurn(event, prompt) && keepsContent(event)) return "private";
  // One that overtook its prompt waits outside all turns rather than in a private one.
  const promptNumber = prompt && (!prompt.private || isOfTurn(event, prompt)) ? prompt.number : 0;
  if (endsTurn(event)) {
    const ended = turnEndsBy(db, session.id, promptNumber);
    if (event.via === "transcript" && ended !== null) return "known";
    if (ended === "transcript") deleteFoundTurnEnds(db, session.id, promptNumber);
  }
  const added = insertEvent(db, session.id, promptNumber, event);
  if (event.kind === "session_end") endSession(db, session.id, event.at, event.body.reason ?? "other");
  wantReading(db, session, event, options.now);
  if (!added) return "known";
  if (event.kind === "session_start") {
    endAbandoned(db, session, event, options);
    if (session.transcriptPath !== null && session.projectId !== null)
      wantJob(db, "discover", { sessionRow: session.id, promptNumber: 0 }, options.now, options.now);
  }
  wantCompression(db, session.id, promptNumber, event, options.now);
  return "stored";
}

function endsTurn(event: SessionEvent): boolean {
  return /^turn_(?:end|failure)$/.test(event.kind) && event.agentId === null;
}

/** What was delivered meanwhile is stored before the transcript is read. */
const READ_AFTER_MS = 300;

/** At the end of a turn or a session, and when one begins, the host's own log may hold what no hook delivered. */
function wantReading(db: Db, session: Session, event: SessionEvent, now: number): void {
  if (event.via === "transcript" || session.transcriptPath === null) return;
  if (!/^(?:turn_end|turn_failure|session_start|session_end)$/.test(event.kind) || event.agentId !== null)
    return;
  wantTranscriptOf(db, session, now + READ_AFTER_MS);
}

export function wantTranscriptOf(db: Db, session: Session, at: number): void {
  if (session.transcriptPath === null) return;
  wantTranscript(db, { path: session.transcriptPath, host: session.host, sessionId: session.sessionId }, at);
}

/** What a record of a transcript turned out to be. `copied`: the history of another session, which has it already. */
export type Confirmed = keyof Ingested | "copied";

/**
 * Stores what a transcript shows where no hook delivered it, and marks it as confirmed either way. The caller opens
 * the transaction, in which it also notes how far the reading has come.
 */
export function ingestFound(
  db: Db,
  event: SessionEvent,
  { recordId, unanswered = false }: { recordId: string | null; unanswered?: boolean },
  options: IngestOptions,
): Confirmed {
  if (isCopy(db, event, recordId)) return "copied";
  const projectId = event.project ? upsertProject(db, event.project, event.at) : null;
  const session = touchSession(db, event, projectId);
  if (event.kind === "prompt") {
    const { outcome, number } = ingestPrompt(db, session, event, options.now, recordId);
    if (!event.body.private && confirmPrompt(db, session.id, number)) expectMore(db, session.id, 1);
    return outcome;
  }
  const outcome = ingestEvent(db, session, event, options);
  if (unanswered && outcome === "stored") markUnanswered(db, event.key);
  if (event.body.tool !== undefined && confirmEvent(db, event.key)) expectMore(db, session.id, 1);
  return outcome;
}

function isCopy(db: Db, event: SessionEvent, recordId: string | null): boolean {
  const { host, sessionId, body } = event;
  if (body.toolUseId) return isCopiedCall(db, host, sessionId, body.toolUseId);
  return event.kind === "prompt" && recordId !== null && isCopiedPrompt(db, host, sessionId, recordId);
}

function ingestPrompt(
  db: Db,
  session: Session,
  event: SessionEvent,
  now: number,
  recordId: string | null = null,
): { outcome: keyof Ingested; number: number } {
  const { prompt, isNew } = insertPrompt(db, session.id, event, recordId);
  const { number, promptId } = prompt;
  const turn = (promptNumber: number) => ({ sessionRow: session.id, promptNumber });
  const until = nextPromptAt(db, session.id, prompt.at);
  // A later prompt with the same id was typed while the turn ran: the turn stays the first one's.
  if (promptOf(db, session.id, promptId, prompt.at)?.number === number) {
    for (const emptied of adoptEvents(db, session.id, { number, promptId, from: prompt.at, until })) {
      wantJob(db, "compress", turn(emptied), now, now);
      if (!isNew) wantJob(db, "compress", turn(number), now, now);
    }
  }
  if (!isNew) return { outcome: "known", number };
  // The host gives no event for an interrupted turn: the next prompt closes it.
  const before = promptBefore(db, session.id, prompt);
  if (before !== null) wantJob(db, "compress", turn(before), now, now);
  if (event.body.private) deleteTurnEvents(db, session.id, number);
  wantJob(db, "compress", turn(number), event.via === "transcript" ? now : now + SETTLE_MS, now);
  return { outcome: event.body.private ? "private" : "stored", number };
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
  // A transcript is read when a turn is over: nothing more of it is awaited.
  const atOnce =
    event.via === "transcript" || /^(turn_end|turn_failure|session_end|compact_start)$/.test(event.kind);
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
    wantTranscriptOf(db, other, options.now);
    const prompt = promptOf(db, other.id, null, other.lastEventAt);
    wantJob(
      db,
      "compress",
      { sessionRow: other.id, promptNumber: prompt?.number ?? 0 },
      options.now,
      options.now,
    );
  }
}
