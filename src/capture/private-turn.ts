/**
 * A prompt that is wholly private makes its whole turn private. The hooks of that turn are other processes, and some
 * come late, so the fact is a small file named after session and prompt; the worker removes it after days.
 */
import { closeSync, openSync, readdirSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { ensureDir } from "../env/files.ts";
import { hashText } from "../env/hash.ts";
import type { Paths } from "../env/paths.ts";
import type { HostEvent } from "../hosts/host.ts";

/** Turns of this process that could not be marked on disk: the door that lives as long as the session still knows. */
const unmarked = new Set<string>();
/** A background agent of a private turn may still report after a night. */
const KEPT_MS = 7 * 86_400_000;

/** Marks the turn of this prompt, and the session as one that holds something private. Never throws. */
export function beginPrivateTurn(paths: Paths, prompt: HostEvent): void {
  const { sessionId, promptId } = prompt;
  for (const name of [
    markers.session(sessionId),
    markers.current(sessionId),
    markers.turn(sessionId, promptId),
  ]) {
    unmarked.add(name);
    try {
      ensureDir(paths.state.privateTurns);
      closeSync(openSync(join(paths.state.privateTurns, name), "w", 0o600));
    } catch {
      // The door by process forgets it then; what cannot write here cannot write the turn's events either.
    }
  }
}

/** A prompt that is not private, or the session's end: what comes without a prompt's id is no longer private. */
export function endPrivateTurn(paths: Paths, sessionId: string): void {
  for (const name of [markers.current(sessionId), markers.turn(sessionId, null)]) {
    unmarked.delete(name);
    const marker = join(paths.state.privateTurns, name);
    if (statSync(marker, { throwIfNoEntry: false })) rmSync(marker, { force: true });
  }
}

/**
 * Whether the event belongs to a private turn: by its prompt's id, however late it comes; and by the time it comes,
 * where either the event or the private prompt has no id.
 */
export function isInPrivateTurn(paths: Paths, event: HostEvent): boolean {
  const { sessionId, promptId } = event;
  if (!isMarked(paths, markers.session(sessionId))) return false;
  if (promptId === null) return isMarked(paths, markers.current(sessionId));
  return isMarked(paths, markers.turn(sessionId, promptId)) || isMarked(paths, markers.turn(sessionId, null));
}

/** Whether anything of the session was private: a summary of the whole would tell it again. */
export function hasPrivateTurn(paths: Paths, sessionId: string): boolean {
  return isMarked(paths, markers.session(sessionId));
}

/** Removes markers of long ago. */
export function prunePrivateTurns(paths: Paths, now: number): void {
  let names: string[];
  try {
    names = readdirSync(paths.state.privateTurns);
  } catch {
    return;
  }
  for (const name of names) {
    const path = join(paths.state.privateTurns, name);
    const changed = statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? now;
    if (now - changed > KEPT_MS) rmSync(path, { force: true });
  }
}

function isMarked(paths: Paths, name: string): boolean {
  return (
    unmarked.has(name) ||
    statSync(join(paths.state.privateTurns, name), { throwIfNoEntry: false }) !== undefined
  );
}

/** Names of the marker files. A turn without an id shares one name: it lasts until the next prompt. */
const markers = {
  session: (sessionId: string) => hashText(sessionId),
  current: (sessionId: string) => `${hashText(sessionId)}-current`,
  turn: (sessionId: string, promptId: string | null) =>
    `${hashText(sessionId)}-${promptId === null ? "unnamed" : hashText(promptId)}`,
};
