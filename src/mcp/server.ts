/** The stdio server: the model's memory tools, and the door through which the host's hooks come in. */
import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import { CallToolRequestSchema, ListToolsRequestSchema } from "@modelcontextprotocol/sdk/types.js";
import { AppError, messageOf } from "../core/errors.ts";
import { redactSecrets } from "../privacy/secrets.ts";
import { HOOK_TOOL, payloadOf } from "./hook-tool.ts";
import { TOOLS, type ToolParts } from "./tools.ts";

const INSTRUCTIONS =
  "Throughline remembers earlier sessions of this project. When a memory note (#number) matters to the task, read it in full with get_observations before relying on it.";

export type ServerParts = ToolParts & {
  version: string;
  /** Answers a hook; always the host's JSON, never throws. */
  hook: (event: string, payload: Record<string, unknown>) => string;
  onError: (why: string) => void;
};

/** The server, not yet connected. */
export function createMcpServer(parts: ServerParts): Server {
  const server = new Server(
    { name: "throughline", version: parts.version },
    { capabilities: { tools: {} }, instructions: INSTRUCTIONS },
  );
  server.setRequestHandler(ListToolsRequestSchema, () => ({
    tools: TOOLS.map(({ run: _, ...tool }) => ({
      ...tool,
      annotations: { readOnlyHint: true, openWorldHint: false },
    })),
  }));
  server.setRequestHandler(CallToolRequestSchema, ({ params }) => {
    const input = params.arguments ?? {};
    if (params.name === HOOK_TOOL)
      return say(parts.hook(String(input.hook_event_name ?? ""), payloadOf(input)));
    const tool = TOOLS.find((one) => one.name === params.name);
    if (!tool) return { ...say(`There is no tool ${params.name}.`), isError: true };
    try {
      return say(redactSecrets(tool.run(input, parts)));
    } catch (error) {
      if (!(error instanceof AppError)) parts.onError(messageOf(error));
      const sentence =
        error instanceof AppError ? error.message : "Something went wrong inside; the log tells more.";
      return { ...say(sentence), isError: true };
    }
  });
  return server;
}

function say(text: string) {
  return { content: [{ type: "text" as const, text }] };
}
