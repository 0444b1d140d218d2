/**
 * The hook program: what a host starts for one event. Payload on standard input, the host's JSON on standard
 * output, exit code 0 on every path.
 */
import { readSync, writeSync } from "node:fs";
import { versionGuard } from "./capture/guard.ts";
import { type HandlerParts, handle } from "./capture/handle.ts";
import { passOver } from "./capture/passed-over.ts";
import { HOST_CONTEXT_MAX } from "./core/budget.ts";
import { cutText } from "./core/text.ts";
import { openLog } from "./env/log.ts";
import { dataDirOf, pathsOf } from "./env/paths.ts";
import { loadSettings, type Settings } from "./env/settings.ts";
import { isSwitchedOff } from "./env/switches.ts";
import { VERSION } from "./env/version.ts";
import { HOSTS } from "./hosts/index.ts";
import { redactSecrets } from "./privacy/secrets.ts";
import { readStartFailure } from "./process/failure.ts";
import { ensureWorker, ownPrograms } from "./process/spawn.ts";

/** A payload beyond this is not read to its end; the largest seen is a few megabytes. */
const MAX_INPUT = 128 * 1024 * 1024;

async function main(): Promise<string> {
  const [hostName = "", eventName = ""] = process.argv.slice(2);
  const host = HOSTS[hostName];
  const { env } = process;
  if (!host) return "{}";
  process.umask(0o077);
  const fallback = process.argv.find((word) => word.startsWith("--data="))?.slice("--data=".length);
  const paths = pathsOf(dataDirOf(env, fallback));
  if (isSwitchedOff(env)) {
    const sessionId = host.sessionOf(env);
    if (eventName === "SessionStart" && sessionId) passOver(paths, sessionId);
    return "{}";
  }
  const input = readInput();
  const programs = ownPrograms();
  let settings: Settings | undefined;
  const settingsOnce = () => {
    settings ??= loadSettings(paths.settings, env).values;
    return settings;
  };
  // Loaded for the one event that reads the store; every other one is done sooner without it.
  const memory = eventName === "SessionStart" ? await import("./context/memory.ts") : null;
  const parts: HandlerParts = {
    host,
    paths,
    env,
    via: "hook",
    hostPid: process.ppid > 1 ? process.ppid : null,
    settings: settingsOnce,
    log: () => openLog({ dir: paths.logs, program: "hook", level: settingsOnce().CLAUDE_MEM_LOG_LEVEL }),
    tell: (start) =>
      memory
        ? cutText(redactSecrets(memory.tell(paths, settingsOnce(), start, Date.now())), HOST_CONTEXT_MAX)
        : "",
    lastSession: (project, before) => memory?.lastSession(paths, project, before) ?? null,
    workerTrouble: () => readStartFailure(paths)?.why ?? null,
    guard: () => versionGuard(env, VERSION),
    ensureWorker: () => ensureWorker(paths, programs, VERSION, env),
    now: Date.now,
  };
  return handle(parts, eventName, input);
}

/** All of standard input as text, without waiting on an event loop. Bytes that are no UTF-8 become U+FFFD. */
function readInput(): string {
  const chunks: Buffer[] = [];
  let total = 0;
  while (total < MAX_INPUT) {
    const chunk = Buffer.allocUnsafe(total < 65_536 ? 65_536 : 1_048_576);
    let read: number;
    try {
      read = readSync(0, chunk);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EAGAIN") break;
      Bun.sleepSync(1);
      continue;
    }
    if (read === 0) break;
    chunks.push(chunk.subarray(0, read));
    total += read;
  }
  return Buffer.concat(chunks, total).toString("utf8");
}

/** Writes all of it, as far as anyone still reads. */
function writeOutput(text: string): void {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; ) {
    try {
      at += writeSync(1, bytes, at);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EAGAIN") return;
      Bun.sleepSync(1);
    }
  }
}

process.on("uncaughtException", () => process.exit(0));
process.on("unhandledRejection", () => process.exit(0));
main()
  .then(writeOutput)
  .catch(() => undefined)
  .finally(() => process.exit(0));
