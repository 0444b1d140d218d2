/** What a transcript shows, as events that may be kept: the same projects, skips and redaction as for hooks. */
import { dirname } from "node:path";
import type { ProjectRef } from "../core/event.ts";
import type { Env, Paths } from "../env/paths.ts";
import { resolveProject } from "../env/project.ts";
import type { Settings } from "../env/settings.ts";
import type { Host } from "../hosts/host.ts";
import type { Found } from "../hosts/transcript.ts";
import type { Db } from "../store/open.ts";
import { findSessionOfHost } from "../store/sessions.ts";
import type { Transcript } from "../store/transcripts.ts";
import { completeEvent } from "./complete.ts";
import { isPassedOver } from "./passed-over.ts";
import { isExcluded, isSkippedTool } from "./skip.ts";

export type FoundParts = { db: Db; paths: Paths; env: Env; settings: Settings };

/** Whether the user kept the whole session out of memory. */
export function isKeptOut(parts: FoundParts, host: Host, row: Transcript): boolean {
  if (isPassedOver(parts.paths, row.sessionId)) return true;
  const session = findSessionOfHost(parts.db, row.host, row.sessionId);
  if (!session?.root) return false;
  const place = resolveProject(session.root, parts.env, ownDirs(parts, host, row));
  return isExcluded(place, session.root, parts.settings, parts.env);
}

/** Turns what was found into events that may be kept; `null` for what hooks would have passed over too. */
export function eventMaker(parts: FoundParts, host: Host, row: Transcript) {
  const { db, env, settings } = parts;
  const projects = new Map<string, { project: ProjectRef | null; out: boolean }>();
  const projectOf = (found: Found) => {
    const known = projects.get(found.sessionId);
    if (known) return known;
    // A session's project is the one it was started for: the directory may move later.
    const session = findSessionOfHost(db, row.host, found.sessionId);
    const dir = session?.projectId ? session.root : found.cwd;
    const place = dir ? resolveProject(dir, env, ownDirs(parts, host, row)) : null;
    const out =
      (place !== null && dir !== null && isExcluded(place, dir, settings, env)) ||
      isPassedOver(parts.paths, found.sessionId);
    const of = { project: session?.projectId ? null : (place?.project ?? null), out };
    projects.set(found.sessionId, of);
    return of;
  };
  return (found: Found) => {
    if (found.body.tool !== undefined && isSkippedTool(host, found, settings)) return null;
    const { project, out } = projectOf(found);
    if (out) return null;
    const { at, recordId: _, branch, unanswered: _u, ...happened } = found;
    const transcriptPath = found.sessionId === row.sessionId && row.agentId === null ? row.path : null;
    const event = completeEvent(
      { ...happened, transcriptPath },
      { host: row.host, at, project, hostPid: null, via: "transcript" },
    );
    return { ...event, branch };
  };
}

/** A transcript lies in the host's own folder, wherever that is. */
function ownDirs(parts: FoundParts, host: Host, row: Transcript): string[] {
  return [parts.paths.data, ...host.ownDirs(parts.env), dirname(row.path)];
}
