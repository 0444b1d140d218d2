/** start, stop, restart, status, logs: the worker as a person sees it. */
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { createClient, type SessionCapture } from "../api/client.ts";
import { readText } from "../env/files.ts";
import type { Paths } from "../env/paths.ts";
import { VERSION } from "../env/version.ts";
import { HOSTS_INSTALLABLE } from "../hosts/installable.ts";
import { stopWorker } from "../process/lifecycle.ts";
import { lives, readRecord } from "../process/record.ts";
import { bringUp } from "../process/up.ts";
import { type Command, type CommandContext, JSON_OPTION } from "./command.ts";

export const start: Command = {
  name: "start",
  about: "start the worker and say where to look",
  options: JSON_OPTION,
  run: async (context, flags) => {
    const { paths, print } = context;
    const up = await print.during("Starting the worker", () =>
      bringUp(paths, context.programs, VERSION, context.env),
    );
    if ("why" in up) {
      print.error(
        `The worker did not start: ${up.why}. Its log is in ${paths.logs}; \`npx throughline doctor\` tells what to do.`,
      );
      return 1;
    }
    const { status } = up;
    if (flags.json) print.json(status);
    else sayRunning(context, status.pid, status.port);
    return 0;
  },
};

function sayRunning({ paths, print, env }: CommandContext, pid: number, port: number | null): void {
  print.line(
    `${print.style("green", "●")} Throughline ${VERSION} is running (process ${pid}${port ? `, 127.0.0.1:${port}` : ", without a port"}).`,
  );
  print.line(`  Memory and logs: ${paths.data}`);
  print.line(`  Look:            npx throughline status · npx throughline context · npx throughline logs`);
  const registered = HOSTS_INSTALLABLE.some((host) => host.isInstalled(env));
  const found = HOSTS_INSTALLABLE.some((host) => host.isPresent(env));
  if (registered)
    print.line("  Next:            open a coding session; it is remembered from its first prompt.");
  else if (found)
    print.line("  Next:            npx throughline install   (registers it with the agents found)");
  else print.line("  Next:            npx throughline demo      (no coding agent was found on this machine)");
}

export const stop: Command = {
  name: "stop",
  about: "stop the worker; hooks start it again",
  options: {},
  run: async ({ paths, print }) => {
    const outcome = await print.during("Stopping the worker", () => stopWorker(paths));
    const sentences = {
      "not running": "The worker is not running.",
      stopped: "The worker has stopped.",
      killed: "The worker did not leave in time and was killed; nothing is lost, events wait in the spool.",
      unproven: "A process has the recorded number but does not prove to be the worker; it was left alone.",
    };
    print.line(sentences[outcome]);
    return outcome === "unproven" ? 1 : 0;
  },
};

export const restart: Command = {
  name: "restart",
  about: "stop and start the worker",
  options: {},
  run: async (context, flags) => (await stop.run(context, flags, [])) || start.run(context, flags, []),
};

export const status: Command = {
  name: "status",
  about: "what runs, what is kept, what waits",
  options: JSON_OPTION,
  run: async ({ paths, print }, flags) => {
    const found = await createClient(paths)
      .status()
      .catch(() => null);
    if (flags.json) {
      const answers = found !== null;
      print.json({ running: answers || isThere(paths), answers, data: paths.data, ...found });
      return found ? 0 : 1;
    }
    if (!found && isThere(paths)) {
      print.line(
        `${print.style("red", "●")} The worker runs but does not answer; \`npx throughline restart\` replaces it.`,
      );
      return 1;
    }
    if (!found) {
      print.line(
        `${print.style("red", "○")} The worker is not running; the next hook or \`npx throughline start\` starts it.`,
      );
      return 1;
    }
    const row = (name: string, text: string) => print.line(`  ${name.padEnd(10)} ${text}`);
    print.line(
      `${print.style("green", "●")} Throughline ${found.version}, ${found.ready ? "ready" : "starting"}`,
    );
    row(
      "Process",
      `${found.pid}, up ${duration(found.uptime)}, ${found.port ? `127.0.0.1:${found.port}` : "no port"}`,
    );
    row("Data", paths.data);
    if (found.store) {
      row(
        "Memory",
        `${found.store.observations} observations, ${found.store.summaries} summaries, ${size(found.store.bytes)}`,
      );
    }
    if (found.queue)
      row(
        "Work",
        `${found.queue.pending} waiting, ${found.queue.processing} under way, ${found.queue.failed} failed`,
      );
    if (found.transcripts) row("Reading", `${found.transcripts} transcripts to read on`);
    for (const capture of found.captures ?? []) row("Captured", captureLine(capture));
    row("Spool", `${found.spool} event${found.spool === 1 ? "" : "s"} not stored yet`);
    return 0;
  },
};

export const logs: Command = {
  name: "logs",
  about: "the end of the worker's and the hooks' logs",
  options: { lines: { type: "string", short: "n", about: "how many lines (40)" }, ...JSON_OPTION },
  run: async ({ paths, print }, flags) => {
    const count = Number(flags.lines ?? 40);
    if (!Number.isInteger(count) || count < 1) {
      print.error("--lines must be a whole number of at least 1.");
      return 1;
    }
    const lines = newestLines(paths.logs, count);
    if (lines.length === 0) print.line(`No log yet in ${paths.logs}.`);
    for (const line of lines) print.line(flags.json ? line : readable(line));
    return 0;
  },
};

/** Captured of expected, how the rest was found, and whose session it was. */
function captureLine(capture: SessionCapture): string {
  const { captured, expected, byHooks, unreadable } = capture;
  const found = captured - byHooks;
  const notes = [
    found > 0 ? `${found} from the transcript` : "",
    unreadable > 0 ? `${unreadable} line${unreadable === 1 ? "" : "s"} unreadable` : "",
  ].filter(Boolean);
  const when = new Date(capture.startedAt).toISOString().slice(0, 16).replace("T", " ");
  const where = capture.project || "no project";
  return `${captured} of ${expected}${notes.length > 0 ? ` (${notes.join(", ")})` : ""}, ${where}, ${when} UTC, ${capture.sessionId.slice(0, 8)}`;
}

/** Whether a worker's process lives, whatever it does. */
export function isThere(paths: Paths): boolean {
  const record = readRecord(paths);
  return record !== null && lives(record);
}

/** The newest lines over all programs' logs of the last two days, oldest first; every line begins with its time. */
function newestLines(dir: string, count: number): string[] {
  let names: string[];
  try {
    names = readdirSync(dir).filter((name) => name.endsWith(".log"));
  } catch {
    return [];
  }
  const days = [...new Set(names.map((name) => name.slice(-14)))].sort().slice(-2);
  return names
    .filter((name) => days.includes(name.slice(-14)))
    .flatMap((name) => (readText(join(dir, name)) ?? "").split("\n").filter(Boolean))
    .sort()
    .slice(-count);
}

function readable(line: string): string {
  try {
    const { time, level, pid: _, message, ...rest } = JSON.parse(line) as Record<string, unknown>;
    const fields = Object.entries(rest).map(([key, value]) => `${key}=${JSON.stringify(value)}`);
    return [String(time).slice(0, 19).replace("T", " "), String(level).padEnd(5), message, ...fields].join(
      " ",
    );
  } catch {
    return line;
  }
}

function duration(seconds: number): string {
  if (seconds < 60) return `${seconds} s`;
  if (seconds < 3_600) return `${Math.floor(seconds / 60)} min`;
  return `${Math.floor(seconds / 3_600)} h ${Math.floor((seconds % 3_600) / 60)} min`;
}

/** Bytes as a person reads them. */
export function size(bytes: number): string {
  if (bytes < 1_000_000) return `${Math.ceil(bytes / 1_000)} KB`;
  return `${(bytes / 1_000_000).toFixed(1)} MB`;
}
