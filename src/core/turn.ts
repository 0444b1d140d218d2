/** The compressor's contract: a pure function of a stored turn. */
import type { SessionEvent } from "./event.ts";
import type { ObservationDraft, SummaryDraft } from "./observation.ts";

export type StoredEvent = Pick<SessionEvent, "kind" | "at" | "agentId" | "agentType" | "cwd" | "body"> & {
  /** Row id in the store. */
  id: number;
};

/** Everything that happened between one prompt of the user and the next. */
export type Turn = {
  /** Absolute directory that file paths are shown relative to; `null` outside projects. */
  root: string | null;
  /** 1-based; 0 holds what came before the first prompt. */
  promptNumber: number;
  /** What the user asked, redacted; empty where unknown. */
  prompt: string;
  /** The assistant's closing words of the turn before, to which a prompt like "yes" answers; absent where unknown. */
  previous?: string;
  /** In order of happening. */
  events: StoredEvent[];
};

export type Compressed = {
  observations: ObservationDraft[];
  /** `null` where the turn is not worth a summary. */
  summary: SummaryDraft | null;
};

/** Same turn in, same result out; no clock, no disk, no network. */
export type Compressor = (turn: Turn) => Compressed;
