/** Taking from the host's own transcripts what no hook delivered, by the same keys and through the same redaction. */
import { statSync } from "node:fs";
import { messageOf } from "../core/errors.ts";
import type { Log } from "../env/log.ts";
import type { Host } from "../hosts/host.ts";
import { HOSTS } from "../hosts/index.ts";
import type { Found, TranscriptFormat, TranscriptState } from "../hosts/transcript.ts";
import { TRANSCRIPTS } from "../hosts/transcripts.ts";
import { type Confirmed, type IngestOptions, ingestFound } from "../store/ingest.ts";
import { type Db, inTransaction, isFaultOfData } from "../store/open.ts";
import { findSessionOfHost } from "../store/sessions.ts";
import {
  claimTranscript,
  failReading,
  findTranscript,
  saveReading,
  type Transcript,
  wantTranscript,
} from "../store/transcripts.ts";
import { type LineFile, openLines, type Slice } from "../transcript/file.ts";
import { eventMaker, type FoundParts, isKeptOut } from "./found.ts";

/** Read at a time: enough to be quick, little enough that events of a live session do not wait. */
const SLICE_BYTES = 2 * 1024 * 1024;
const ATTEMPTS_MAX = 3;
/** A file of a session that never ended, silent for so long (ms), is taken as finished. */
const SILENT_MS = 60 * 60_000;

export type ReconcileParts = FoundParts & { log: Log; options: IngestOptions };

/** Counts of one slice; `null` where no transcript was due. */
export type Reconciled = Record<Confirmed, number> & { path: string; lines: number };

/**
 * Reads on in the transcript that waits longest. What was read and how far is stored in one transaction, so a kill
 * at any moment costs only the repetition. A file that cannot be read is noted and left until it is wanted again.
 */
export function reconcileDue(parts: ReconcileParts): Reconciled | null {
  const { db, log, options } = parts;
  const row = claimTranscript(db, options.now);
  if (!row) return null;
  const failed = (why: string): Reconciled => {
    failReading(db, row.path, why, null);
    log.debug("transcript not read", { path: row.path, why });
    return nothing(row);
  };
  const host = HOSTS[row.host];
  const format = TRANSCRIPTS[row.host];
  if (row.attempts > ATTEMPTS_MAX) return failed("given up: reading it failed again and again");
  if (!host || !format || format.filesOf(row.path).length === 0)
    return failed(`${row.path} is no transcript.`);
  let file: LineFile;
  try {
    file = openLines(row.path);
  } catch (error) {
    return failed(messageOf(error));
  }
  try {
    if (!isKeptOut(parts, host, row)) return readOn(parts, { host, format, row, file });
    const passed = { ...row, size: file.size, offset: file.size, mark: file.markAt(file.size), state: null };
    inTransaction(db, () => saveReading(db, row.path, passed, null, options.now));
    return nothing(row);
  } finally {
    file.close();
  }
}

function nothing(row: Transcript): Reconciled {
  return { path: row.path, lines: 0, stored: 0, known: 0, private: 0, copied: 0 };
}

type Reading = { host: Host; format: TranscriptFormat; row: Transcript; file: LineFile };

function readOn(parts: ReconcileParts, reading: Reading): Reconciled {
  const { db, log, options } = parts;
  const { host, format, row, file } = reading;
  const { found, broken, lines, ...read } = readSlice(parts, reading);
  const result: Reconciled = { ...nothing(row), lines };
  const keep = eventMaker(parts, host, row);
  let refused = 0;
  const ingestOne = (one: Found): void => {
    const event = keep(one);
    if (event) result[ingestFound(db, event, one, options)] += 1;
  };
  inTransaction(db, () => {
    for (const one of found) {
      try {
        inTransaction(db, () => ingestOne(one));
      } catch (error) {
        // One record that the store will not take must not hold back the others.
        if (!isFaultOfData(error)) throw error;
        refused += 1;
        log.error("transcript record passed over", { path: row.path, why: messageOf(error) });
      }
    }
    saveReading(
      db,
      row.path,
      { ...read, unreadable: read.unreadable + refused, size: file.size, mark: file.markAt(read.offset) },
      read.wantedAt,
      options.now,
    );
    if (read.atEnd && row.agentId === null) wantAgents(db, format, row, options.now);
  });
  if (broken > 0) log.warn("transcript lines passed over", { path: row.path, lines: broken });
  if (result.stored > 0) log.info("found in the transcript", { path: row.path, stored: result.stored });
  return result;
}

/** What the next slice of the file shows, and where and when the reading goes on after it. */
function readSlice(parts: ReconcileParts, { format, row, file }: Reading) {
  const start = fresh(row, file);
  const slice = file.slice(start.offset, SLICE_BYTES);
  const reread = (place: { offset: number; length: number }) => parsed(file.line(place.offset, place.length));
  const reader = format.createReader(row, start.state ? stateOf(start.state) : null, reread);
  const found: Found[] = [];
  let broken = slice.tooLong;
  for (const line of slice.lines) {
    const record = parsed(line.text);
    if (record === undefined) broken += line.text.trim() === "" ? 0 : 1;
    else found.push(...reader.take(record, { offset: line.offset, length: line.length }));
  }
  const over = slice.atEnd && isOver(parts, row, file);
  const offset = over ? finish({ file, slice, found }, reader) : slice.next;
  const state = reader.state();
  return {
    found,
    broken,
    lines: slice.lines.length,
    atEnd: slice.atEnd,
    offset,
    state: JSON.stringify(state),
    unreadable: start.unreadable + broken,
    wantedAt: nextReading({ file, slice, over }, state, parts.options.now),
  };
}

/** Where the file was replaced, rewritten or cut, it is read from its start: what is known already stays as it is. */
function fresh(row: Transcript, file: LineFile): Transcript {
  const same = row.mark === null || (file.size >= row.offset && row.mark === file.markAt(row.offset));
  return same ? row : { ...row, offset: 0, state: null, unreadable: 0 };
}

/** Whether nothing more is to be expected of the session: it has ended, or is silent and its program gone. */
function isOver(parts: ReconcileParts, row: Transcript, file: LineFile): boolean {
  const session = findSessionOfHost(parts.db, row.host, row.sessionId);
  if (session && session.endedAt !== null) return true;
  const pid = session?.hostPid ?? null;
  const lives = pid !== null && parts.options.isAlive(pid);
  return !lives && parts.options.now - file.changedAt > SILENT_MS;
}

/** Takes what the end of a finished session leaves open; answers where the next reading begins. */
function finish(
  at: { file: LineFile; slice: Slice; found: Found[] },
  reader: ReturnType<TranscriptFormat["createReader"]>,
): number {
  const { file, slice, found } = at;
  const rest = file.rest(slice.next);
  const record = rest && parsed(rest.text);
  const whole = rest !== null && record !== undefined;
  if (whole) found.push(...reader.take(record, rest));
  found.push(...reader.finish());
  return whole ? file.size : slice.next;
}

/** When the reading goes on: at once where more is there; once the session must be over where something is still open. */
function nextReading(
  at: { file: LineFile; slice: Slice; over: boolean },
  state: TranscriptState,
  now: number,
): number | null {
  if (!at.slice.atEnd) return now;
  const open = state.words !== null || Object.values(state.pending).some((call) => !call.told);
  return open && !at.over ? Math.max(now, at.file.changedAt + SILENT_MS) + 1_000 : null;
}

/** Subagents write to files of their own, wanted where they are new or have grown. */
function wantAgents(db: Db, format: TranscriptFormat, row: Transcript, now: number): void {
  for (const file of format.filesOf(row.path)) {
    if (file.agentId === null) continue;
    const size = statSync(file.path, { throwIfNoEntry: false })?.size ?? 0;
    if (size === findTranscript(db, file.path)?.size) continue;
    wantTranscript(db, { ...file, host: row.host }, now);
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function stateOf(text: string): TranscriptState | null {
  const value = parsed(text) as Partial<TranscriptState> | undefined;
  if (!value?.pending) return null;
  const { at = 0, promptId = null, pending, words = null } = value;
  return { at, promptId, pending, words };
}
