import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** A plugin made on the fly whose command hooks write every payload to a file. */
export type RecorderPlugin = { dir: string; logFile: string };

export type RecordedPayload = { hook_event_name: string; session_id: string; [key: string]: unknown };

export type RecorderOptions = {
  events: string[];
  /** Given to the model as additionalContext at every SessionStart. */
  startContext?: string;
};

const HOOK_PROGRAM = `
import { appendFileSync } from "node:fs";
const [logFile, startContext] = process.argv.slice(2);
const payload = JSON.parse(await Bun.stdin.text());
appendFileSync(logFile, JSON.stringify(payload) + "\\n");
const hookEventName = payload.hook_event_name;
if (hookEventName === "SessionStart" && startContext)
  console.log(JSON.stringify({ hookSpecificOutput: { hookEventName, additionalContext: startContext } }));
`;

/** Writes a plugin's manifest and hooks below `dir`, making the directories. */
export function writePlugin(dir: string, name: string, hooks: Record<string, unknown>): void {
  mkdirSync(join(dir, ".claude-plugin"), { recursive: true });
  mkdirSync(join(dir, "hooks"), { recursive: true });
  const manifest = { name, version: "0.0.1", description: "made by a test", author: { name: "test" } };
  writeFileSync(join(dir, ".claude-plugin/plugin.json"), JSON.stringify(manifest));
  writeFileSync(join(dir, "hooks/hooks.json"), JSON.stringify({ hooks }));
}

/** Writes a plugin that records these events through an exec-form command hook (no shell between). */
export function writeRecorderPlugin(dir: string, options: RecorderOptions): RecorderPlugin {
  const logFile = join(dir, "payloads.jsonl");
  const hook = {
    type: "command",
    command: process.execPath,
    // biome-ignore lint/suspicious/noTemplateCurlyInString: the host fills it in
    args: ["${CLAUDE_PLUGIN_ROOT}/record.ts", logFile, options.startContext ?? ""],
    timeout: 20,
  };
  const hooks = Object.fromEntries(options.events.map((event) => [event, [{ hooks: [hook] }]]));
  writePlugin(dir, "recorder", hooks);
  writeFileSync(join(dir, "record.ts"), HOOK_PROGRAM);
  return { dir, logFile };
}

/** The payloads recorded so far, in order of writing; only those of one event when it is named. */
export function recordedPayloads(plugin: RecorderPlugin, event?: string): RecordedPayload[] {
  if (!existsSync(plugin.logFile)) return [];
  const lines = readFileSync(plugin.logFile, "utf8").split("\n").filter(Boolean);
  const payloads = lines.map((line) => JSON.parse(line) as RecordedPayload);
  return payloads.filter((payload) => event === undefined || payload.hook_event_name === event);
}
