/** The tool calls of a turn, read once into one shape. */

import type { ObservationDraft } from "../../core/observation.ts";
import type { StoredEvent, Turn } from "../../core/turn.ts";
import { bounded, type JsonObject, objectOf, outputOf } from "./json.ts";
import { shownPath } from "./paths.ts";

export type Call = {
  id: number;
  at: number;
  tool: string;
  toolUseId: string;
  failed: boolean;
  interrupted: boolean;
  input: JsonObject;
  response: StoredEvent["body"]["response"];
  /** What it printed; for a failed call its error. */
  output: string;
  agentId: string | null;
  agentType: string | null;
  cwd: string | null;
};

/** Every tool call of the turn, in order. */
export function callsOf(turn: Turn): Call[] {
  return turn.events.flatMap((event) => {
    if (event.kind !== "tool" && event.kind !== "tool_failure") return [];
    const { body } = event;
    const failed = event.kind === "tool_failure";
    return [
      {
        id: event.id,
        at: event.at,
        tool: typeof body.tool === "string" ? body.tool : "",
        toolUseId: typeof body.toolUseId === "string" ? body.toolUseId : "",
        failed,
        interrupted: body.interrupted === true || objectOf(body.response).interrupted === true,
        input: objectOf(body.input),
        response: body.response,
        output: failed ? bounded(typeof body.error === "string" ? body.error : "") : outputOf(body.response),
        agentId: event.agentId || null,
        agentType: event.agentType || null,
        cwd: event.cwd,
      },
    ];
  });
}

/** The file a call names in its input, as shown; "" where it names none. */
export function fileOf(call: Call, root: string | null): string {
  const { file_path: file, notebook_path: notebook, path } = call.input;
  const named = [file, notebook, path].find((value) => typeof value === "string" && value !== "");
  return typeof named === "string" ? shownPath(named, root, call.cwd) : "";
}

/** Files that were read, in order, without repetition. */
export function filesRead(calls: readonly Call[], root: string | null): string[] {
  const files = calls.filter((call) => !call.failed && /^(Read|NotebookRead)$/.test(call.tool));
  return [...new Set(files.map((call) => fileOf(call, root)).filter((file) => file !== ""))];
}

/** A draft with nothing but its unit, evidence and time; the caller fills in the rest. */
export function draftOf(
  unit: string,
  evidence: readonly { id: number; at: number }[],
  rest: Partial<ObservationDraft> & Pick<ObservationDraft, "type" | "title">,
): ObservationDraft {
  return {
    unit,
    subtitle: "",
    narrative: "",
    facts: [],
    concepts: [],
    filesRead: [],
    filesModified: [],
    origin: "tool",
    pinned: false,
    agentId: null,
    agentType: null,
    evidence: [...new Set(evidence.map((event) => event.id))],
    at: evidence.reduce((newest, event) => Math.max(newest, event.at), 0),
    ...rest,
  };
}

/** Whose work it was: the agent where all of it was one agent's, else nobody in particular. */
export function agentOf(calls: readonly Call[]): Pick<ObservationDraft, "agentId" | "agentType"> {
  const first = calls[0];
  const same = first !== undefined && calls.every((call) => call.agentId === first.agentId);
  return { agentId: same ? first.agentId : null, agentType: same ? first.agentType : null };
}
