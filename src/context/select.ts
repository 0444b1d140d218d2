/** Which memories are worth their place at the start of a session. Pure but for the file times it is handed. */
import type { Candidate } from "../store/observations.ts";

export const DAY_MS = 86_400_000;

/**
 * Weights of the ordering. By type: what a person must not miss first. Half-life: after two weeks a note counts
 * half. Touched: a file under work outweighs about a week of age.
 */
const WEIGHTS = {
  type: {
    security_alert: 1.8,
    decision: 1.6,
    bugfix: 1.3,
    feature: 1.2,
    security_note: 1.2,
    discovery: 1.1,
    refactor: 1,
    sensitive: 1,
    change: 0.9,
  } as Record<string, number>,
  /** That checks passed says little a week later: what they checked is told by itself. */
  checks: 0.5,
  halfLifeDays: 14,
  touched: 0.4,
};

export type Ranked = { observation: Candidate; score: number };

/**
 * Observations ordered by worth, best first; ties by the newer, then by id. `today` is the start of the day, so
 * that the order does not move within it. `changedAt` gives a file's last change (Unix ms) or `null`.
 */
export function rankForStart(
  observations: readonly Candidate[],
  today: number,
  changedAt: (path: string) => number | null,
): Ranked[] {
  return observations
    .map((observation) => ({ observation, score: scoreOf(observation, today, changedAt) }))
    .sort(
      (a, b) =>
        b.score - a.score || b.observation.at - a.observation.at || b.observation.id - a.observation.id,
    );
}

function scoreOf(observation: Candidate, today: number, changedAt: (path: string) => number | null): number {
  const ageDays = Math.max(0, Math.floor((today - observation.at) / DAY_MS) + 1);
  const kind =
    (WEIGHTS.type[observation.type] ?? 1) * (observation.unit === "run:checks" ? WEIGHTS.checks : 1);
  const base = kind * 0.5 ** (ageDays / WEIGHTS.halfLifeDays);
  const underWork = observation.filesModified.some((path) => {
    const changed = changedAt(path);
    return changed !== null && changed > observation.at - DAY_MS && changed > today - 3 * DAY_MS;
  });
  return base + (underWork ? WEIGHTS.touched : 0);
}

/**
 * The day a moment belongs to, `YYYY-MM-DD` in UTC. Asking for the local day would load the time zones, which takes
 * longer than all the rest of the telling.
 */
export function dayOf(at: number): string {
  return new Date(at).toISOString().slice(0, 10);
}

/** The beginning of the day of `at`, Unix ms. */
export function startOfDay(at: number): number {
  return at - (at % DAY_MS);
}
