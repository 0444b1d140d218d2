/** Trouble of hooks: they never fail loudly, so it is counted here and said once where it can be said. */
import { appendFileSync, readFileSync, renameSync, rmSync, statSync } from "node:fs";
import { ensureDir, readJsonObject, writeAtomic } from "../env/files.ts";
import type { Paths } from "../env/paths.ts";

export type Failures = { consecutive: number; last: string; since: string; told: boolean };

const NONE: Failures = { consecutive: 0, last: "", since: "", told: false };
/** A marker file this long has made its point. */
const BROKEN_MAX_BYTES = 1024 * 1024;

/** Failures in a row, as they stand. */
export function readFailures(paths: Paths): Failures {
  const stored = readJsonObject(paths.state.failures);
  if (!stored) return NONE;
  return {
    consecutive: typeof stored.consecutive === "number" ? stored.consecutive : 0,
    last: typeof stored.last === "string" ? stored.last : "",
    since: typeof stored.since === "string" ? stored.since : "",
    told: stored.told === true,
  };
}

/** One more. Never throws: where even this cannot be written, the next start notices by itself. */
export function countFailure(paths: Paths, why: string, now: number): void {
  const before = readFailures(paths);
  save(paths, {
    consecutive: before.consecutive + 1,
    last: why.slice(0, 500),
    since: before.since || new Date(now).toISOString(),
    told: before.told,
  });
}

/** A success ends the row. */
export function resetFailures(paths: Paths): void {
  try {
    if (statSync(paths.state.failures, { throwIfNoEntry: false }))
      rmSync(paths.state.failures, { force: true });
  } catch {
    // Read-only state: it was written by nobody then, or stays until the directory can be written again.
  }
}

/**
 * The sentence to tell when failures in a row have reached `threshold` and the user was not told yet; `null`
 * otherwise. It is only given where it could be noted that it was, so that it is said once.
 */
export function takeFailureNotice(paths: Paths, threshold: number): string | null {
  const failures = readFailures(paths);
  if (failures.consecutive < threshold || failures.told) return null;
  if (!save(paths, { ...failures, told: true })) return null;
  return `Throughline could not keep the last ${failures.consecutive} events (${failures.last}); run \`npx throughline doctor\`.`;
}

/** The user heard of this row in other words. */
export function noteFailuresTold(paths: Paths): void {
  save(paths, { ...readFailures(paths), told: true });
}

function save(paths: Paths, failures: Failures): boolean {
  try {
    writeAtomic(paths.state.failures, `${JSON.stringify(failures)}\n`);
    return true;
  } catch {
    return false;
  }
}

/** Notes a payload that arrived empty or broken: one appended line, so that hooks side by side lose no count. */
export function countBrokenPayload(
  paths: Paths,
  event: string,
  kind: "empty" | "malformed",
  now: number,
): void {
  try {
    ensureDir(paths.state.root);
    if ((statSync(paths.state.broken, { throwIfNoEntry: false })?.size ?? 0) > BROKEN_MAX_BYTES) return;
    appendFileSync(paths.state.broken, `${new Date(now).toISOString()} ${kind} ${event}\n`, { mode: 0o600 });
  } catch {
    // Nothing can be written: the start that follows says so.
  }
}

export type BrokenCounts = { total: number; empty: number; malformed: number; toolCalls: number };

/** What arrived broken since it was last told. */
export function readBroken(file: string): BrokenCounts {
  const counts = { total: 0, empty: 0, malformed: 0, toolCalls: 0 };
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch {
    return counts;
  }
  for (const line of text.split("\n")) {
    const [, kind, event] = line.split(" ");
    if (kind !== "empty" && kind !== "malformed") continue;
    counts.total += 1;
    counts[kind] += 1;
    if (event?.startsWith("PostToolUse")) counts.toolCalls += 1;
  }
  return counts;
}

/** The same, and it counts as told from now on (the lines are kept for `doctor` beside the marker). */
export function takeBroken(paths: Paths): BrokenCounts {
  const counts = readBroken(paths.state.broken);
  if (counts.total === 0) return counts;
  try {
    renameSync(paths.state.broken, `${paths.state.broken}.told`);
    return counts;
  } catch {
    return { total: 0, empty: 0, malformed: 0, toolCalls: 0 };
  }
}

/** One line about broken payloads; `captured` is how many tool calls of the last session were kept. */
export function brokenNotice(counts: BrokenCounts, captured: number | null): string | null {
  if (counts.total === 0) return null;
  const kinds = [
    counts.empty > 0 ? `${counts.empty} empty` : "",
    counts.malformed > 0 ? `${counts.malformed} malformed` : "",
  ].filter(Boolean);
  const arrived = `${counts.total} hook payload${counts.total === 1 ? "" : "s"} arrived broken (${kinds.join(", ")})`;
  const share =
    counts.toolCalls > 0 && captured !== null
      ? `captured ${captured} of ${captured + counts.toolCalls} last session; `
      : "";
  return `Throughline ${share}${arrived} — run \`npx throughline doctor\`.`;
}
