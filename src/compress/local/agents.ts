/** A subagent's run as one observation: what it was sent for and what it answered. */
import type { ObservationDraft } from "../../core/observation.ts";
import { cutText, oneLine } from "../../core/text.ts";
import type { StoredEvent, Turn } from "../../core/turn.ts";
import { type Call, draftOf, filesRead } from "./call.ts";
import { marked, paragraphsOf } from "./closing.ts";
import { pointOf } from "./findings.ts";
import { objectOf, outputOf, stringOf } from "./json.ts";
import { EDIT_TOOLS } from "./patch.ts";
import { capital, TITLE_MAX } from "./words.ts";

const AGENT_TOOLS = /^(?:Agent|Task)$/;
const ANSWER_MAX = 800;
const FILES_MAX = 20;

type AgentRun = {
  id: string;
  type: string;
  description: string;
  answer: string;
  events: { id: number; at: number }[];
  launched: boolean;
};

/** In order of their start. */
export function agentDrafts(turn: Turn, calls: readonly Call[]): ObservationDraft[] {
  const runs = new Map<string, AgentRun>();
  const runOf = (id: string): AgentRun => {
    const run = runs.get(id) ?? { id, type: "", description: "", answer: "", events: [], launched: false };
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
  run.launched = true;
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

function draftFor(run: AgentRun, turn: Turn, calls: readonly Call[]): ObservationDraft[] {
  const own = calls.filter((call) => call.agentId === run.id);
  const paragraphs = paragraphsOf(run.answer.slice(0, 24_000));
  const outcome = pointOf(paragraphs) || oneLine(paragraphs.map((paragraph) => paragraph.text).join(" "));
  const task = run.description || (run.type ? `${run.type} subagent` : "");
  // A launch alone tells nothing yet; the same unit comes with the answer.
  if (outcome === "" && own.length === 0) return [];
  const lead = task ? `${capital(task)}: ` : "";
  const edited = own.some((call) => !call.failed && EDIT_TOOLS.test(call.tool));
  return [
    draftOf(`agent:${run.id}`, run.events, {
      type: edited ? "change" : "discovery",
      title: outcome
        ? lead + marked(outcome, Math.max(30, TITLE_MAX - lead.length))
        : cutText(`${capital(task)} (subagent, no answer yet)`, TITLE_MAX),
      subtitle: run.type ? `by a subagent (${run.type})` : "by a subagent",
      narrative: cutText(
        paragraphs
          .filter((paragraph) => paragraph.kind !== "heading")
          .map((paragraph) => paragraph.text)
          .join(" "),
        ANSWER_MAX,
      ),
      concepts: [edited ? "what-changed" : "how-it-works"],
      filesRead: filesRead(own, turn.root).slice(0, FILES_MAX),
      origin: "assistant",
      agentId: run.id,
      agentType: run.type || null,
    }),
  ];
}
