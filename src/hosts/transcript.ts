/** What the product needs to know of the log an agent keeps of its own sessions. */
import type { HostEvent } from "./host.ts";

/** A line's place in its file, in bytes; the line end is not counted. */
export type LinePlace = { offset: number; length: number };

/** Something a transcript shows to have happened. */
export type Found = HostEvent & {
  /** Unix milliseconds, from the record itself. */
  at: number;
  /** The record's own id: a fork copies records with it. */
  recordId: string | null;
  /** The branch checked out then, where the record says. */
  branch: string | null;
  /** A call without a result: one may still come. */
  unanswered?: true;
};

/**
 * What a reader has to remember between two readings of a growing file. Holds places, never content: it is kept on
 * disk, and nothing may be kept that has not passed the redaction.
 */
export type TranscriptState = {
  /** Unix milliseconds of the newest record, for those without a time; 0 at the beginning. */
  at: number;
  /** The prompt that what follows belongs to. */
  promptId: string | null;
  /** Calls whose result has not been seen yet, by their ids; `told` once they have been reported without one. */
  pending: Record<string, LinePlace & { told?: true }>;
  /** Where the assistant's latest words of the open turn stand. */
  words: LinePlace | null;
};

export type TranscriptReader = {
  /** What one parsed line shows. Never throws; a line of an unknown kind shows nothing. */
  take(record: unknown, place: LinePlace): Found[];
  /** What is left when nothing more will come: calls without a result, a turn without an end. */
  finish(): Found[];
  state(): TranscriptState;
};

/** One file a session is written to. */
export type TranscriptFile = {
  path: string;
  sessionId: string;
  /** Set for a subagent's file. */
  agentId: string | null;
  agentType: string | null;
};

export type TranscriptFormat = {
  /** The session's own file and those of its subagents, as they are there now; [] for a path that is no transcript. */
  filesOf(path: string): TranscriptFile[];
  /** The transcripts beside this one: those of the same project's other sessions. */
  siblingsOf(path: string): string[];
  /** `reread` gives a line again that was seen in an earlier reading, parsed; `null` where it is gone. */
  createReader(
    file: TranscriptFile,
    state: TranscriptState | null,
    reread: (place: LinePlace) => unknown,
  ): TranscriptReader;
};
