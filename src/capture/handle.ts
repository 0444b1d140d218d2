/**
 * One handler behind both doors: a host's payload in, the host's JSON out. Nothing it does throws. What needs nobody
 * else is answered at once; only memories for a prompt are waited for.
 */

import { messageOf } from "../core/errors.ts";
import type { Json, SessionEvent } from "../core/event.ts";
import type { Log } from "../env/log.ts";
import type { Env } from "../env/paths.ts";
import { type Resolved, resolveProject } from "../env/project.ts";
import type { Settings } from "../env/settings.ts";
import { isSwitchedOff } from "../env/switches.ts";
import type { Answer, Host, HostEvent } from "../hosts/host.ts";
import { tagFlood } from "../privacy/tags.ts";
import { appendEvent } from "../spool/append.ts";
import { beforeRead, editedPath, type ReadParts } from "./before-read.ts";
import { completeEvent } from "./complete.ts";
import { type NoticeParts, notices } from "./notices.ts";
import { passOver } from "./passed-over.ts";
import { beginPrivateTurn, endPrivateTurn, hasPrivateTurn, isInPrivateTurn } from "./private-turn.ts";
import { isExcluded, isSkippedTool } from "./skip.ts";
import { countBrokenPayload, countFailure, resetFailures } from "./trouble.ts";

type Soon<T> = T | Promise<T>;

export type HandlerParts = NoticeParts & {
  host: Host;
  env: Env;
  via: "hook" | "mcp";
  /** Process id of the agent that called. */
  hostPid: number | null;
  log: () => Log;
  /** What a session that starts is told; "" where there is nothing to tell. */
  tell: (start: SessionEvent) => string;
  /** Memories that fit the prompt, "" for none; absent where nobody waits for them. */
  recall?: (prompt: SessionEvent, limit: number) => Promise<string>;
  /** For what is told before a file is read; absent where a process lives too shortly to know what it told. */
  reads?: Omit<ReadParts, "gate">;
  /** Sees to it that the worker runs, without waiting for it. */
  ensureWorker: () => void;
  now: () => number;
};

/** `raw` is the payload's text, or the payload where the door has parsed it already. */
export function handle(
  parts: HandlerParts,
  eventName: string,
  raw: string | Record<string, unknown>,
): Soon<string> {
  if (isSwitchedOff(parts.env)) return "{}";
  try {
    const payload = typeof raw === "string" ? parsePayload(parts, eventName, raw) : raw;
    if (!payload) {
      return eventName === "SessionStart"
        ? parts.host.reply(eventName, { notice: notices(parts, eventName, null) })
        : "{}";
    }
    const given = answer(parts, eventName, payload);
    if (!(given instanceof Promise)) return parts.host.reply(eventName, given);
    return given
      .then((late) => parts.host.reply(eventName, late))
      .catch((error) => fail(parts, eventName, error));
  } catch (error) {
    return fail(parts, eventName, error);
  }
}

function fail(parts: HandlerParts, eventName: string, error: unknown): string {
  parts.log().error("hook failed", { event: eventName, why: messageOf(error) });
  countFailure(parts.paths, messageOf(error), parts.now());
  return "{}";
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

function answer(parts: HandlerParts, eventName: string, payload: Record<string, unknown>): Soon<Answer> {
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
): Soon<Answer> {
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
  const notice = notices(parts, eventName, failure, event);
  const withContext = (context: string): Answer => ({ ...(context ? { context } : {}), notice });
  if (event.kind === "prompt" && parts.recall && settings.CLAUDE_MEM_SEMANTIC_INJECT)
    return parts.recall(event, settings.CLAUDE_MEM_SEMANTIC_INJECT_LIMIT).then(withContext);
  return withContext(starts ? parts.tell(event) : "");
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
