/** Claude Code's hook payloads, read as the outside world: every field may be missing or of another type. */
import { join } from "node:path";
import type { EventBody, EventKind, Json } from "../../core/event.ts";
import { homeOf } from "../../env/home.ts";
import type { HostEvent, HostRequest } from "../host.ts";
import { isTaskNotification } from "./transcript-prompt.ts";
import { lastAssistantText } from "./transcript-tail.ts";

type Payload = Record<string, unknown>;
type Env = Record<string, string | undefined>;

/** What is asked of us by one payload of the event. Never throws. */
export function parse(event: string, payload: Payload, env: Env): HostRequest {
  const sessionId = text(payload.session_id) || text(env.CLAUDE_CODE_SESSION_ID);
  if (event === "Setup") return { want: "answer", event: null };
  if (!sessionId) return { want: "nothing", why: "no session id" };
  const base = common(payload, env, sessionId);
  switch (event) {
    case "SessionStart":
      return keep(base, "session_start", { reason: text(payload.source) || "startup" });
    case "UserPromptSubmit":
      return prompt(base, payload);
    case "PreToolUse":
      return { want: "answer", event: { ...base, kind: "tool", body: tool(payload) } };
    case "PostToolUse":
      return toolCall(base, "tool", payload, { response: json(payload.tool_response) });
    case "PostToolUseFailure":
      return toolCall(base, "tool_failure", payload, {
        error: loose(payload.error),
        interrupted: truth(payload.is_interrupt),
      });
    case "SubagentStop":
      // A compaction runs in a fork that ends like a subagent without a type: not somebody's work.
      if (!base.agentType) return { want: "nothing", why: "the host's own subagent" };
      return keep(base, "subagent_end", { message: loose(payload.last_assistant_message) });
    case "PreCompact":
      return keep(base, "compact_start", { reason: text(payload.trigger) });
    case "PostCompact":
      return keep(base, "compact_end", {
        reason: text(payload.trigger),
        message: loose(payload.compact_summary),
      });
    case "Stop":
      return stop(base, payload);
    case "StopFailure":
      return keep(base, "turn_failure", {
        error: [loose(payload.error), loose(payload.error_details)].filter(Boolean).join(": "),
        message: loose(payload.last_assistant_message),
        summarize: false,
      });
    case "SessionEnd":
      return keep(base, "session_end", { reason: text(payload.reason) || "other" });
    default:
      return { want: "nothing", why: "unknown event" };
  }
}

/** Directories of Claude Code's own: no session in them is about a project. */
export function ownDirs(env: Env): string[] {
  const config = env.CLAUDE_CONFIG_DIR || join(homeOf(env), ".claude");
  return [config, ...(env.CLAUDE_PLUGIN_ROOT ? [env.CLAUDE_PLUGIN_ROOT] : [])];
}

/** The host's auto-memory and session-memory files below its `projects` folder. */
export function isHostMemory(path: string): boolean {
  return /[/\\]projects[/\\][^/\\]+[/\\](?:[^/\\]+[/\\])?(?:session-)?memory[/\\]/.test(path);
}

type Base = Omit<HostEvent, "kind" | "body">;

function common(payload: Payload, env: Env, sessionId: string): Base {
  return {
    sessionId,
    cwd: path(payload.cwd),
    projectDir: path(env.CLAUDE_PROJECT_DIR),
    transcriptPath: path(payload.transcript_path),
    promptId: text(payload.prompt_id) || null,
    agentId: text(payload.agent_id) || null,
    agentType: text(payload.agent_type) || null,
  };
}

function keep(base: Base, kind: EventKind, body: EventBody): HostRequest {
  return { want: "keep", event: { ...base, kind, body } };
}

function prompt(base: Base, payload: Payload): HostRequest {
  const words = loose(payload.prompt);
  if (isTaskNotification(words)) return { want: "nothing", why: "a background agent's result" };
  return keep(base, "prompt", { prompt: words.trim() === "" ? "[media prompt]" : words });
}

function toolCall(base: Base, kind: EventKind, payload: Payload, result: EventBody): HostRequest {
  const called = tool(payload);
  if (!called.tool) return { want: "nothing", why: "no tool name" };
  const duration = Number(payload.duration_ms);
  const timed = payload.duration_ms !== "" && Number.isFinite(duration) ? { durationMs: duration } : {};
  return keep(base, kind, { ...called, ...result, ...timed });
}

function tool(payload: Payload): EventBody {
  const id = text(payload.tool_use_id);
  return { tool: text(payload.tool_name), ...(id ? { toolUseId: id } : {}), input: json(payload.tool_input) };
}

function stop(base: Base, payload: Payload): HostRequest {
  const active = truth(payload.stop_hook_active);
  let message = loose(payload.last_assistant_message);
  if (!message.trim() && !active && base.agentId === null && base.transcriptPath) {
    message = lastAssistantText(base.transcriptPath);
  }
  const summarize = !active && base.agentId === null && message.trim() !== "";
  return keep(base, "turn_end", { message, summarize });
}

function text(value: unknown): string {
  return typeof value === "string" ? value.slice(0, 4_096) : "";
}

/** A path as the host gave it; a NUL or an absurd length makes it no path. */
function path(value: unknown): string | null {
  return typeof value === "string" && value !== "" && value.length < 4_096 && !value.includes("\0")
    ? value
    : null;
}

/** Words in whatever form they come. */
function loose(value: unknown): string {
  if (typeof value === "string") return value;
  return value === undefined || value === null ? "" : JSON.stringify(value);
}

function truth(value: unknown): boolean {
  return value === true || value === "true";
}

function json(value: unknown): Json {
  return value === undefined ? null : (value as Json);
}
