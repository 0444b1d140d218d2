/** Talking to the worker: over its socket, with a deadline on each call. */
import { AppError, type ErrorCode, messageOf } from "../core/errors.ts";
import type { Paths } from "../env/paths.ts";

export type Health = { status: "ok"; uptime: number; port: number | null; version: string; pid: number };

export type WorkerStatus = Health & {
  ready: boolean;
  store: { observations: number; summaries: number; bytes: number } | null;
  queue: { pending: number; processing: number; failed: number } | null;
  spool: number;
  /** Files of the agents' own logs that wait to be read on. */
  transcripts: number | null;
  /** The newest sessions, newest first. */
  captures: SessionCapture[] | null;
};

/** How much of what a session's transcript shows is in the store: prompts and tool calls. */
export type SessionCapture = {
  sessionId: string;
  startedAt: number;
  project: string;
  expected: number;
  captured: number;
  byHooks: number;
  unreadable: number;
};

/** An observation as the interface gives it; the fields a program of ours reads. */
export type ObservationView = { id: number; type: string; title: string; pinned: boolean; project: string };

export type MemoryWish = {
  text: string;
  title?: string;
  type?: string;
  pinned?: boolean;
  /** By key and name, or by its shown name; absent where it belongs to none. */
  project?: { key: string; name: string } | string;
};

export type FoundView = {
  kind: "observation" | "summary" | "prompt";
  id: number;
  type: string;
  title: string;
  snippet: string;
  score: number;
  project: string | null;
  pinned: boolean;
  superseded: boolean;
  created_at: string;
};

export type SearchView = { results: FoundView[]; total: number; hasMore: boolean; degraded: string | null };

export type TimelineView = {
  anchor: number;
  items: { kind: FoundView["kind"]; id: number; type: string; text: string; created_at: string }[];
};

/** Query parameters by name; absent ones are left out. */
export type QueryWords = Record<string, string | number | undefined>;

/**
 * Each call throws `unavailable` where no worker answers in time, and what the worker says is wrong with a request as
 * `invalid` or `not_found`, with its sentence.
 */
export type Client = {
  health: () => Promise<Health>;
  status: () => Promise<WorkerStatus>;
  /** Asks the worker to finish its transaction and leave. */
  stop: () => Promise<void>;
  remember: (wish: MemoryWish) => Promise<ObservationView>;
  pin: (id: number, pinned: boolean) => Promise<ObservationView>;
  forget: (id: number) => Promise<void>;
  search: (words: QueryWords) => Promise<SearchView>;
  timeline: (words: QueryWords) => Promise<TimelineView>;
  /** What is told with a prompt. */
  recall: (question: RecallQuestion) => Promise<{ context: string; ids: number[] }>;
};

export type RecallQuestion = { q: string; project_key: string; limit: number; exclude: number[] };

const CODES: Record<number, ErrorCode> = { 400: "invalid", 404: "not_found" };

export function createClient(paths: Paths, deadlineMs = 2_000): Client {
  const call = async <T>(method: string, route: string, body?: unknown): Promise<T> => {
    const refused = await ask(paths, deadlineMs, method, route, body);
    if (refused.ok) return refused.answer as T;
    throw new AppError(refused.code, refused.why);
  };
  return {
    health: () => call("GET", "/health"),
    status: () => call("GET", "/api/status"),
    stop: () => call("POST", "/api/stop", {}),
    remember: (wish) => call("POST", "/api/memory/save", wish),
    pin: (id, pinned) => call("PATCH", `/api/observation/${id}`, { pinned }),
    forget: (id) => call("DELETE", `/api/observation/${id}`),
    search: (words) => call("GET", `/api/search${queryOf(words)}`),
    timeline: (words) => call("GET", `/api/timeline${queryOf(words)}`),
    recall: (question) => call("POST", "/api/context/semantic", question),
  };
}

function queryOf(words: QueryWords): string {
  const given = new URLSearchParams();
  for (const [name, value] of Object.entries(words))
    if (value !== undefined && value !== "") given.set(name, String(value));
  return given.size > 0 ? `?${given}` : "";
}

type Answer = { ok: true; answer: unknown } | { ok: false; code: ErrorCode; why: string };

async function ask(
  paths: Paths,
  deadlineMs: number,
  method: string,
  route: string,
  body: unknown,
): Promise<Answer> {
  try {
    const response = await fetch(`http://throughline${route}`, {
      method,
      unix: paths.socket,
      signal: AbortSignal.timeout(deadlineMs),
      ...(body === undefined
        ? {}
        : { body: JSON.stringify(body), headers: { "content-type": "application/json" } }),
    });
    const answer = (await response.json()) as { error?: string };
    if (response.ok) return { ok: true, answer };
    const code = CODES[response.status] ?? "unavailable";
    return { ok: false, code, why: answer.error ?? `The worker answered ${response.status}.` };
  } catch (error) {
    return { ok: false, code: "unavailable", why: `The worker does not answer (${messageOf(error)}).` };
  }
}
