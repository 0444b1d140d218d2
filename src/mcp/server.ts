/** The server: the model's memory tools, and the door through which the host's hooks come in. */
import { AppError, messageOf } from "../core/errors.ts";
import { redactSecrets } from "../privacy/secrets.ts";
import { HOOK_TOOL, payloadOf } from "./hook-tool.ts";
import { type Method, PROTOCOL_VERSIONS } from "./protocol.ts";
import type { ToolParts } from "./tool.ts";
import { TOOLS } from "./tools.ts";

const INSTRUCTIONS =
  "Throughline remembers earlier sessions of this project: before work on something that may have been done, decided or tried before, search; timeline shows what lies around a note, get_observations gives notes (#number) in full. Read a note in full before relying on it.";

export type ServerParts = ToolParts & {
  version: string;
  /** Answers a hook; always the host's JSON, never throws. */
  hook: (event: string, payload: Record<string, unknown>) => string | Promise<string>;
  onError: (why: string) => void;
};

/** What the server answers, by method. */
export function createMethods(parts: ServerParts): Record<string, Method> {
  const tools = TOOLS.map(({ run: _, effect = "reads", ...tool }) => ({
    ...tool,
    annotations: {
      readOnlyHint: effect === "reads",
      destructiveHint: effect === "deletes",
      openWorldHint: false,
    },
  }));
  return {
    initialize: ({ protocolVersion }) => ({
      protocolVersion:
        PROTOCOL_VERSIONS.find((version) => version === protocolVersion) ?? PROTOCOL_VERSIONS[0],
      capabilities: { tools: {} },
      serverInfo: { name: "throughline", version: parts.version },
      instructions: INSTRUCTIONS,
    }),
    ping: () => ({}),
    "tools/list": () => ({ tools }),
    "tools/call": ({ name, arguments: given }) => {
      const input = typeof given === "object" && given !== null ? (given as Record<string, unknown>) : {};
      // Not listed, so that the model neither sees nor calls it; the host calls it by name.
      if (name === HOOK_TOOL) {
        const answer = parts.hook(String(input.hook_event_name ?? ""), payloadOf(input));
        return answer instanceof Promise ? answer.then(say) : say(answer);
      }
      return callTool(String(name), input, parts);
    },
  };
}

function callTool(
  name: string,
  input: Record<string, unknown>,
  parts: ServerParts,
): Record<string, unknown> | Promise<Record<string, unknown>> {
  const tool = TOOLS.find((one) => one.name === name);
  if (!tool) return { ...say(`There is no tool ${name}.`), isError: true };
  const success = (text: string) => say(redactSecrets(text));
  const fault = (error: unknown) => {
    if (!(error instanceof AppError)) parts.onError(messageOf(error));
    const sentence =
      error instanceof AppError ? error.message : "Something went wrong inside; the log tells more.";
    return { ...say(sentence), isError: true };
  };
  try {
    const text = tool.run(input, parts);
    return typeof text === "string" ? success(text) : text.then(success).catch(fault);
  } catch (error) {
    return fault(error);
  }
}

function say(text: string): Record<string, unknown> {
  return { content: [{ type: "text", text }] };
}
