/** A subagent's run as one observation: what it was sent for and what it answered. */
import type { ObservationDraft } from "../../core/observation.ts";
import { cutText, oneLine } from "../../core/text.ts";
import type { StoredEvent, Turn } from "../../core/turn.ts";
import { type Call, draftOf, filesRead } from "./call.ts";
import { EDIT_TOOLS } from "./code/patch.ts";
import { objectOf, outputOf, stringOf } from "./json.ts";
import { type Paragraph, paragraphsOf } from "./talk/closing.ts";
import { pointOf } from "./talk/point.ts";
import { contentWords, isEmptyWords, isHedged, marked, namesThing } from "./talk/sentences.ts";
import { capital, TITLE_MAX, unique } from "./words.ts";

const AGENT_TOOLS = /^(?:Agent|Task)$/;
const ANSWER_MAX = 800;
const FILES_MAX = 20;
const FACTS_MAX = 6;

type AgentRun = {
  id: string;
  type: string;
  description: string;
  answer: string;
  events: { id: number; at: number }[];
};

/** In order of their start. */
export function agentDrafts(turn: Turn, calls: readonly Call[]): ObservationDraft[] {
  const runs = new Map<string, AgentRun>();
  const runOf = (id: string): AgentRun => {
    const run = runs.get(id) ?? { id, type: "", description: "", answer: "", events: [] };
    runs.set(id, run);
    return run;
  };
  for (const call of calls) if (!call.failed && AGENT_TOOLS.test(call.tool)) addLaunch(call, runOf);
  for (const call of calls) if (/^(?:TaskOutput|AgentOutput)$/.test(call.tool)) addAnswer(call, runs);
  for (const event of turn.events) {
    if (!event.agentId) continue;
    if (event.kind === "subagent_end" || runs.has(event.agentId)) addEvent(event, runOf(event.agentId));
  }
  return [...runs.values()].flatMap((run) => draftFor(run, turn, calls));
}

function addLaunch(call: Call, runOf: (id: string) => AgentRun): void {
  const response = objectOf(call.response);
  const run = runOf(
    stringOf(response.agentId) || stringOf(response.agent_id) || call.toolUseId || `event-${call.id}`,
  );
  run.type ||= stringOf(call.input.subagent_type);
  run.description ||= oneLine(stringOf(call.input.description));
  run.events.push(call);
  if (response.isAsync !== true && response.status !== "async_launched")
    run.answer ||= outputOf(response.content ?? call.response);
}

/** The answer of a background agent, asked for later. */
function addAnswer(call: Call, runs: Map<string, AgentRun>): void {
  const run = runs.get(stringOf(call.input.task_id) || stringOf(call.input.agentId));
  const task = objectOf(objectOf(call.response).task);
  const answer = stringOf(task.result) || stringOf(task.output);
  if (!run || call.failed || answer === "") return;
  run.answer = answer;
  run.events.push(call);
}

function addEvent(event: StoredEvent, run: AgentRun): void {
  run.events.push(event);
  run.type ||= event.agentType ?? "";
  if (event.kind === "subagent_end" && typeof event.body.message === "string")
    run.answer = event.body.message;
}

/** A host's log of the run: what follows its last call is the answer. */
const LOGGED_CALL = /^\[Tool(?: \w+)?: [^\]]{1,80}\]/;

/** Where the stored answer was cut, up to the end of the broken line behind. */
const CUT = /…? ?\[[\d.]+ [KM]?B of [\d.]+ [KM]?B left out\][^\n]*/g;

function answerOf(text: string): string {
  const lines = text.slice(0, 64_000).replace(CUT, "\n\n").split("\n");
  const last = lines.findLastIndex((line) => LOGGED_CALL.test(line));
  return lines
    .slice(last + 1)
    .join("\n")
    .slice(0, 24_000);
}

function draftFor(run: AgentRun, turn: Turn, calls: readonly Call[]): ObservationDraft[] {
  const own = calls.filter((call) => call.agentId === run.id);
  const paragraphs = paragraphsOf(answerOf(run.answer)).filter(
    (paragraph) => paragraph.kind === "heading" || !isEmptyWords(paragraph.text),
  );
  const outcome = pointOf(paragraphs) || topicsOf(paragraphs);
  const task = run.description || (run.type ? `${run.type} subagent` : "");
  // A launch alone tells nothing yet; the same unit comes with the answer.
  if (outcome === "" && own.length === 0) return [];
  const lead = task ? `${capital(cutText(task, 60))}: ` : "";
  const edited = own.some((call) => !call.failed && EDIT_TOOLS.test(call.tool));
  return [
    draftOf(`agent:${run.id}`, run.events, {
      type: edited ? "change" : "discovery",
      title: outcome
        ? lead + marked(outcome, Math.max(30, TITLE_MAX - lead.length))
        : cutText(`${capital(task)} (subagent, no answer yet)`, TITLE_MAX),
      subtitle: run.type ? `by a subagent (${run.type})` : "by a subagent",
      narrative: cutText(gistOf(paragraphs), ANSWER_MAX),
      facts: factsIn(paragraphs, outcome),
      concepts: [edited ? "what-changed" : "how-it-works"],
      filesRead: filesRead(own, turn.root).slice(0, FILES_MAX),
      origin: "assistant",
      agentId: run.id,
      agentType: run.type || null,
      ...(isHedged(outcome) ? { hypothesis: true } : {}),
    }),
  ];
}

/** Headings of a report whose prose makes no point. */
function topicsOf(paragraphs: readonly Paragraph[]): string {
  const headings = paragraphs.filter((paragraph) => paragraph.kind === "heading").map((one) => one.text);
  const plain = headings
    .map((text) => text.replace(/^[\d.)\s]+/, ""))
    .filter(
      (text) =>
        text.length > 6 && !/^(?:summary|overview|conclusion|key files?|files?|location)\b/i.test(text),
    );
  if (plain.length > 0) return plain.slice(0, 3).join("; ");
  return paragraphs.find((paragraph) => paragraph.kind !== "heading")?.text ?? "";
}

function gistOf(paragraphs: readonly Paragraph[]): string {
  return paragraphs
    .filter(({ kind }) => kind === "prose" || kind === "bullet")
    .map(({ kind, text }) => (kind === "bullet" && !/[.:;!?。]$/.test(text) ? `${text};` : text))
    .join(" ")
    .replace(/;$/, ".");
}

function factsIn(paragraphs: readonly Paragraph[], outcome: string): string[] {
  const bullets = paragraphs.filter(
    ({ kind, text }) =>
      kind === "bullet" && contentWords(text) >= 4 && namesThing(text) && !/[:：]$/.test(text),
  );
  return unique(bullets.map((bullet) => marked(bullet.text, 200)))
    .filter((text) => !outcome.includes(text))
    .slice(0, FACTS_MAX);
}
