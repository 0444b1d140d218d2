/** Whether what is installed fits together, cheaply enough to be asked at every start of a session. */
import { join } from "node:path";
import { readJsonObject } from "../env/files.ts";
import type { Env } from "../env/paths.ts";

/**
 * One sentence on how to repair, where the plugin and its programs are of two versions. That the runtime is missing
 * only the host can say: without it no program of ours runs.
 */
export function versionGuard(env: Env, version: string): string | null {
  const root = env.CLAUDE_PLUGIN_ROOT;
  if (!root) return null;
  const plugin = readJsonObject(join(root, ".claude-plugin", "plugin.json"));
  if (plugin?.name !== "throughline") return null;
  if (typeof plugin.version === "string" && plugin.version !== version) {
    return `Throughline's plugin is version ${plugin.version} but its programs are ${version}; run \`npx throughline install\` to repair it.`;
  }
  return null;
}
