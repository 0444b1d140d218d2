/** The plugins that the host bench compares. */
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Paths } from "../src/env/paths.ts";
import { VERSION } from "../src/env/version.ts";
import { PLUGIN, pluginFiles, scrubbed } from "../src/hosts/claude-code/manifest.ts";
import { commandFor, type Programs } from "../src/process/spawn.ts";
import { writePlugin } from "../test/e2e/driver/recorder-plugin.ts";

/** Our plugin as the installer writes it. Answers its directory. */
export function writeOurs(dir: string, programs: Programs, paths: Paths, mcpHooks = true): string {
  const envProgram = existsSync("/usr/bin/env") ? "/usr/bin/env" : null;
  const files = pluginFiles({
    version: VERSION,
    hookCommand: scrubbed(commandFor(programs, "hook"), envProgram),
    mcpCommand: scrubbed(commandFor(programs, "mcp"), envProgram),
    dataDir: paths.data,
    mcpHooks,
  });
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(dir, name)), { recursive: true });
    writeFileSync(join(dir, name), content);
  }
  return join(dir, PLUGIN);
}

/** A plugin with one PostToolUse command hook, started without a shell of the host's. Answers its directory. */
export function writeCommandHook(dir: string, name: string, words: readonly string[]): string {
  const [command, ...args] = words;
  const hook = { type: "command", command, args, timeout: 20 };
  writePlugin(dir, name, { PostToolUse: [{ matcher: "*", hooks: [hook] }] });
  return dir;
}
