/** What `doctor` looks at, one function a question: the programs and what they need. */
import { existsSync } from "node:fs";
import { createClient } from "../api/client.ts";
import { messageOf } from "../core/errors.ts";
import { loadSettings } from "../env/settings.ts";
import { VERSION } from "../env/version.ts";
import { HOSTS_INSTALLABLE } from "../hosts/installable.ts";
import { readStartFailure } from "../process/failure.ts";
import { placedVersion } from "../process/place.ts";
import { checkStore, sqliteVersion } from "../store/check.ts";
import type { CommandContext } from "./command.ts";
import type { Finding } from "./finding.ts";
import { contextIn, openScratch } from "./scratch.ts";
import { isThere } from "./worker.ts";

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

export function agents({ paths, env }: CommandContext): Finding[] {
  return HOSTS_INSTALLABLE.map((host): Finding => {
    if (!host.isPresent(env))
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
