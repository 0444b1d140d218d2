/** A session told as one, from the summaries of its turns. */
import type { Summary } from "../core/observation.ts";

export type WholeSession = {
  at: number;
  asked: string;
  investigated: string;
  learned: string;
  completed: string;
  nextSteps: string;
  notes: string;
};

/** A prompt as short as this ("ok", "yes, go on") says nothing about what a session was for. */
const TELLING_PROMPT = 24;

/**
 * What a session was about: what it was asked first, and last where that is something else; what it learned and did
 * most recently; and only the next steps that no later turn came after with others.
 */
export function wholeSession(turns: readonly Summary[]): WholeSession | null {
  const last = turns.at(-1);
  if (!last) return null;
  const latest = (pick: (turn: Summary) => string, count: number) =>
    [...new Set(turns.map(pick).filter((text) => text.trim() !== ""))].slice(-count).join(" ");
  const requests = turns.map((turn) => turn.request).filter((request) => request.length >= TELLING_PROMPT);
  const [first = last.request, final = first] = [requests[0], requests.at(-1)];
  return {
    at: last.at,
    asked: first === final ? first : `${first} · then: ${final}`,
    investigated: latest((turn) => turn.investigated, 1),
    learned: latest((turn) => turn.learned, 2),
    completed: latest((turn) => turn.completed, 3),
    nextSteps: latest((turn) => turn.nextSteps, 1),
    notes: latest((turn) => turn.notes, 1),
  };
}
