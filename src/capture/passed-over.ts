/**
 * Sessions that the user kept out of memory, by the off switch or by an excluded project. Their transcripts lie there
 * all the same, so the fact is kept, that they are not read in later when the switch is gone.
 */
import { closeSync, existsSync, openSync, readdirSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { ensureDir } from "../env/files.ts";
import { hashText } from "../env/hash.ts";
import type { Paths } from "../env/paths.ts";

/** Longer than any transcript is read back for. */
const KEPT_MS = 400 * 86_400_000;

/** Notes the session; never throws, and costs one look where it is noted already. */
export function passOver(paths: Paths, sessionId: string): void {
  const marker = join(paths.state.passedOver, hashText(sessionId));
  try {
    // Nothing is installed where there is no data directory, and then nothing is read in later either.
    if (existsSync(marker) || !existsSync(paths.data)) return;
    ensureDir(paths.state.passedOver);
    closeSync(openSync(marker, "w", 0o600));
  } catch {
    // Nothing of the session is kept by its hooks; what cannot be noted here cannot be written there either.
  }
}

export function isPassedOver(paths: Paths, sessionId: string): boolean {
  return existsSync(join(paths.state.passedOver, hashText(sessionId)));
}

/** Removes notes about sessions of long ago. */
export function prunePassedOver(paths: Paths, now: number): void {
  try {
    for (const name of readdirSync(paths.state.passedOver)) {
      const path = join(paths.state.passedOver, name);
      if (now - statSync(path).mtimeMs > KEPT_MS) rmSync(path, { force: true });
    }
  } catch {
    // None noted yet.
  }
}
