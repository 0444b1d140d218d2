/** Whether what is installed fits together, cheaply enough to be asked at every start of a session. */
import { statSync } from "node:fs";
import { join } from "node:path";
import { readJsonObject } from "../env/files.ts";
import type { Env, Paths } from "../env/paths.ts";

/** One sentence on how to repair, where the plugin and its programs are of two versions or the runtime is gone. */
export function versionGuard(paths: Paths, env: Env, version: string): string | null {
  const root = env.CLAUDE_PLUGIN_ROOT;
  if (!root) return null;
  const plugin = readJsonObject(join(root, ".claude-plugin", "plugin.json"));
  if (plugin?.name !== "throughline") return null;
  const repair = "run `npx throughline install` to repair it.";
  if (typeof plugin.version === "string" && plugin.version !== version) {
    return `Throughline's plugin is version ${plugin.version} but its programs are ${version}; ${repair}`;
  }
  const installed = readJsonObject(paths.app.marker);
  if (installed && !statSync(paths.runtime, { throwIfNoEntry: false }))
    return `Throughline's runtime is missing; ${repair}`;
  return null;
}
