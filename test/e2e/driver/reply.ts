import type { Block, Step } from "./script.ts";

export type Reply = { id: string; model: string; promptBytes: number; step: Step };

function contentOf(reply: Reply): Block[] {
  const { step } = reply;
  const said = step.say ?? step.text;
  const blocks: Block[] = said === undefined ? [] : [{ type: "text", text: said }];
  const calls = step.tools ?? (step.tool ? [{ tool: step.tool, input: step.input ?? {} }] : []);
  for (const [index, call] of calls.entries()) {
    blocks.push({
      type: "tool_use",
      id: `toolu_${reply.id}_${index}`,
      name: call.tool,
      input: call.input ?? {},
    });
  }
  return blocks;
}

/** The whole assistant message, as a request without streaming gets it. */
export function messageOf(reply: Reply) {
  const content = contentOf(reply);
  const usage = {
    input_tokens: Math.ceil(reply.promptBytes / 4),
    cache_creation_input_tokens: 0,
    cache_read_input_tokens: 0,
    output_tokens: 20,
    ...reply.step.usage,
  };
  return {
    id: `msg_${reply.id}`,
    type: "message",
    role: "assistant",
    model: reply.model,
    content,
    stop_reason: content.some((block) => block.type === "tool_use") ? "tool_use" : "end_turn",
    stop_sequence: null,
    usage,
  };
}

function sse(type: string, fields: Record<string, unknown>): string {
  return `event: ${type}\ndata: ${JSON.stringify({ type, ...fields })}\n\n`;
}

function blockEvents(block: Block, index: number): string {
  const isText = block.type === "text";
  const empty = isText ? { type: "text", text: "" } : { ...block, input: {} };
  const delta = isText
    ? { type: "text_delta", text: block.text }
    : { type: "input_json_delta", partial_json: JSON.stringify(block.input) };
  return (
    sse("content_block_start", { index, content_block: empty }) +
    sse("content_block_delta", { index, delta }) +
    sse("content_block_stop", { index })
  );
}

/** The same message as the server-sent events of a streaming answer. */
export function eventStreamOf(reply: Reply): string {
  const message = messageOf(reply);
  const start = { ...message, content: [], stop_reason: null, usage: { ...message.usage, output_tokens: 1 } };
  const end = { stop_reason: message.stop_reason, stop_sequence: null };
  return (
    sse("message_start", { message: start }) +
    message.content.map(blockEvents).join("") +
    sse("message_delta", { delta: end, usage: message.usage }) +
    sse("message_stop", {})
  );
}
