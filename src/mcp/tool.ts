/** What a tool of the model's is. */
import type { Client } from "../api/client.ts";
import type { ProjectRef } from "../core/event.ts";
import type { Settings } from "../env/settings.ts";
import type { Db } from "../store/open.ts";

export type ToolParts = {
  /** Runs `read` on the store; `null` there means that there is none yet. */
  withStore: <T>(read: (db: Db | null) => T) => T | null;
  project: () => ProjectRef | null;
  /** The directory whose files may be read; `null` outside projects. */
  workspace: () => string | null;
  /** Where the index of its definitions is kept. */
  outlineIndex: string;
  settings: () => Settings;
  /** For what only the worker does. */
  worker: Client;
  /** Starts the worker where none runs, without waiting for it. */
  ensureWorker: () => void;
  now: () => number;
};

export type Tool = {
  name: string;
  description: string;
  inputSchema: { type: "object"; properties: Record<string, object>; required?: string[] };
  /** What a call does beside answering; reads where absent. */
  effect?: "reads" | "writes" | "deletes";
  /** Answers text for the model; throws `AppError` with a sentence on bad input. */
  run: (input: Record<string, unknown>, parts: ToolParts) => string | Promise<string>;
};
