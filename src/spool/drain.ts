/** The spool's reading end. */
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, unlinkSync } from "node:fs";
import { join } from "node:path";
import { EVENT_KINDS, type SessionEvent } from "../core/event.ts";
import { ensureDir } from "../env/files.ts";
import type { Paths } from "../env/paths.ts";

export type SpoolEntry = { name: string; event: SessionEvent };

/** Files older than this in `tmp` belong to no living hook: it was killed before it acknowledged. */
const ABANDONED_AFTER_MS = 60_000;
/** A spool that something else fills with garbage must not grow without end. */
const BAD_FILES_KEPT = 200;

/** Names of all waiting events, oldest first. An absent spool is an empty one. */
export function listSpool(spool: Paths["spool"]): string[] {
  try {
    return readdirSync(spool.new)
      .filter((name) => name.endsWith(".json"))
      .sort();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return [];
    throw error;
  }
}

/**
 * Reads the named events. What is no event is told through `onBad`: moved to `bad`, or, where it `stays`, left where
 * it is for a newer version or a better moment. One that vanished (another reader) is passed over.
 */
export function readSpool(
  spool: Paths["spool"],
  names: readonly string[],
  onBad: (name: string, why: string, stays: boolean) => void,
): SpoolEntry[] {
  const entries: SpoolEntry[] = [];
  for (const name of names) {
    let text: string;
    try {
      text = readFileSync(join(spool.new, name), "utf8");
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === "ENOENT") continue;
      // Too many open files, a failing disk: it may be readable again, and it is somebody's event.
      onBad(name, `cannot be read: ${(error as Error).message}`, true);
      continue;
    }
    const event = parseSpoolFile(text);
    if (event === "newer") onBad(name, "was written by a newer version", true);
    else if (event) entries.push({ name, event });
    else {
      onBad(name, "holds no event", false);
      setAside(spool, name);
    }
  }
  return entries;
}

/** Deletes what is now in the store. */
export function removeFromSpool(spool: Paths["spool"], names: readonly string[]): void {
  for (const name of names) {
    try {
      unlinkSync(join(spool.new, name));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
    }
  }
}

/** Moves one file out of the way, so that the rest goes on; what was in it stays to be looked at. */
export function setAside(spool: Paths["spool"], name: string): void {
  ensureDir(spool.bad);
  try {
    renameSync(join(spool.new, name), join(spool.bad, name));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
  }
  for (const old of readdirSync(spool.bad).sort().slice(0, -BAD_FILES_KEPT))
    rmSync(join(spool.bad, old), { force: true });
}

/**
 * Looks through what killed hooks left: a whole event moves into the spool (its key keeps it single), a half
 * one is deleted; its hook never said that it had been stored.
 */
export function rescueAbandoned(spool: Paths["spool"], now: number): { rescued: number; dropped: number } {
  const result = { rescued: 0, dropped: 0 };
  let names: string[];
  try {
    names = readdirSync(spool.tmp);
  } catch {
    return result;
  }
  for (const name of names) {
    const path = join(spool.tmp, name);
    const stat = statSync(path, { throwIfNoEntry: false });
    if (!stat || Math.abs(now - stat.mtimeMs) < ABANDONED_AFTER_MS) continue;
    try {
      if (name.endsWith(".json") && parseSpoolFile(readFileSync(path, "utf8"))) {
        mkdirSync(spool.new, { recursive: true, mode: 0o700 });
        renameSync(path, join(spool.new, name));
        result.rescued += 1;
      } else {
        rmSync(path, { force: true });
        result.dropped += 1;
      }
    } catch {
      // Its owner may have finished in this moment; the next round looks again.
    }
  }
  return result;
}

const KINDS = new Set<string>(EVENT_KINDS);

/** A spool file's text as an event; "newer" for one of a later format, `null` for anything that is no event. */
export function parseSpoolFile(text: string): SessionEvent | "newer" | null {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return null;
  }
  if (typeof value !== "object" || value === null) return null;
  const event = value as Partial<SessionEvent>;
  if (typeof event.v === "number" && event.v > 1) return "newer";
  const whole =
    event.v === 1 &&
    typeof event.kind === "string" &&
    KINDS.has(event.kind) &&
    isText(event.key) &&
    isText(event.host) &&
    isText(event.sessionId) &&
    Number.isSafeInteger(event.at) &&
    typeof event.body === "object" &&
    event.body !== null;
  return whole ? (value as SessionEvent) : null;
}

function isText(value: unknown): value is string {
  return typeof value === "string" && value !== "";
}
