/** One handler behind both doors: a host's payload in, the host's JSON out. Nothing it does throws. */

import { messageOf } from "../core/errors.ts";
import type { Json, SessionEvent } from "../core/event.ts";
import type { Log } from "../env/log.ts";
import type { Env, Paths } from "../env/paths.ts";
import { type Resolved, resolveProject } from "../env/project.ts";
import type { Settings } from "../env/settings.ts";
import { isSwitchedOff } from "../env/switches.ts";
import type { Answer, Host, HostEvent } from "../hosts/host.ts";
import { tagFlood } from "../privacy/tags.ts";
import { appendEvent } from "../spool/append.ts";
import { beforeRead, editedPath, type ReadParts } from "./before-read.ts";
import { completeEvent } from "./complete.ts";
import { captureNotice, type LastSession } from "./last-session.ts";
import { passOver } from "./passed-over.ts";
import { beginPrivateTurn, endPrivateTurn, hasPrivateTurn, isInPrivateTurn } from "./private-turn.ts";
import { isExcluded, isSkippedTool } from "./skip.ts";
import {
  brokenNotice,
  countBrokenPayload,
  countFailure,
  noteFailuresTold,
  resetFailures,
  takeBroken,
  takeFailureNotice,
} from "./trouble.ts";

export type HandlerParts = {
  host: Host;
  paths: Paths;
  env: Env;
  via: "hook" | "mcp";
  /** Process id of the agent that called. */
  hostPid: number | null;
  settings: () => Settings;
  log: () => Log;
  /** What a session that starts is told; "" where there is nothing to tell. */
  tell: (start: SessionEvent) => string;
  /** What is known of the project's last session that began before `before` (Unix ms). */
  lastSession: (projectKey: string, before: number) => LastSession | null;
  /** For what is told before a file is read; absent where a process lives too shortly to know what it told. */
  reads?: Omit<ReadParts, "gate">;
  /** One sentence when programs and plugin do not fit together. */
  guard: () => string | null;
  /** Why the worker could not start, where it could not. */
  workerTrouble: () => string | null;
  /** Sees to it that the worker runs, without waiting for it. */
  ensureWorker: () => void;
  now: () => number;
};

/** `raw` is the payload's text, or the payload where the door has parsed it already. */
export function handle(
  parts: HandlerParts,
  eventName: string,
  raw: string | Record<string, unknown>,
): string {
  if (isSwitchedOff(parts.env)) return "{}";
  try {
    const payload = typeof raw === "string" ? parsePayload(parts, eventName, raw) : raw;
    if (!payload) {
      return eventName === "SessionStart"
        ? parts.host.reply(eventName, { notice: notices(parts, eventName, null) })
        : "{}";
    }
    return parts.host.reply(eventName, answer(parts, eventName, payload));
  } catch (error) {
    parts.log().error("hook failed", { event: eventName, why: messageOf(error) });
    countFailure(parts.paths, messageOf(error), parts.now());
    return "{}";
  }
}

function parsePayload(parts: HandlerParts, eventName: string, raw: string): Record<string, unknown> | null {
  const kind = raw.trim() === "" ? "empty" : "malformed";
  try {
    const value: unknown = JSON.parse(raw.charCodeAt(0) === 0xfeff ? raw.slice(1) : raw);
    if (typeof value === "object" && value !== null && !Array.isArray(value))
      return value as Record<string, unknown>;
  } catch {
    // Counted below with what parses but is no object.
  }
  countBrokenPayload(parts.paths, eventName, kind, parts.now());
  parts.log().warn("broken hook payload", { event: eventName, kind, bytes: raw.length });
  return null;
}

function answer(parts: HandlerParts, eventName: string, payload: Record<string, unknown>): Answer {
  const request = parts.host.parse(eventName, payload, parts.env);
  if (request.want === "nothing") {
    parts.log().debug("hook passed over", { event: eventName, why: request.why });
    return {};
  }
  if (request.event === null) return { notice: parts.guard() ?? undefined };
  if (request.want === "answer" && !parts.reads) return {};
  const settings = parts.settings();
  const dir = request.event.projectDir ?? request.event.cwd;
  const own = [parts.paths.data, ...parts.host.ownDirs(parts.env)];
  const place: Resolved = dir
    ? resolveProject(dir, parts.env, own)
    : { project: null, off: false, marked: false };
  if (dir && isExcluded(place, dir, settings, parts.env)) {
    passOver(parts.paths, request.event.sessionId);
    return {};
  }
  if (request.want === "answer") {
    const { reads } = parts;
    const gate = settings.CLAUDE_MEM_READ_GATE;
    return reads ? beforeRead(request.event, place.project, { ...reads, gate }) : {};
  }
  return keep(parts, eventName, request.event, place, settings);
}

function keep(
  parts: HandlerParts,
  eventName: string,
  happened: HostEvent,
  place: Resolved,
  settings: Settings,
): Answer {
  const starts = happened.kind === "session_start";
  if (happened.body.tool !== undefined && isSkippedTool(parts.host, happened, settings)) return {};

  noteForReads(parts, happened);
  const flood = tagFlood(happened.body as Json);
  if (flood > 0) parts.log().warn("a text with very many privacy tags", { event: eventName, tags: flood });
  const event = completeEvent(happened, {
    host: parts.host.name,
    at: parts.now(),
    project: place.project,
    hostPid: parts.hostPid,
    via: parts.via,
  });
  let failure: string | null = null;
  try {
    store(parts, happened, event);
    resetFailures(parts.paths);
  } catch (error) {
    failure = messageOf(error);
    parts.log().error("event not kept", { event: eventName, why: failure });
    countFailure(parts.paths, failure, parts.now());
  }
  // After the write: a worker that leaves in this moment has either seen the event or is missed now.
  parts.ensureWorker();
  if (!parts.host.maySpeak(eventName)) return {};
  const context = starts ? parts.tell(event) : "";
  return { ...(context ? { context } : {}), notice: notices(parts, eventName, failure, event) };
}

/** What changes what may be told before the next read. */
function noteForReads({ reads }: HandlerParts, happened: HostEvent): void {
  if (!reads) return;
  if (happened.kind === "compact_end" || happened.kind === "session_start")
    reads.shown.forget(happened.sessionId);
  const edited = editedPath(happened);
  if (edited) reads.shown.noteEdit(happened.sessionId, edited);
}

/** Writes the event to the spool, unless its turn is private. */
function store(parts: HandlerParts, happened: HostEvent, event: SessionEvent): void {
  const { paths } = parts;
  if (event.kind === "prompt") {
    if (event.body.private) beginPrivateTurn(paths, happened);
    else endPrivateTurn(paths, event.sessionId);
  } else if (event.kind === "session_end") {
    endPrivateTurn(paths, event.sessionId);
  } else if (event.kind !== "session_start" && isInPrivateTurn(paths, happened)) {
    return;
  }
  // What the host makes of the whole conversation would tell the private part again.
  const retells = event.kind === "compact_end" && hasPrivateTurn(paths, event.sessionId);
  appendEvent(paths.spool, retells ? { ...event, body: { ...event.body, message: "" } } : event);
}

/** What the user should hear, in one line; `undefined` for nothing. */
function notices(
  parts: HandlerParts,
  eventName: string,
  failure: string | null,
  event?: SessionEvent,
): string | undefined {
  const starts = eventName === "SessionStart";
  const said: (string | null)[] = [];
  if (starts) {
    said.push(parts.guard());
    const trouble = parts.workerTrouble();
    if (trouble) {
      said.push(
        `Throughline's worker cannot start (${trouble}): events wait and nothing new is remembered. Run \`npx throughline doctor\`.`,
      );
    }
    const begins = event?.body.reason === "startup" || event?.body.reason === "clear";
    const last = begins && event.project ? parts.lastSession(event.project.key, event.at) : null;
    const broken = takeBroken(parts.paths);
    said.push(brokenNotice(broken, last?.toolCalls ?? null) ?? captureNotice(last?.capture ?? null));
    if (failure) {
      noteFailuresTold(parts.paths);
      said.push(
        `Throughline cannot write to ${parts.paths.data} (${failure}): this session is not remembered. Run \`npx throughline doctor\`.`,
      );
    }
  }
  if (!(starts && failure)) {
    said.push(takeFailureNotice(parts.paths, parts.settings().CLAUDE_MEM_HOOK_FAIL_LOUD_THRESHOLD));
  }
  return said.filter((line) => line !== null).join(" ") || undefined;
}
