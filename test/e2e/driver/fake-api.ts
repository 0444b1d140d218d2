import { eventStreamOf, messageOf, type Reply } from "./reply.ts";
import {
  type Block,
  type MessagesBody,
  pickStep,
  type RequestKind,
  requestKind,
  type Step,
} from "./script.ts";

/**
 * One request to `POST /v1/messages`. Times are milliseconds since the epoch from the performance clock
 * (sub-millisecond, comparable between processes): `receivedAt` when the whole request was there,
 * `answeredAt` when the whole answer was handed to the socket, null until then.
 */
export type ApiRequest = {
  index: number;
  kind: RequestKind;
  receivedAt: number;
  answeredAt: number | null;
  headers: Record<string, string>;
  body: MessagesBody;
  bytes: number;
  step: Step | null;
};

export type FakeApiOptions = {
  scripts?: Record<string, Step[]>;
  /** Asked before the scripts; null leaves the request to them. For requests that carry no marker. */
  answer?: (body: MessagesBody, kind: RequestKind) => Step | null;
};

export type FakeApi = {
  url: string;
  /** In order of arrival. */
  requests: ApiRequest[];
  /** Paths asked for that the fake does not serve. */
  unknownPaths: string[];
  script(name: string, steps: Step[]): void;
  stop(): Promise<void>;
};

type State = FakeApi & { scripts: Map<string, Step[]>; options: FakeApiOptions };

const AGENT_HEADER = "x-claude-code-agent-id";

function now(): number {
  return performance.timeOrigin + performance.now();
}

function errorBody(type: string, message: string) {
  return { type: "error", error: { type, message } };
}

async function answerMessages(state: State, request: Request): Promise<Response> {
  const raw = await request.text();
  const receivedAt = now();
  const body = JSON.parse(raw) as MessagesBody;
  const headers = Object.fromEntries(request.headers);
  const kind = requestKind(body, headers[AGENT_HEADER] ?? null);
  const index = state.requests.length;
  const bytes = Buffer.byteLength(raw);
  const kept: ApiRequest = {
    index,
    kind,
    receivedAt,
    answeredAt: null,
    headers,
    body,
    bytes,
    step: null,
  };
  state.requests.push(kept);
  const step = state.options.answer?.(body, kind) ?? pickStep(body, kind, state.scripts);
  kept.step = step;
  if (step.delayMs) await Bun.sleep(step.delayMs);
  const reply: Reply = {
    id: `fake${process.pid}x${index}`,
    model: body.model ?? "fake",
    promptBytes: bytes,
    step,
  };
  const response = responseFor(reply, body.stream === true);
  kept.answeredAt = now();
  return response;
}

function responseFor(reply: Reply, stream: boolean): Response {
  const { status, error } = reply.step;
  if (status !== undefined) {
    const body = error ? { type: "error", error } : errorBody("overloaded_error", "fake overload");
    return Response.json(body, { status });
  }
  const headers = { "request-id": `req_${reply.id}` };
  if (!stream) return Response.json(messageOf(reply), { headers });
  return new Response(eventStreamOf(reply), { headers: { ...headers, "content-type": "text/event-stream" } });
}

async function route(state: State, request: Request): Promise<Response> {
  const { pathname } = new URL(request.url);
  if (request.method === "POST" && pathname === "/v1/messages") return answerMessages(state, request);
  if (request.method === "POST" && pathname === "/v1/messages/count_tokens") {
    return Response.json({ input_tokens: Math.ceil((await request.text()).length / 4) });
  }
  state.unknownPaths.push(`${request.method} ${pathname}`);
  return Response.json(errorBody("not_found_error", pathname), { status: 404 });
}

/** Starts a fake Messages API on a free port of the loopback address. Prompts name their script, see `marker`. */
export async function startFakeApi(options: FakeApiOptions = {}): Promise<FakeApi> {
  const scripts = new Map(Object.entries(options.scripts ?? {}));
  const state: State = {
    url: "",
    requests: [],
    unknownPaths: [],
    scripts,
    options,
    script: (name, steps) => void scripts.set(name, steps),
    stop: () => server.stop(true),
  };
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    idleTimeout: 0,
    fetch: (request) => route(state, request),
  });
  state.url = `http://127.0.0.1:${server.port}`;
  return state;
}

/** The requests of the main conversation in order: no subagents, titles, compactions or small side requests. */
export function mainRequests(api: FakeApi): ApiRequest[] {
  return api.requests.filter((request) => request.kind === "main");
}

function flatten(content: string | Block[] | undefined): string[] {
  if (content === undefined) return [];
  if (typeof content === "string") return [content];
  return content.flatMap((block) => {
    if (block.type === "text") return block.text === undefined ? [] : [block.text];
    if (block.type === "tool_result") return flatten(block.content);
    if (block.type === "tool_use") return [`${String(block.name)} ${JSON.stringify(block.input)}`];
    return [];
  });
}

/** All text the model received with this request: system prompt, then every message incl. tool calls and results. */
export function requestText(request: ApiRequest): string {
  const { system, messages } = request.body;
  return [...flatten(system), ...messages.flatMap((message) => flatten(message.content))].join("\n");
}

/**
 * Milliseconds between each tool-calling answer of the main conversation and the request that brings
 * its results: tools, hooks and the host's own work.
 */
export function toolTurnLatencies(api: FakeApi): number[] {
  const main = mainRequests(api);
  return main.flatMap((request, index) => {
    const next = main[index + 1];
    const calls = request.step?.tool ?? request.step?.tools;
    if (!next || !calls || request.answeredAt === null) return [];
    return [next.receivedAt - request.answeredAt];
  });
}
