/** How much of what may be told, and to whom. */
import type { Observation } from "../core/observation.ts";

export type Plan = {
  now: number;
  /** At most so many lines of notes, and of sessions. */
  notes: number;
  sessions: number;
  /** So many of the best notes are told in full. */
  full: number;
  /** Nothing is too much, and nothing is put together. */
  all: boolean;
  /** The session under way, or the one just left for it; what belongs to it comes first. */
  continues: "compact" | "clear" | null;
  inFull: (id: number) => Observation | undefined;
};
