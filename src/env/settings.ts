/** The product's settings: one table, a file over its defaults, the environment over both. */
import { readFileSync } from "node:fs";
import type { Env } from "./paths.ts";

type Spec =
  | { kind: "text"; default: string; about: string }
  | { kind: "choice"; default: string; choices: readonly string[]; about: string }
  | { kind: "number"; default: number; min: number; max: number; about: string }
  | { kind: "flag"; default: boolean; about: string }
  | { kind: "list"; default: readonly string[]; about: string };

/** `CLAUDE_MEM_DATA_DIR` is not here: it says where this very file lies (see `dataDirOf`). */
export const SETTINGS = {
  CLAUDE_MEM_WORKER_PORT: number(37777, 0, 65_535, "Loopback port of the worker"),
  CLAUDE_MEM_WORKER_HOST: text("127.0.0.1", "Address the worker binds"),
  CLAUDE_MEM_LOG_LEVEL: choice("info", ["debug", "info", "warn", "error", "silent"], "What is logged"),
  CLAUDE_MEM_PROVIDER: choice(
    "local",
    ["local", "claude", "anthropic", "openai-compatible", "gemini", "openrouter", "ollama"],
    "Who turns events into memories; local calls no model",
  ),
  CLAUDE_MEM_MODEL: text("sonnet", "Model of the provider"),
  CLAUDE_MEM_MODE: text("code", "Kinds of observations to look for"),
  CLAUDE_MEM_LANGUAGE: text("", "Language of what a model writes; empty: the session's own"),
  CLAUDE_MEM_SKIP_TOOLS: list(
    ["ListMcpResourcesTool", "SlashCommand", "Skill", "TodoWrite", "AskUserQuestion"],
    "Tools whose calls are not kept",
  ),
  CLAUDE_MEM_EXCLUDED_PROJECTS: list([], "Directories (globs) that are never captured nor told"),
  CLAUDE_MEM_OPT_IN: flag(false, "Only projects with a .throughline file are captured"),
  CLAUDE_MEM_TRANSCRIPT_DAYS: number(
    30,
    0,
    365,
    "Sessions no hook was there for are read from the agent's transcripts if younger than so many days; 0: never",
  ),
  CLAUDE_MEM_SEMANTIC_INJECT: flag(true, "Give memories that fit a prompt with it"),
  CLAUDE_MEM_SEMANTIC_INJECT_LIMIT: number(5, 0, 20, "At most so many memories with a prompt"),
  CLAUDE_MEM_READ_GATE: flag(false, "Answer the first read of a well-remembered file from memory"),
  CLAUDE_MEM_CONTEXT_OBSERVATIONS: number(50, 0, 500, "At most so many observations at session start"),
  CLAUDE_MEM_CONTEXT_SESSION_COUNT: number(10, 0, 100, "At most so many sessions at session start"),
  CLAUDE_MEM_CONTEXT_FULL_COUNT: number(0, 0, 50, "How many observations are told in full"),
  CLAUDE_MEM_CONTEXT_MAX_CHARS: number(9_500, 0, 9_500, "Characters told at session start"),
  CLAUDE_MEM_CONTEXT_MAX_TOKENS: number(1_500, 0, 10_000, "Estimated tokens told at session start"),
  CLAUDE_MEM_HOOK_FAIL_LOUD_THRESHOLD: number(3, 1, 1_000, "Failed hooks in a row before the user is told"),
  CLAUDE_MEM_MAX_RETRIES: number(3, 0, 20, "Attempts before a piece of work counts as failed"),
  CLAUDE_MEM_IDLE_EXIT_MINUTES: number(
    30,
    0,
    10_080,
    "Minutes without work after which the worker leaves; 0: never",
  ),
} satisfies Record<string, Spec>;

export type SettingName = keyof typeof SETTINGS;

type ValueOf<S> = S extends { kind: "number" }
  ? number
  : S extends { kind: "flag" }
    ? boolean
    : S extends { kind: "list" }
      ? readonly string[]
      : string;

export type Settings = { [K in SettingName]: ValueOf<(typeof SETTINGS)[K]> };

export type LoadedSettings = {
  values: Settings;
  /** One sentence for each wrong value or broken file; the default is in force there. */
  problems: string[];
  /** `CLAUDE_MEM_*` names in the file that the product does not know; they are kept. */
  unknown: string[];
  /** The file exists but holds no JSON object. */
  broken: boolean;
};

/** Reads the settings. Never throws and never writes. */
export function loadSettings(file: string, env: Env): LoadedSettings {
  const problems: string[] = [];
  const read = readFile(file, problems);
  const values: Record<string, unknown> = {};
  for (const name of Object.keys(SETTINGS) as SettingName[]) {
    values[name] = SETTINGS[name].default;
    for (const [where, raw] of [
      ["settings.json", read.object[name]],
      ["the environment", env[name]],
    ] as const) {
      if (raw === undefined || raw === null || raw === "") continue;
      const parsed = parseSetting(name, raw);
      if (parsed.ok) values[name] = parsed.value;
      else problems.push(`${name} in ${where} ${parsed.why}; ${JSON.stringify(values[name])} is used.`);
    }
  }
  const unknown = Object.keys(read.object).filter((key) => /^CLAUDE_MEM_/.test(key) && !(key in SETTINGS));
  return { values: values as Settings, problems, unknown, broken: read.broken };
}

/** One raw value (JSON or environment text) as the setting's type, or a clause saying what is wrong. */
export function parseSetting(
  name: SettingName,
  raw: unknown,
): { ok: true; value: unknown } | { ok: false; why: string } {
  const spec: Spec = SETTINGS[name];
  const asText = typeof raw === "string" ? raw.trim() : String(raw);
  switch (spec.kind) {
    case "text":
      return typeof raw === "string" ? { ok: true, value: raw } : { ok: false, why: "must be a text" };
    case "choice":
      return spec.choices.includes(asText.toLowerCase())
        ? { ok: true, value: asText.toLowerCase() }
        : { ok: false, why: `must be one of ${spec.choices.join(", ")}` };
    case "number": {
      const value = Number(asText);
      return asText !== "" &&
        typeof raw !== "boolean" &&
        Number.isInteger(value) &&
        value >= spec.min &&
        value <= spec.max
        ? { ok: true, value }
        : { ok: false, why: `must be a whole number from ${spec.min} to ${spec.max}` };
    }
    case "flag":
      if (/^(true|1|yes|on)$/i.test(asText)) return { ok: true, value: true };
      if (/^(false|0|no|off)$/i.test(asText)) return { ok: true, value: false };
      return { ok: false, why: "must be true or false" };
    case "list":
      return parseList(raw);
  }
}

function parseList(raw: unknown): { ok: true; value: string[] } | { ok: false; why: string } {
  let items: unknown = raw;
  if (typeof raw === "string" && raw.trim().startsWith("[")) {
    try {
      items = JSON.parse(raw);
    } catch {
      return { ok: false, why: "must be a list" };
    }
  }
  if (typeof items === "string") items = items.split(",");
  if (!Array.isArray(items) || !items.every((item) => typeof item === "string")) {
    return { ok: false, why: "must be a list of texts" };
  }
  return { ok: true, value: items.map((item) => item.trim()).filter((item) => item !== "") };
}

function readFile(file: string, problems: string[]): { object: Record<string, unknown>; broken: boolean } {
  let content: string;
  try {
    content = readFileSync(file, "utf8");
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code !== "ENOENT" && code !== "ENOTDIR")
      problems.push(`settings.json cannot be read (${code}); the defaults are used.`);
    return { object: {}, broken: false };
  }
  try {
    const value: unknown = JSON.parse(content.replace(/^\uFEFF/, ""));
    if (typeof value === "object" && value !== null && !Array.isArray(value)) {
      return { object: value as Record<string, unknown>, broken: false };
    }
  } catch {
    // Said below: a broken file and a file that holds something else are the same to the user.
  }
  problems.push("settings.json is not a JSON object; the defaults are used.");
  return { object: {}, broken: true };
}

function text(value: string, about: string) {
  return { kind: "text", default: value, about } as const;
}
function choice(value: string, choices: readonly string[], about: string) {
  return { kind: "choice", default: value, choices, about } as const;
}
function number(value: number, min: number, max: number, about: string) {
  return { kind: "number", default: value, min, max, about } as const;
}
function flag(value: boolean, about: string) {
  return { kind: "flag", default: value, about } as const;
}
function list(value: readonly string[], about: string) {
  return { kind: "list", default: value, about } as const;
}
