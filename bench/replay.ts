/** A recorded session as its host would have lived it: hook payloads, and a transcript that grows meanwhile. */

import { claudeTranscript } from "../src/hosts/claude-code/transcript.ts";
import type { Found } from "../src/hosts/transcript.ts";

type Fields = Record<string, unknown>;

export type HookCall = {
  event: string;
  payload: Fields;
  /** Unix milliseconds. */
  at: number;
  /** Lines of the transcript that had been written then. */
  line: number;
  /** The tool call's or the record's id. */
  id: string;
};

export type Replay = { sessionId: string; lines: string[]; calls: HookCall[] };

/** Prompts and tool calls that a transcript holds, read by the simplest rule and not by the product's reader. */
export type Held = { tools: Set<string>; prompts: Set<string> };

/**
 * `withIds`: as the present host writes it, with prompt ids in transcript and payloads; without, as it was recorded.
 */
export function replayOf(text: string, transcriptPath: string, withIds: boolean): Replay {
  const lines = text.split("\n").filter((line) => line.trim() !== "");
  const records = lines.map(parsed);
  const sessionId = mainSession(records);
  const shown = withIds ? records.map(addIds()) : records;
  const written = withIds
    ? shown.map((record, at) => (record ? JSON.stringify(record) : (lines[at] ?? "")))
    : lines;
  const reader = claudeTranscript.createReader(
    { path: transcriptPath, sessionId, agentId: null, agentType: null },
    null,
    () => null,
  );
  const calls: HookCall[] = [];
  const base = { session_id: sessionId, transcript_path: transcriptPath };
  shown.forEach((record, at) => {
    if (!record) return;
    for (const found of reader.take(record, { offset: at, length: 0 })) {
      if (found.sessionId !== sessionId) continue;
      const call = callOf(found);
      if (!call) continue;
      const prompt = withIds && found.promptId ? { prompt_id: found.promptId } : {};
      const cwd = found.cwd ?? "/srv/repo";
      calls.push({
        ...call,
        payload: { ...base, ...prompt, cwd, hook_event_name: call.event, ...call.payload },
        at: found.at,
        line: at + 1,
        id: found.body.toolUseId ?? found.recordId ?? "",
      });
    }
  });
  const first = calls[0]?.at ?? 0;
  const last = calls.at(-1)?.at ?? 0;
  const edge = (event: string, more: Fields, at: number, line: number): HookCall => ({
    event,
    payload: { ...base, cwd: "/srv/repo", hook_event_name: event, ...more },
    at,
    line,
    id: "",
  });
  return {
    sessionId,
    lines: written,
    calls: [
      edge("SessionStart", { source: "startup" }, first - 1_000, 0),
      ...calls,
      edge("SessionEnd", { reason: "other" }, last + 1_000, lines.length),
    ],
  };
}

function callOf(found: Found): { event: string; payload: Fields } | null {
  const { body } = found;
  const tool = { tool_name: body.tool, tool_input: body.input, tool_use_id: body.toolUseId };
  switch (found.kind) {
    case "prompt":
      return { event: "UserPromptSubmit", payload: { prompt: body.prompt } };
    case "tool":
      return { event: "PostToolUse", payload: { ...tool, tool_response: body.response } };
    case "tool_failure":
      // The host gives no event for a call that the user interrupts.
      return body.interrupted
        ? null
        : { event: "PostToolUseFailure", payload: { ...tool, error: body.error } };
    case "turn_end":
      return { event: "Stop", payload: { last_assistant_message: body.message, stop_hook_active: false } };
    default:
      return null;
  }
}

/** Gives each prompt an id and its turn's results the same, as hosts of today do. */
function addIds(): (record: Fields | null) => Fields | null {
  let promptId: string | null = null;
  return (record) => {
    if (record?.type !== "user" || record.isSidechain === true) return record;
    if (isPrompt(record)) promptId = `p-${String(record.uuid)}`;
    return promptId === null ? record : { ...record, promptId };
  };
}

/** What must be in the store in the end: by tool call ids and the records of prompts. */
export function heldIn(lines: readonly string[], skipped: readonly string[]): Held {
  const held: Held = { tools: new Set(), prompts: new Set() };
  for (const line of lines) {
    const record = parsed(line);
    if (!record) continue;
    const inner = (record.data as { message?: Fields } | undefined)?.message;
    for (const block of [...blocksOf(record), ...(inner ? blocksOf(inner) : [])]) {
      if (block.type === "tool_use" && !skipped.includes(String(block.name)))
        held.tools.add(String(block.id));
    }
    if (record.type === "user" && isPrompt(record)) held.prompts.add(String(record.uuid));
  }
  return held;
}

function isPrompt(record: Fields): boolean {
  if (record.isMeta === true || record.isCompactSummary === true || record.isSidechain === true) return false;
  if (blocksOf(record).some((block) => block.type === "tool_result")) return false;
  const content = (record.message as Fields | undefined)?.content;
  const words =
    typeof content === "string"
      ? content
      : blocksOf(record)
          .map((block) => (typeof block.text === "string" ? block.text : ""))
          .join("");
  return !/^\s*(?:<(?:command-name|local-command|bash-|task-notification)|\[Request interrupted)/.test(words);
}

function blocksOf(record: Fields): Fields[] {
  const content = (record.message as Fields | undefined)?.content;
  return Array.isArray(content) ? (content as Fields[]) : [];
}

function mainSession(records: readonly (Fields | null)[]): string {
  const counts = new Map<string, number>();
  for (const record of records) {
    const id = record?.sessionId;
    if (typeof id === "string") counts.set(id, (counts.get(id) ?? 0) + 1);
  }
  return [...counts].sort((one, other) => other[1] - one[1])[0]?.[0] ?? "unknown";
}

function parsed(line: string): Fields | null {
  try {
    return JSON.parse(line) as Fields;
  } catch {
    return null;
  }
}
