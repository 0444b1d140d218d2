/**
 * Claude Code's transcript: JSON Lines, one record a line, of a form that is internal to the host and changes. Only
 * what is needed is read, and every field may be missing or of another type.
 */
import { readdirSync, readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import type { EventBody, Json } from "../../core/event.ts";
import type {
  Found,
  LinePlace,
  TranscriptFile,
  TranscriptFormat,
  TranscriptReader,
  TranscriptState,
} from "../transcript.ts";
import { asNoPrompt, promptIn } from "./transcript-prompt.ts";

type Fields = Record<string, unknown>;

const AGENT_FILE = /^agent-([\w-]{1,64})\.jsonl$/;
/** A session writes to files of this name; anything else beside them is not a transcript. */
const SESSION_FILE = /^[\w.-]{1,128}\.jsonl$/;

export const claudeTranscript: TranscriptFormat = { filesOf, siblingsOf, createReader };

function filesOf(path: string): TranscriptFile[] {
  const name = basename(path);
  if (!SESSION_FILE.test(name)) return [];
  const agentId = AGENT_FILE.exec(name)?.[1];
  if (agentId) return [agentFile(dirname(path), agentId, basename(dirname(dirname(path))))];
  const sessionId = name.slice(0, -".jsonl".length);
  const main: TranscriptFile = { path, sessionId, agentId: null, agentType: null };
  const folder = join(dirname(path), sessionId, "subagents");
  const agents = namesIn(folder).flatMap((file) => AGENT_FILE.exec(file)?.[1] ?? []);
  return [main, ...agents.map((agent) => agentFile(folder, agent, sessionId))];
}

function agentFile(folder: string, agentId: string, sessionId: string): TranscriptFile {
  const path = join(folder, `agent-${agentId}.jsonl`);
  return { path, sessionId, agentId, agentType: agentTypeIn(join(folder, `agent-${agentId}.meta.json`)) };
}

function agentTypeIn(path: string): string | null {
  try {
    return text(asFields(JSON.parse(readFileSync(path, "utf8").slice(0, 65_536))).agentType) || null;
  } catch {
    return null;
  }
}

function siblingsOf(path: string): string[] {
  const folder = dirname(path);
  return namesIn(folder)
    .filter((name) => SESSION_FILE.test(name) && !AGENT_FILE.test(name))
    .map((name) => join(folder, name))
    .filter((other) => other !== path);
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder).sort();
  } catch {
    return [];
  }
}

/** A call as its record shows it, before its result. */
type CallRecord = { record: Fields; tool: string; input: Json };

function createReader(
  file: TranscriptFile,
  before: TranscriptState | null,
  reread: (place: LinePlace) => unknown,
): TranscriptReader {
  const state: TranscriptState = before ?? { at: 0, promptId: null, pending: {}, words: null };
  const calls = new Map<string, CallRecord>();
  let wordsRecord: Fields | null = null;

  const found = (record: Fields, promptId: string | null, kind: Found["kind"], body: EventBody): Found => ({
    kind,
    sessionId: text(record.sessionId) || file.sessionId,
    cwd: path(record.cwd),
    projectDir: null,
    transcriptPath: null,
    promptId,
    agentId: file.agentId ?? (text(record.agentId) || (record.isSidechain === true ? "sidechain" : null)),
    agentType: file.agentType,
    body,
    at: timeOf(record) ?? state.at,
    recordId: text(record.uuid) || null,
    branch: branchOf(record),
  });

  const takeCall = (id: string): CallRecord | null => {
    const place = state.pending[id];
    const known = calls.get(id) ?? (place && callIn(asFields(reread(place)), id));
    calls.delete(id);
    delete state.pending[id];
    return known ?? null;
  };
  /** Calls that have no result. A late one still finds its call, until a new prompt has overtaken it. */
  const closeCalls = (overtaken: boolean): Found[] =>
    Object.entries(state.pending).flatMap(([id, place]) => {
      const call = takeCall(id);
      if (!overtaken) state.pending[id] = { ...place, told: true };
      if (!call || place.told) return [];
      const { tool, input, record } = call;
      const body = { tool, toolUseId: id, input, error: NO_RESULT, interrupted: true };
      return [{ ...found(record, state.promptId, "tool_failure", body), unanswered: true }];
    });
  const forgetWords = () => {
    wordsRecord = null;
    state.words = null;
  };
  const closeTurn = (): Found[] => {
    const record = wordsRecord ?? (state.words ? asFields(reread(state.words)) : {});
    forgetWords();
    const message = wordsIn(record);
    return message ? [found(record, state.promptId, "turn_end", { message, summarize: true })] : [];
  };

  const takeAssistant = (record: Fields, place: LinePlace): Found[] => {
    for (const block of blocksOf(record)) {
      const id = text(block.id);
      if (block.type !== "tool_use" || id === "") continue;
      state.pending[id] = place;
      calls.set(id, { record, tool: text(block.name), input: (block.input ?? null) as Json });
    }
    const isMain = file.agentId === null && record.isSidechain !== true;
    if (isMain && record.isApiErrorMessage !== true && wordsIn(record)) {
      wordsRecord = record;
      state.words = place;
    }
    return [];
  };
  const takeResult = (record: Fields, block: Fields): Found[] => {
    const id = text(block.tool_use_id);
    const call = id ? takeCall(id) : null;
    if (!call?.tool) return [];
    const promptId = text(record.promptId) || state.promptId;
    const base = { tool: call.tool, toolUseId: id, input: call.input };
    if (block.is_error !== true) {
      const response = (record.toolUseResult ?? block.content ?? null) as Json;
      return [found(record, promptId, "tool", { ...base, response })];
    }
    const error = wordsOf(block.content);
    const interrupted = record.toolDenialKind === "user-rejected" || INTERRUPTED.test(error);
    return [found(record, promptId, "tool_failure", { ...base, error, interrupted })];
  };
  const takePrompt = (record: Fields, prompt: string, sameTurn: boolean): Found[] => {
    const closed = sameTurn ? [] : [...closeCalls(true), ...closeTurn()];
    state.promptId = text(record.promptId) || (sameTurn ? state.promptId : text(record.uuid)) || null;
    return [...closed, found(record, state.promptId, "prompt", { prompt })];
  };
  const takeUser = (record: Fields): Found[] => {
    const results = blocksOf(record).filter((block) => block.type === "tool_result");
    if (results.length > 0) return results.flatMap((block) => takeResult(record, block));
    if (file.agentId !== null || record.isSidechain === true || record.isMeta === true) return [];
    const prompt = promptIn(record);
    if (prompt !== null) return takePrompt(record, prompt, false);
    // What the assistant said before the user stopped it was not its last word on the matter.
    if (asNoPrompt(record) === "interruption") forgetWords();
    return [];
  };
  const takeAny = (record: Fields, place: LinePlace): Found[] => {
    if (record.type === "assistant") return takeAssistant(record, place);
    if (record.type === "user") return takeUser(record);
    if (file.agentId !== null) return [];
    if (record.type === "system") return TURN_ENDS.test(text(record.subtype)) ? closeTurn() : [];
    // Written when the program ends.
    if (record.type === "cost-state") return closeTurn();
    const queued = record.type === "attachment" ? queuedPrompt(asFields(record.attachment)) : null;
    return queued === null ? [] : takePrompt(record, queued, true);
  };

  return {
    take(value, place) {
      const record = asFields(value);
      state.at = timeOf(record) ?? state.at;
      return takeAny(record, place).filter((one) => one.at > 0);
    },
    finish: () => [...closeCalls(false), ...closeTurn()].filter((one) => one.at > 0),
    state: () => state,
  };
}

/** What the user typed while a turn was running; `null` for what else the host queues. */
function queuedPrompt(attachment: Fields): string | null {
  if (attachment.type !== "queued_command" || attachment.commandMode === "task-notification") return null;
  return promptIn({ message: { content: attachment.prompt } });
}

const NO_RESULT = "No result was recorded: the session ended or went on before this call did.";
const TURN_ENDS = /^(?:stop_hook_summary|turn_duration)$/;
const INTERRUPTED = /^\[Request interrupted by user|^The user doesn't want to (?:proceed|take this action)/;

function asFields(value: unknown): Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Fields) : {};
}

function blocksOf(record: Fields): Fields[] {
  const { content } = asFields(record.message);
  return Array.isArray(content) ? content.map(asFields) : [];
}

function callIn(record: Fields, id: string): CallRecord | null {
  const block = blocksOf(record).find((one) => one.type === "tool_use" && one.id === id);
  return block ? { record, tool: text(block.name), input: (block.input ?? null) as Json } : null;
}

/** The text of an assistant record; thinking is not said. */
function wordsIn(record: Fields): string {
  const { content } = asFields(record.message);
  return wordsOf(typeof content === "string" ? content : blocksOf(record)).trim();
}

function wordsOf(content: unknown): string {
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return "";
  return content
    .map(asFields)
    .flatMap((block) => (block.type === "text" && typeof block.text === "string" ? [block.text] : []))
    .join("\n");
}

function timeOf(record: Fields): number | null {
  const at = Date.parse(text(record.timestamp));
  return Number.isFinite(at) && at > 0 ? at : null;
}

/** `HEAD` is what the host writes outside a repository and on no branch. */
function branchOf(record: Fields): string | null {
  const branch = text(record.gitBranch).slice(0, 256);
  return branch === "" || branch === "HEAD" ? null : branch;
}

function path(value: unknown): string | null {
  return typeof value === "string" && value !== "" && value.length < 4_096 && !value.includes("\0")
    ? value
    : null;
}

function text(value: unknown): string {
  return typeof value === "string" && value.length <= 4_096 ? value : "";
}
