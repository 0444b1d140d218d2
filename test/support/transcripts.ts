/** Made-up transcripts in the form the present host writes them. */
import { T0 } from "./events.ts";

type Fields = Record<string, unknown>;

let serial = 0;

function base(more: Fields): Fields {
  serial += 1;
  return {
    parentUuid: null,
    isSidechain: false,
    uuid: `00000000-0000-4000-8000-${String(serial).padStart(12, "0")}`,
    timestamp: new Date(T0 + serial * 1_000).toISOString(),
    userType: "external",
    cwd: "/srv/shop",
    sessionId: "s1",
    version: "2.1.332",
    gitBranch: "main",
    ...more,
  };
}

export function userSays(text: string, more: Fields = {}): Fields {
  return base({ type: "user", message: { role: "user", content: text }, promptId: "p1", ...more });
}

/** What was typed while the turn ran. */
export function queuedWords(prompt: string, more: Fields = {}): Fields {
  return base({
    type: "attachment",
    attachment: { type: "queued_command", prompt, commandMode: "prompt" },
    ...more,
  });
}

export function assistantSays(text: string, more: Fields = {}): Fields {
  return base({
    type: "assistant",
    message: { role: "assistant", content: [{ type: "text", text }] },
    ...more,
  });
}

export function callOf(
  id: string,
  name = "Bash",
  input: Fields = { command: `echo ${id}` },
  more: Fields = {},
): Fields {
  const content = [{ type: "tool_use", id, name, input }];
  return base({ type: "assistant", message: { role: "assistant", content }, ...more });
}

export function resultOf(id: string, more: Fields = {}, response: unknown = { stdout: id }): Fields {
  const content = [{ type: "tool_result", tool_use_id: id, content: id }];
  return base({
    type: "user",
    message: { role: "user", content },
    toolUseResult: response,
    promptId: "p1",
    ...more,
  });
}

export function failureOf(id: string, error: string, more: Fields = {}): Fields {
  const content = [{ type: "tool_result", tool_use_id: id, is_error: true, content: error }];
  return base({
    type: "user",
    message: { role: "user", content },
    toolUseResult: `Error: ${error}`,
    promptId: "p1",
    ...more,
  });
}

export function turnEnds(more: Fields = {}): Fields {
  return base({ type: "system", subtype: "stop_hook_summary", ...more });
}

/** A call and its result. */
export function called(id: string, more: Fields = {}): Fields[] {
  return [callOf(id, "Bash", { command: `echo ${id}` }, more), resultOf(id, more)];
}

/** One record a line. */
export function linesOf(...records: (Fields | Fields[] | string)[]): string {
  return records
    .flat()
    .map((record) => `${typeof record === "string" ? record : JSON.stringify(record)}\n`)
    .join("");
}
