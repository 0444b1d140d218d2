/** One content block of a message, as far as the fake model reads it. */
export type Block = { type: string; text?: string; content?: string | Block[]; [key: string]: unknown };

/** One message of a request. Newer models also get `role: "system"` messages between the turns. */
export type Message = { role: string; content: string | Block[] };

/** Body of `POST /v1/messages`, as far as the fake model reads it. */
export type MessagesBody = {
  model?: string;
  system?: string | Block[];
  messages: Message[];
  tools?: { name: string; [key: string]: unknown }[];
  stream?: boolean;
  output_config?: { format?: unknown; [key: string]: unknown };
  [key: string]: unknown;
};

export type ToolCall = { tool: string; input?: Record<string, unknown> };

/**
 * One answer of the fake model. `text` ends the turn; `tool` or `tools` ask for tool calls, with `say` as
 * text before them. `usage` overrides the token counts (a high `input_tokens` forces auto-compaction);
 * `status` makes it an HTTP error with `error` as its body; `delayMs` waits before answering.
 */
export type Step = {
  text?: string;
  tool?: string;
  input?: Record<string, unknown>;
  tools?: ToolCall[];
  say?: string;
  usage?: Record<string, number>;
  status?: number;
  error?: { type: string; message: string };
  delayMs?: number;
};

/** What a request is for. `title` covers every small request that asks for structured output. */
export type RequestKind = "main" | "subagent" | "compaction" | "title" | "other";

const MARKER = /\{\{script:([^{}]+)\}\}/g;
const COMPACTION =
  /your task is to create a detailed summary|create a detailed summary of (the|this) conversation/i;
const SUMMARY = "<analysis>fake analysis</analysis>\n<summary>FAKE SUMMARY of the conversation.</summary>";

/** The text to put into a prompt so that the fake model follows the script of this name. */
export function marker(name: string): string {
  return `{{script:${name}}}`;
}

/** The text blocks of a message, without tool results. */
export function messageTexts(message: Message): string[] {
  if (typeof message.content === "string") return [message.content];
  return message.content.flatMap((block) => (block.type === "text" && block.text ? [block.text] : []));
}

/** What this request is for, told from its body and the host's agent header alone. */
export function requestKind(body: MessagesBody, agentId: string | null): RequestKind {
  const last = body.messages.findLast((message) => message.role === "user");
  if (last && messageTexts(last).some((text) => COMPACTION.test(text))) return "compaction";
  if (body.output_config?.format !== undefined) return "title";
  if ((body.tools?.length ?? 0) === 0) return "other";
  return agentId === null ? "main" : "subagent";
}

type Found = { name: string; answered: number };

function findMarker(messages: Message[]): Found | null {
  let answered = 0;
  for (const message of messages.toReversed()) {
    if (message.role === "assistant") answered++;
    if (message.role !== "user") continue;
    for (const text of messageTexts(message).reverse()) {
      // Context given by hooks may quote an earlier prompt together with its marker.
      if (text.startsWith("<system-reminder>")) continue;
      const name = [...text.matchAll(MARKER)].at(-1)?.[1];
      if (name !== undefined) return { name, answered };
    }
  }
  return null;
}

/**
 * The answer to a request. Stateless: the last user text with a marker names the script, the number of
 * assistant messages after it is the step. Past the end of the script the answer is "DONE".
 */
export function pickStep(body: MessagesBody, kind: RequestKind, scripts: ReadonlyMap<string, Step[]>): Step {
  if (kind === "compaction") return { text: SUMMARY };
  if (kind === "title") return { text: '{"title":"Fake title"}' };
  const found = findMarker(body.messages);
  if (!found) return { text: "FAKE ANSWER" };
  const steps = scripts.get(found.name);
  if (!steps) return { text: `NO SCRIPT NAMED ${found.name}` };
  return steps[found.answered] ?? { text: "DONE" };
}
