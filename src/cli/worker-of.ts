/** The worker, for commands that need it. */
import { type Client, createClient } from "../api/client.ts";
import { AppError } from "../core/errors.ts";
import { VERSION } from "../env/version.ts";
import { bringUp } from "../process/up.ts";
import type { CommandContext } from "./command.ts";

const CALL_MS = 10_000;

/** The worker's client; the worker is started where none runs. */
export async function workerOf({ paths, programs, env, print }: CommandContext): Promise<Client> {
  const up = await print.during("Starting the worker", () => bringUp(paths, programs, VERSION, env));
  if ("why" in up) throw new AppError("unavailable", `The worker did not start: ${up.why}.`);
  return createClient(paths, CALL_MS);
}
