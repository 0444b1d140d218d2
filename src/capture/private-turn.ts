/**
 * A prompt that is wholly private makes its whole turn private. The hooks of that turn are other processes, so
 * the fact is a small file named after the session.
 */
import { readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ensureDir } from "../env/files.ts";
import { hashText } from "../env/hash.ts";
import type { Paths } from "../env/paths.ts";
import type { HostEvent } from "../hosts/host.ts";

/** Marks the turn of this prompt. Throws where the marker cannot be written. */
export function beginPrivateTurn(paths: Paths, prompt: HostEvent): void {
  ensureDir(paths.state.privateTurns);
  writeFileSync(markerOf(paths, prompt.sessionId), prompt.promptId ?? "", { mode: 0o600 });
}

/** The session's next prompt, or its end, ends the private turn. */
export function endPrivateTurn(paths: Paths, sessionId: string): void {
  const marker = markerOf(paths, sessionId);
  if (statSync(marker, { throwIfNoEntry: false })) rmSync(marker, { force: true });
}

/** Whether the event belongs to a private turn. A turn the host gives no id is private until the next prompt. */
export function isInPrivateTurn(paths: Paths, event: HostEvent): boolean {
  let promptId: string;
  try {
    promptId = readFileSync(markerOf(paths, event.sessionId), "utf8");
  } catch {
    return false;
  }
  return promptId === "" || event.promptId === null || promptId === event.promptId;
}

function markerOf(paths: Paths, sessionId: string): string {
  return join(paths.state.privateTurns, hashText(sessionId));
}
