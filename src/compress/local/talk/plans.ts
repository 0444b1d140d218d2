/** A plan with what became of it: plan mode, lists of tasks and to-dos. */
import type { ObservationDraft } from "../../../core/observation.ts";
import { cutText, oneLine } from "../../../core/text.ts";
import { type Call, draftOf } from "../call.ts";
import { listOf, objectOf, stringOf } from "../json.ts";
import { counted, listed, TITLE_MAX, titleOf, unique } from "../words.ts";
import { paragraphsOf } from "./closing.ts";

export type Step = { words: string; done: boolean };
const STEPS_MAX = 12;
const LISTED_MIN = 2;

/** The steps of the turn's last list of to-dos, or of its tasks, in order. */
export function stepsOf(calls: readonly Call[]): Step[] {
  const todos = calls.findLast((call) => call.tool === "TodoWrite" && !call.failed && call.agentId === null);
  const listed = listOf(todos?.input.todos).flatMap((one): Step[] => {
    const { content, status } = objectOf(one);
    const words = oneLine(stringOf(content));
    return words === "" ? [] : [{ words, done: status === "completed" }];
  });
  return [...listed, ...tasksOf(calls)];
}

function tasksOf(calls: readonly Call[]): Step[] {
  const tasks = new Map<string, Step>();
  for (const call of calls) {
    if (call.failed || call.agentId !== null) continue;
    if (call.tool === "TaskCreate") {
      const id = objectOf(objectOf(call.response).task).id;
      const words = oneLine(stringOf(call.input.subject));
      if (words !== "") tasks.set(typeof id === "string" ? id : words, { words, done: false });
    } else if (call.tool === "TaskUpdate") {
      const id = stringOf(call.input.taskId);
      const task = tasks.get(id);
      if (call.input.status === "deleted") tasks.delete(id);
      else if (task && call.input.status === "completed") tasks.set(id, { ...task, done: true });
    }
  }
  return [...tasks.values()];
}

/** `outcome` says in a few words what the turn did; `null` where nothing was planned, or all of a mere list is done. */
export function planDraft(calls: readonly Call[], outcome: readonly string[]): ObservationDraft | null {
  const plan = calls.findLast((call) => call.tool === "ExitPlanMode" && stringOf(call.input.plan) !== "");
  const steps = stepsOf(calls);
  if (plan) return planned(plan, outcome, steps);
  const open = steps.filter((step) => !step.done);
  const evidence = calls.filter((call) => /^(?:TodoWrite|Task(?:Create|Update))$/.test(call.tool));
  if (steps.length < LISTED_MIN || open.length === 0) return null;
  const words = open.map((step) => step.words);
  const done = steps.length - open.length;
  return draftOf("plan", evidence, {
    type: "change",
    title: titleOf(
      `${done > 0 ? `Left open after ${done} of ${counted(steps.length, "step")}` : `Planned ${counted(steps.length, "step")}`}: ${listed(
        words.map((one) => cutText(one, 50)),
        2,
      )}`,
    ),
    facts: steps
      .slice(0, STEPS_MAX)
      .map((step) => `${step.done ? "Done" : "Open"}: ${cutText(step.words, 160)}`),
    concepts: ["what-changed"],
    origin: "assistant",
  });
}

function planned(call: Call, outcome: readonly string[], steps: readonly Step[]): ObservationDraft {
  const paragraphs = paragraphsOf(stringOf(call.input.plan).slice(0, 24_000));
  const headings = paragraphs.filter((one) => one.kind === "heading").map((one) => one.text);
  const subject = (headings[0] ?? paragraphs[0]?.text ?? "").replace(
    /^(?:implementation )?plan\s*[:—-]\s*/i,
    "",
  );
  const state = call.failed ? "not approved" : outcome.length > 0 ? "approved and carried out" : "approved";
  const prose = paragraphs.find((one) => one.kind === "prose")?.text ?? "";
  const told = steps.length > 0 ? steps.map((step) => step.words) : headings.slice(1);
  return draftOf("plan", [call], {
    type: call.failed ? "discovery" : "change",
    title: titleOf(`Plan (${state}): ${cutText(subject, TITLE_MAX - 32) || "without a title"}`),
    narrative: cutText(`${prose}${outcome.length > 0 ? ` Outcome: ${outcome.join("; ")}.` : ""}`, 800),
    facts: unique(told.map((one) => cutText(one, 160))).slice(0, STEPS_MAX),
    concepts: ["what-changed"],
    origin: "assistant",
  });
}
