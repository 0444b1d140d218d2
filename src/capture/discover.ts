/** Sessions no hook was there for: before the installation, with the plugin switched off, or on a dead machine. */
import { statSync } from "node:fs";
import type { Settings } from "../env/settings.ts";
import { TRANSCRIPTS } from "../hosts/transcripts.ts";
import type { Db } from "../store/open.ts";
import { findSession } from "../store/sessions.ts";
import { findTranscript, wantTranscript } from "../store/transcripts.ts";

const DAY_MS = 86_400_000;
/** Of one project at one time, the newest: the rest can be imported when they are asked for. */
const FILES_MAX = 50;

/**
 * Asks for every transcript beside the session's own that has something unread and was written to in the last
 * `CLAUDE_MEM_TRANSCRIPT_DAYS` days; answers how many.
 */
export function discoverTranscripts(db: Db, sessionRow: number, settings: Settings, now: number): number {
  const session = findSession(db, sessionRow);
  const format = session && TRANSCRIPTS[session.host];
  const since = now - settings.CLAUDE_MEM_TRANSCRIPT_DAYS * DAY_MS;
  if (!session?.transcriptPath || !format || since >= now) return 0;
  const files = format.siblingsOf(session.transcriptPath).flatMap((path) => {
    const stat = statSync(path, { throwIfNoEntry: false });
    if (!stat?.isFile() || stat.mtimeMs <= since || stat.size === findTranscript(db, path)?.size) return [];
    return [{ path, changedAt: stat.mtimeMs }];
  });
  const newest = files.sort((one, other) => other.changedAt - one.changedAt).slice(0, FILES_MAX);
  // The oldest first: what is copied from one session into the next is then known as a copy.
  for (const { path } of newest.reverse()) {
    const [file] = format.filesOf(path);
    if (file) wantTranscript(db, { ...file, host: session.host }, now + newest.length);
  }
  return newest.length;
}
