/** Asking the worker on the model's behalf. */
import type { Client } from "../api/client.ts";
import { AppError } from "../core/errors.ts";
import type { ToolParts } from "./tool.ts";

const WAIT_MS = 5_000;
const STEP_MS = 100;

/** Asks the worker, starting it first where it is not there. */
export async function askWorker<T>(parts: ToolParts, ask: (worker: Client) => Promise<T>): Promise<T> {
  for (const until = Date.now() + WAIT_MS; ; await Bun.sleep(STEP_MS)) {
    try {
      return await ask(parts.worker);
    } catch (error) {
      const absent = error instanceof AppError && error.code === "unavailable";
      if (!absent || Date.now() > until) throw error;
      parts.ensureWorker();
    }
  }
}
