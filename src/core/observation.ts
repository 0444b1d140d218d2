/** What is remembered: observations and summaries, before and after they have a row. */

export const OBSERVATION_TYPES = [
  "bugfix",
  "feature",
  "refactor",
  "change",
  "discovery",
  "decision",
  "security_alert",
  "security_note",
  "sensitive",
] as const;

export const CONCEPTS = [
  "how-it-works",
  "why-it-exists",
  "what-changed",
  "problem-solution",
  "gotcha",
  "pattern",
  "trade-off",
] as const;

/** Whose word it is. Only `user` and `manual` may hold a preference or decision. */
export type Origin = "user" | "assistant" | "tool" | "manual";

/** Which door made it: the two compressors, or a person. */
export type Source = "local" | "model" | "manual";

/**
 * Why a newer observation stands for an older one: it says the same again, it is the fix of what failed, it says
 * otherwise, or it states as a fact what was a guess.
 */
export type SupersededHow = "repeated" | "settled" | "corrected" | "confirmed";

/** An observation as a compressor makes it. Paths are relative to the project's root where they lie in it. */
export type ObservationDraft = {
  /**
   * Identity within its turn (e.g. `edit:src/a.ts`): compressing the same turn again updates the row of
   * the same unit instead of adding one, so ids that were shown stay valid.
   */
  unit: string;
  type: string;
  title: string;
  subtitle: string;
  narrative: string;
  facts: string[];
  concepts: string[];
  filesRead: string[];
  filesModified: string[];
  origin: Origin;
  pinned: boolean;
  /** Said without being sure of it. */
  hypothesis?: boolean;
  agentId: string | null;
  agentType: string | null;
  /** Row ids of the events it was made from. */
  evidence: number[];
  /** Unix milliseconds of the newest evidence. */
  at: number;
};

export type Observation = Omit<ObservationDraft, "evidence" | "hypothesis"> & {
  id: number;
  sessionRowId: number | null;
  projectId: number | null;
  project: string;
  promptNumber: number | null;
  source: Source;
  model: string | null;
  hypothesis: boolean;
  /** The one that stands for it now, itself not superseded. */
  supersededBy: number | null;
  supersededHow: SupersededHow | null;
  /** How often it was noted in all: itself and the repetitions it stands for. */
  times: number;
};

/** A turn's summary as a compressor makes it; empty strings where there is nothing to say. */
export type SummaryDraft = {
  request: string;
  investigated: string;
  learned: string;
  completed: string;
  nextSteps: string;
  notes: string;
  filesRead: string[];
  filesEdited: string[];
  at: number;
};

export type Summary = SummaryDraft & {
  id: number;
  sessionRowId: number;
  sessionId: string;
  projectId: number | null;
  project: string;
  promptNumber: number | null;
  source: Source;
  model: string | null;
};
