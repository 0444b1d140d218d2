/** Talking to the worker: over its socket, with a deadline on each call. */
import { AppError, messageOf } from "../core/errors.ts";
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

export type Client = {
  /** Throws `unavailable` where no worker answers in time. */
  health: () => Promise<Health>;
  status: () => Promise<WorkerStatus>;
  /** Asks the worker to finish its transaction and leave. */
  stop: () => Promise<void>;
};

export function createClient(paths: Paths, deadlineMs = 2_000): Client {
  const call = async (method: "GET" | "POST", route: string): Promise<unknown> => {
    try {
      const response = await fetch(`http://throughline${route}`, {
        method,
        unix: paths.socket,
        signal: AbortSignal.timeout(deadlineMs),
        ...(method === "POST" ? { body: "{}", headers: { "content-type": "application/json" } } : {}),
      });
      if (!response.ok) throw new Error(`answered ${response.status}`);
      return await response.json();
    } catch (error) {
      throw new AppError("unavailable", `The worker does not answer (${messageOf(error)}).`, {
        cause: error,
      });
    }
  };
  return {
    health: async () => (await call("GET", "/health")) as Health,
    status: async () => (await call("GET", "/api/status")) as WorkerStatus,
    stop: async () => {
      await call("POST", "/api/stop");
    },
  };
}
