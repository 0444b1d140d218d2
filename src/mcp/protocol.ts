/**
 * The Model Context Protocol as a server of tools needs it: JSON-RPC 2.0, one message a line. Written out here
 * because every tool call of a session waits for this process: the official kit takes three times as long to start
 * and twice the memory. Tested with the official client.
 */

type Id = string | number;
type Result = Record<string, unknown>;

/** What is there at once is answered at once: a hook waits for it. */
type Soon<T> = T | Promise<T>;

export type Method = (params: Record<string, unknown>) => Soon<Result>;

/** Newest first; another one that a client asks for is answered with the first. */
export const PROTOCOL_VERSIONS = ["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"] as const;

const CODES = { parse: -32700, request: -32600, method: -32601, internal: -32603 } as const;

/**
 * Answers one line of input: the line to send back, or `null` where none is due (a notification, a reply). Never
 * throws; what a method throws is told by `onError` and answered as an internal error.
 */
export function answerLine(
  line: string,
  methods: Readonly<Record<string, Method>>,
  onError: (error: unknown) => void,
): Soon<string | null> {
  if (line.trim() === "") return null;
  let message: unknown;
  try {
    message = JSON.parse(line);
  } catch {
    return failure(null, CODES.parse, "The line is not JSON.");
  }
  if (!Array.isArray(message)) return answerMessage(message, methods, onError);
  const answers = message.map((one) => answerMessage(one, methods, onError));
  return answers.some((one) => one instanceof Promise)
    ? Promise.all(answers).then(batchOf)
    : batchOf(answers);
}

function batchOf(answers: readonly unknown[]): string | null {
  const due = answers.filter((one) => one !== null);
  return due.length > 0 ? `[${due.join(",")}]` : null;
}

function answerMessage(
  message: unknown,
  methods: Readonly<Record<string, Method>>,
  onError: (error: unknown) => void,
): Soon<string | null> {
  if (typeof message !== "object" || message === null) return failure(null, CODES.request, "Not a request.");
  const { id, method, params } = message as { id?: unknown; method?: unknown; params?: unknown };
  const isId = typeof id === "string" || typeof id === "number";
  if (typeof method !== "string") return isId ? null : failure(null, CODES.request, "Not a request.");
  if (!isId) return null;
  const run = Object.hasOwn(methods, method) ? methods[method] : undefined;
  if (!run) return failure(id, CODES.method, `There is no method ${method}.`);
  const success = (result: Result) => JSON.stringify({ jsonrpc: "2.0", id, result });
  const fault = (error: unknown) => {
    onError(error);
    return failure(id, CODES.internal, "Something went wrong inside; the log tells more.");
  };
  try {
    const given = typeof params === "object" && params !== null ? (params as Record<string, unknown>) : {};
    const result = run(given);
    return result instanceof Promise ? result.then(success).catch(fault) : success(result);
  } catch (error) {
    return fault(error);
  }
}

function failure(id: Id | null, code: number, message: string): string {
  return JSON.stringify({ jsonrpc: "2.0", id, error: { code, message } });
}

/** A line longer than this is nobody's message; it is passed over to its end. */
const LINE_MAX = 256 * 1024 * 1024;

/**
 * Hands every whole line of `input` to `onLine`, whatever the pieces it comes in; resolves at the end of the input.
 */
export async function readLines(
  input: AsyncIterable<Uint8Array>,
  onLine: (line: string) => void,
): Promise<void> {
  const decoder = new TextDecoder();
  let parts: string[] = [];
  let length = 0;
  for await (const piece of input) {
    const text = decoder.decode(piece, { stream: true });
    let from = 0;
    for (let end = text.indexOf("\n"); end >= 0; end = text.indexOf("\n", from)) {
      parts.push(text.slice(from, end));
      if (length <= LINE_MAX) onLine(parts.join(""));
      parts = [];
      length = 0;
      from = end + 1;
    }
    length += text.length - from;
    if (length > LINE_MAX) parts = [];
    else parts.push(text.slice(from));
  }
}
