/** Taking from the host's own transcripts what no hook delivered, by the same keys and through the same redaction. */
import { statSync } from "node:fs";
import { dirname } from "node:path";
import { messageOf } from "../core/errors.ts";
import type { ProjectRef } from "../core/event.ts";
import type { Log } from "../env/log.ts";
import type { Env, Paths } from "../env/paths.ts";
import { resolveProject } from "../env/project.ts";
import type { Settings } from "../env/settings.ts";
import type { Host } from "../hosts/host.ts";
import { HOSTS } from "../hosts/index.ts";
import type { Found, TranscriptFormat, TranscriptState } from "../hosts/transcript.ts";
import { TRANSCRIPTS } from "../hosts/transcripts.ts";
import { type Confirmed, type IngestOptions, ingestFound } from "../store/ingest.ts";
import { type Db, inTransaction } from "../store/open.ts";
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
import { completeEvent } from "./complete.ts";
import { isPassedOver } from "./passed-over.ts";
import { isExcluded, isSkippedTool } from "./skip.ts";

/** Read at a time: enough to be quick, little enough that events of a live session do not wait. */
const SLICE_BYTES = 2 * 1024 * 1024;
const ATTEMPTS_MAX = 3;
/** A file of a session that never ended, silent for so long (ms), is taken as finished. */
const SILENT_MS = 60 * 60_000;

export type ReconcileParts = {
  db: Db;
  paths: Paths;
  env: Env;
  settings: Settings;
  log: Log;
  options: IngestOptions;
};

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
  const nothing: Reconciled = { path: row.path, lines: 0, stored: 0, known: 0, private: 0, copied: 0 };
  const host = HOSTS[row.host];
  const format = TRANSCRIPTS[row.host];
  if (!host || !format || row.attempts > ATTEMPTS_MAX) {
    failReading(db, row.path, "given up: reading it failed again and again", null);
    log.error("transcript given up", { path: row.path, attempts: row.attempts });
    return nothing;
  }
  let file: LineFile;
  try {
    file = openLines(row.path);
  } catch (error) {
    failReading(db, row.path, messageOf(error), null);
    log.debug("transcript not read", { path: row.path, why: messageOf(error) });
    return nothing;
  }
  try {
    if (isKeptOut(parts, host, row)) {
      const passed = {
        ...row,
        size: file.size,
        offset: file.size,
        mark: file.markAt(file.size),
        state: null,
      };
      inTransaction(db, () => saveReading(db, row.path, passed, null, options.now));
      return nothing;
    }
    return readOn(parts, { host, format, row, file });
  } finally {
    file.close();
  }
}

type Reading = { host: Host; format: TranscriptFormat; row: Transcript; file: LineFile };

function readOn(parts: ReconcileParts, { host, format, row, file }: Reading): Reconciled {
  const { db, log, options } = parts;
  const start = fresh(row, file);
  const slice = file.slice(start.offset, SLICE_BYTES);
  const reread = (place: { offset: number; length: number }) => parsed(file.line(place.offset, place.length));
  const place = { path: row.path, sessionId: row.sessionId, agentId: row.agentId, agentType: row.agentType };
  const reader = format.createReader(place, start.state ? stateOf(start.state) : null, reread);
  let broken = slice.tooLong;
  const found: Found[] = [];
  for (const line of slice.lines) {
    const record = parsed(line.text);
    if (record === undefined) broken += line.text.trim() === "" ? 0 : 1;
    else found.push(...reader.take(record, { offset: line.offset, length: line.length }));
  }
  const over = slice.atEnd && isOver(parts, row, file);
  const next = over ? finish({ file, slice, found }, reader) : slice.next;
  const result: Reconciled = {
    path: row.path,
    lines: slice.lines.length,
    stored: 0,
    known: 0,
    private: 0,
    copied: 0,
  };
  const state = JSON.stringify(reader.state());
  const wantedAt = nextReading({ file, slice, over }, reader.state(), options.now);
  const read = {
    mark: file.markAt(next),
    size: file.size,
    offset: next,
    state,
    unreadable: start.unreadable + broken,
  };
  const keep = eventMaker(parts, host, row);
  inTransaction(db, () => {
    for (const one of found) {
      const event = keep(one);
      if (event) result[ingestFound(db, event, one, options)] += 1;
    }
    saveReading(db, row.path, read, wantedAt, options.now);
    if (slice.atEnd && row.agentId === null) wantAgents(db, format, row, options.now);
  });
  if (broken > 0) log.warn("transcript lines passed over", { path: row.path, lines: broken });
  if (result.stored > 0) log.info("found in the transcript", { path: row.path, stored: result.stored });
  return result;
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

function isKeptOut(parts: ReconcileParts, host: Host, row: Transcript): boolean {
  if (isPassedOver(parts.paths, row.sessionId)) return true;
  const session = findSessionOfHost(parts.db, row.host, row.sessionId);
  if (!session?.root) return false;
  const place = resolveProject(session.root, parts.env, ownDirs(parts, host, row));
  return isExcluded(place, session.root, parts.settings, parts.env);
}

/** Turns what was found into events that may be kept; `null` for what hooks would have passed over too. */
function eventMaker(parts: ReconcileParts, host: Host, row: Transcript) {
  const { db, env, settings } = parts;
  const projects = new Map<string, { project: ProjectRef | null; out: boolean }>();
  const projectOf = (found: Found) => {
    const known = projects.get(found.sessionId);
    if (known) return known;
    // A session's project is the one it was started for: the directory may move later.
    const session = findSessionOfHost(db, row.host, found.sessionId);
    const dir = session?.projectId ? session.root : found.cwd;
    const place = dir ? resolveProject(dir, env, ownDirs(parts, host, row)) : null;
    const out =
      (place !== null && dir !== null && isExcluded(place, dir, settings, env)) ||
      isPassedOver(parts.paths, found.sessionId);
    const of = { project: session?.projectId ? null : (place?.project ?? null), out };
    projects.set(found.sessionId, of);
    return of;
  };
  return (found: Found) => {
    if (found.body.tool !== undefined && isSkippedTool(host, found, settings)) return null;
    const { project, out } = projectOf(found);
    if (out) return null;
    const { at, recordId: _, branch, unanswered: _u, ...happened } = found;
    const transcriptPath = found.sessionId === row.sessionId && row.agentId === null ? row.path : null;
    const event = completeEvent(
      { ...happened, transcriptPath },
      { host: row.host, at, project, hostPid: null, via: "transcript" },
    );
    return { ...event, branch };
  };
}

/** A transcript lies in the host's own folder, wherever that is. */
function ownDirs(parts: ReconcileParts, host: Host, row: Transcript): string[] {
  return [parts.paths.data, ...host.ownDirs(parts.env), dirname(row.path)];
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
