/** What `doctor` looks at, one function a question. */
import { accessSync, constants, existsSync, readdirSync, statfsSync, statSync } from "node:fs";
import { createClient } from "../api/client.ts";
import { readBroken, readFailures } from "../capture/trouble.ts";
import { messageOf } from "../core/errors.ts";
import { loadSettings } from "../env/settings.ts";
import { VERSION } from "../env/version.ts";
import { HOSTS_INSTALLABLE } from "../hosts/installable.ts";
import { readStartFailure } from "../process/failure.ts";
import { placedVersion } from "../process/place.ts";
import { listSpool } from "../spool/drain.ts";
import { checkStore, sqliteVersion } from "../store/check.ts";
import type { CommandContext } from "./command.ts";
import { contextIn, openScratch } from "./scratch.ts";
import { isThere } from "./worker.ts";

type Level = "ok" | "note" | "fault";
export type Finding = { check: string; level: Level; detail: string; remedy?: string };

/** With less free space a store soon fails to grow. */
const DISK_LOW = 200 * 1024 * 1024;
/** More waiting events than a worker needs a moment for. */
const SPOOL_HIGH = 1_000;

export function runtime(): Finding {
  try {
    const detail = `Throughline ${VERSION}, Bun ${Bun.version}, SQLite ${sqliteVersion()}`;
    return { check: "Runtime", level: "ok", detail };
  } catch (error) {
    const remedy = "run npm ci again to get the runtime this version was made for";
    return { check: "Runtime", level: "fault", detail: messageOf(error), remedy };
  }
}

/** Capture → store → context with the real programs, somewhere else. */
export async function roundTrip({ programs, env }: CommandContext): Promise<Finding> {
  const check = "Round trip";
  try {
    const scratch = openScratch(programs, env, "doctor-check");
    try {
      const word = `doctor-${Date.now().toString(36)}`;
      const session = { session_id: "doctor-1", prompt_id: "p1" };
      scratch.hook("SessionStart", { ...session, source: "startup" });
      scratch.hook("UserPromptSubmit", { ...session, prompt: `Write ${word}` });
      scratch.hook("PostToolUse", {
        ...session,
        tool_name: "Write",
        tool_use_id: "doctor_1",
        tool_input: { file_path: `${scratch.project}/${word}.ts`, content: `export const checked = true;\n` },
        tool_response: { type: "create", filePath: `${scratch.project}/${word}.ts`, structuredPatch: [] },
      });
      scratch.hook("Stop", { ...session, last_assistant_message: `Wrote ${word}.ts.` });
      scratch.hook("SessionEnd", { ...session, reason: "other" });
      await scratch.settle();
      const told = contextIn(scratch.hook("SessionStart", { session_id: "doctor-2", source: "startup" }));
      if (!told.includes(`${word}.ts`))
        throw new Error("the next session was not told what the first one did");
      return { check, level: "ok", detail: "captured, stored and told again" };
    } finally {
      await scratch.close();
    }
  } catch (error) {
    return {
      check,
      level: "fault",
      detail: messageOf(error),
      remedy: "run npm ci and try again; if it stays, the log of the check above names the part that fails",
    };
  }
}

export function settings({ paths, env }: CommandContext): Finding[] {
  const loaded = loadSettings(paths.settings, env);
  const check = "Settings";
  const faults: Finding[] = loaded.problems.map((problem) => ({
    check,
    level: "fault",
    detail: problem,
    remedy: `correct it in ${paths.settings} or in the environment`,
  }));
  if (loaded.unknown.length > 0)
    faults.push({ check, level: "note", detail: `not known, kept: ${loaded.unknown.join(", ")}` });
  if (loaded.values.CLAUDE_MEM_PROVIDER !== "local") {
    faults.push({
      check,
      level: "note",
      detail: `the provider ${loaded.values.CLAUDE_MEM_PROVIDER} is not available in this version; memories are made locally`,
    });
  }
  return faults.length > 0
    ? faults
    : [{ check, level: "ok", detail: existsSync(paths.settings) ? paths.settings : "the defaults" }];
}

export function directory({ paths }: CommandContext): Finding[] {
  const check = "Data";
  const stat = statSync(paths.data, { throwIfNoEntry: false });
  if (!stat) return [{ check, level: "ok", detail: `${paths.data} is made with the first event` }];
  if (!stat.isDirectory()) {
    return [
      {
        check,
        level: "fault",
        detail: `${paths.data} is not a directory`,
        remedy: "move that file away, or set CLAUDE_MEM_DATA_DIR",
      },
    ];
  }
  try {
    for (const dir of [paths.data, paths.spool.new, paths.spool.tmp, paths.state.root]) {
      if (existsSync(dir)) accessSync(dir, constants.W_OK | constants.X_OK);
    }
  } catch (error) {
    return [
      {
        check,
        level: "fault",
        detail: `cannot be written: ${messageOf(error)}`,
        remedy: `give yourself the right to write: chmod -R u+rwX ${paths.data}`,
      },
    ];
  }
  const findings: Finding[] = [];
  if (process.platform !== "win32" && (stat.mode & 0o077) !== 0) {
    findings.push({
      check,
      level: "fault",
      detail: `${paths.data} can be read by others`,
      remedy: `chmod 700 ${paths.data}`,
    });
  }
  const disk = statfsSync(paths.data);
  const free = Number(disk.bavail) * Number(disk.bsize);
  if (free < DISK_LOW)
    findings.push({
      check,
      level: "fault",
      detail: `only ${Math.floor(free / 1e6)} MB free on its disk`,
      remedy: "make room",
    });
  return findings.length > 0
    ? findings
    : [{ check, level: "ok", detail: `${paths.data}, ${(free / 1e9).toFixed(0)} GB free` }];
}

export function store({ paths }: CommandContext): Finding {
  const found = checkStore(paths.store);
  return found.ok
    ? { check: "Store", level: "ok", detail: found.detail }
    : { check: "Store", level: "fault", detail: found.detail, remedy: found.remedy };
}

export async function worker({ paths }: CommandContext): Promise<Finding> {
  const check = "Worker";
  const status = await createClient(paths)
    .status()
    .catch(() => null);
  if (!status && isThere(paths)) {
    return {
      check,
      level: "fault",
      detail: "runs but does not answer",
      remedy: "run `npx throughline restart`",
    };
  }
  const failure = status ? null : readStartFailure(paths);
  if (failure) {
    const remedy = "mend what the sentence names, then run `npx throughline start`";
    return { check, level: "fault", detail: `could not start: ${failure.why}`, remedy };
  }
  if (!status) {
    return {
      check,
      level: "note",
      detail: "is not running; hooks start it when they need it (events wait in the spool)",
    };
  }
  if (status.version !== VERSION) {
    return {
      check,
      level: "note",
      detail: `is version ${status.version}, this is ${VERSION}`,
      remedy: "run `npx throughline restart`",
    };
  }
  if ((status.queue?.failed ?? 0) > 0) {
    return {
      check,
      level: "fault",
      detail: `${status.queue?.failed} pieces of work failed`,
      remedy: "look into `npx throughline logs`",
    };
  }
  return {
    check,
    level: "ok",
    detail: `process ${status.pid}, ${status.port ? `port ${status.port}` : "no port"}`,
  };
}

export function capture({ paths }: CommandContext): Finding[] {
  const check = "Capture";
  const findings: Finding[] = [];
  const failures = readFailures(paths);
  if (failures.consecutive > 0) {
    findings.push({
      check,
      level: "fault",
      detail: `the last ${failures.consecutive} events were not kept: ${failures.last}`,
      remedy: "mend what the sentence names; the next event that is kept clears this",
    });
  }
  const [fresh, told] = [readBroken(paths.state.broken), readBroken(`${paths.state.broken}.told`)];
  const broken = fresh.total + told.total;
  if (broken > 0) {
    const remedy =
      "the host or a shell between it and the hook swallows the payload; reinstall with `npx throughline install`";
    findings.push({
      check,
      level: fresh.total > 0 ? "fault" : "note",
      detail: `${broken} hook payloads arrived broken (${fresh.empty + told.empty} empty)`,
      remedy,
    });
  }
  const waiting = countSafely(() => listSpool(paths.spool).length);
  if (waiting > SPOOL_HIGH)
    findings.push({
      check,
      level: "note",
      detail: `${waiting} events wait in the spool`,
      remedy: "run `npx throughline start`",
    });
  const bad = countSafely(() => readdirSync(paths.spool.bad).length);
  if (bad > 0)
    findings.push({
      check,
      level: "note",
      detail: `${bad} files that hold no event were set aside in ${paths.spool.bad}`,
    });
  return findings.length > 0
    ? findings
    : [{ check, level: "ok", detail: `${waiting} events waiting, none lost` }];
}

function countSafely(count: () => number): number {
  try {
    return count();
  } catch {
    return 0;
  }
}

export function agents({ paths, env }: CommandContext): Finding[] {
  return HOSTS_INSTALLABLE.map((host): Finding => {
    const found = host.find(env);
    if (!found)
      return { check: "Agents", level: "note", detail: `${host.title} was not found on this machine` };
    const faults = host.check(paths, env);
    const first = faults[0];
    if (first)
      return {
        check: "Agents",
        level: "fault",
        detail: `${host.title}: ${faults.map((one) => one.fault).join("; ")}`,
        remedy: first.remedy,
      };
    const placed = placedVersion(paths);
    if (placed !== VERSION) {
      return {
        check: "Agents",
        level: "fault",
        detail: `${host.title} runs version ${placed ?? "unknown"}, this is ${VERSION}`,
        remedy: "run `npx throughline install`",
      };
    }
    return { check: "Agents", level: "ok", detail: `${host.title}: registered` };
  });
}
