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
import {
  asFields,
  blocksOf,
  branchOf,
  type Fields,
  pathOf,
  textOf,
  timeOf,
  unwrapped,
  wordsIn,
  wordsOf,
} from "./transcript-record.ts";

const AGENT_FILE = /^agent-([\w-]{1,64})\.jsonl$/;
/** A session writes to files of this name; anything else beside them is not a transcript. */
const SESSION_FILE = /^[\w.-]{1,128}\.jsonl$/;

export const claudeTranscript: TranscriptFormat = { filesOf, siblingsOf, createReader };

function filesOf(path: string): TranscriptFile[] {
  const name = basename(path);
  if (!SESSION_FILE.test(name)) return [];
  const agentId = AGENT_FILE.exec(name)?.[1];
  if (agentId) {
    const folder = dirname(path);
    // Older hosts put them beside the sessions' own files; whose they are, their records say.
    return [agentFile(folder, agentId, basename(folder) === "subagents" ? basename(dirname(folder)) : "")];
  }
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
    return textOf(asFields(JSON.parse(readFileSync(path, "utf8").slice(0, 65_536))).agentType) || null;
  } catch {
    return null;
  }
}

function siblingsOf(path: string): string[] {
  const folder = dirname(path);
  return namesIn(folder)
    .filter((name) => SESSION_FILE.test(name))
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

/** A reading under way. */
type Reading = {
  file: TranscriptFile;
  state: TranscriptState;
  reread: (place: LinePlace) => unknown;
  /** What this reading has seen itself and need not read again. */
  calls: Map<string, CallRecord>;
  words: Fields | null;
};

function createReader(
  file: TranscriptFile,
  before: TranscriptState | null,
  reread: (place: LinePlace) => unknown,
): TranscriptReader {
  const state = before ?? { at: 0, promptId: null, pending: {}, words: null };
  const reading: Reading = { file, state, reread, calls: new Map(), words: null };
  const dated = (found: Found[]) => found.filter((one) => one.at > 0);
  return {
    take(value, place) {
      const record = unwrapped(value);
      state.at = timeOf(record) ?? state.at;
      return dated(take(reading, record, place));
    },
    finish: () => dated([...closeCalls(reading, false), ...closeTurn(reading)]),
    state: () => state,
  };
}

function take(reading: Reading, record: Fields, place: LinePlace): Found[] {
  if (record.type === "assistant") return takeAssistant(reading, record, place);
  if (record.type === "user") return takeUser(reading, record);
  if (reading.file.agentId !== null) return [];
  if (record.type === "system") return TURN_ENDS.test(textOf(record.subtype)) ? closeTurn(reading) : [];
  // Written when the program ends.
  if (record.type === "cost-state") return closeTurn(reading);
  const queued = record.type === "attachment" ? queuedPrompt(asFields(record.attachment)) : null;
  return queued === null ? [] : takePrompt(reading, record, queued, true);
}

function takeAssistant(reading: Reading, record: Fields, place: LinePlace): Found[] {
  const { state, calls, file } = reading;
  for (const block of blocksOf(record)) {
    const id = textOf(block.id);
    if (block.type !== "tool_use" || id === "") continue;
    state.pending[id] = place;
    calls.set(id, { record, tool: textOf(block.name), input: (block.input ?? null) as Json });
  }
  const isMain = file.agentId === null && record.isSidechain !== true;
  if (isMain && record.isApiErrorMessage !== true && wordsIn(record)) {
    reading.words = record;
    state.words = place;
  }
  return [];
}

function takeUser(reading: Reading, record: Fields): Found[] {
  const results = blocksOf(record).filter((block) => block.type === "tool_result");
  if (results.length > 0) return results.flatMap((block) => takeResult(reading, record, block));
  if (reading.file.agentId !== null || record.isSidechain === true || record.isMeta === true) return [];
  const prompt = promptIn(record);
  if (prompt !== null) return takePrompt(reading, record, prompt, false);
  // What the assistant said before the user stopped it was not its last word on the matter.
  if (asNoPrompt(record) === "interruption") forgetWords(reading);
  return [];
}

function takePrompt(reading: Reading, record: Fields, prompt: string, sameTurn: boolean): Found[] {
  const { state } = reading;
  const closed = sameTurn ? [] : [...closeCalls(reading, true), ...closeTurn(reading)];
  state.promptId = textOf(record.promptId) || (sameTurn ? state.promptId : textOf(record.uuid)) || null;
  return [...closed, foundIn(reading, record, "prompt", { prompt })];
}

function takeResult(reading: Reading, record: Fields, block: Fields): Found[] {
  const id = textOf(block.tool_use_id);
  const call = id ? takeCall(reading, id) : null;
  if (!call?.tool) return [];
  const promptId = textOf(record.promptId) || reading.state.promptId;
  const base = { tool: call.tool, toolUseId: id, input: call.input };
  if (block.is_error !== true) {
    const response = (record.toolUseResult ?? block.content ?? null) as Json;
    return [{ ...foundIn(reading, record, "tool", { ...base, response }), promptId }];
  }
  const error = wordsOf(block.content);
  const interrupted = record.toolDenialKind === "user-rejected" || INTERRUPTED.test(error);
  return [{ ...foundIn(reading, record, "tool_failure", { ...base, error, interrupted }), promptId }];
}

function takeCall({ state, calls, reread }: Reading, id: string): CallRecord | null {
  const place = state.pending[id];
  const known = calls.get(id) ?? (place && callIn(unwrapped(reread(place)), id));
  calls.delete(id);
  delete state.pending[id];
  return known ?? null;
}

/** Calls that have no result. A late one still finds its call, until a new prompt has overtaken it. */
function closeCalls(reading: Reading, overtaken: boolean): Found[] {
  const { pending } = reading.state;
  return Object.entries(pending).flatMap(([id, place]) => {
    const call = takeCall(reading, id);
    if (!overtaken) pending[id] = { ...place, told: true };
    if (!call || place.told) return [];
    const { tool, input, record } = call;
    const body = { tool, toolUseId: id, input, error: NO_RESULT, interrupted: true };
    return [{ ...foundIn(reading, record, "tool_failure", body), unanswered: true as const }];
  });
}

function closeTurn(reading: Reading): Found[] {
  const { state, words, reread } = reading;
  const record = words ?? (state.words ? asFields(reread(state.words)) : {});
  forgetWords(reading);
  const message = wordsIn(record);
  return message ? [foundIn(reading, record, "turn_end", { message, summarize: true })] : [];
}

function forgetWords(reading: Reading): void {
  reading.words = null;
  reading.state.words = null;
}

/** What a record shows, in the turn that the reading is in. */
function foundIn({ file, state }: Reading, record: Fields, kind: Found["kind"], body: EventBody): Found {
  const agentId =
    file.agentId ?? (textOf(record.agentId) || (record.isSidechain === true ? "sidechain" : null));
  return {
    kind,
    sessionId: textOf(record.sessionId) || file.sessionId,
    cwd: pathOf(record.cwd),
    projectDir: null,
    transcriptPath: null,
    promptId: state.promptId,
    agentId,
    agentType: file.agentType,
    body,
    at: timeOf(record) ?? state.at,
    recordId: textOf(record.uuid) || null,
    branch: branchOf(record),
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

function callIn(record: Fields, id: string): CallRecord | null {
  const block = blocksOf(record).find((one) => one.type === "tool_use" && one.id === id);
  return block ? { record, tool: textOf(block.name), input: (block.input ?? null) as Json } : null;
}
