/** What hooks pass over without keeping or telling anything. */
import { homeOf } from "../env/home.ts";
import type { Env } from "../env/paths.ts";
import { isInside, type Resolved, realPath } from "../env/project.ts";
import type { Settings } from "../env/settings.ts";
import type { Host, HostEvent } from "../hosts/host.ts";

/** The name the plugin's MCP server has in the host, as it stands in the names of its tools. */
const OWN_TOOLS = /^mcp__(plugin_)?throughline_/;

/** Whether the project is opted out: by its marker, by the user's globs, or by opt-in without a marker. */
export function isExcluded(place: Resolved, dir: string, settings: Settings, env: Env): boolean {
  if (place.off) return true;
  if (settings.CLAUDE_MEM_OPT_IN && !place.marked) return true;
  const paths = [dir, place.project?.root, place.project?.key].filter((path) => path !== undefined);
  return settings.CLAUDE_MEM_EXCLUDED_PROJECTS.some((pattern) =>
    paths.some((path) => matches(pattern, path, env)),
  );
}

/** A plain path means the directory and all below it; with `*`, `?` or `[` it is a glob over the whole path. */
function matches(pattern: string, path: string, env: Env): boolean {
  const full = pattern.replace(/^~(?=$|[/\\])/, homeOf(env)).replace(/[/\\]+$/, "");
  if (full === "") return false;
  if (!/[*?[{]/.test(full)) return isInside(path, full) || isInside(path, realPath(full));
  return new Bun.Glob(full).match(path) || new Bun.Glob(`${full}/**`).match(path);
}

/** Whether a tool call is not worth keeping: skipped tools, our own answers, the host's own memory files. */
export function isSkippedTool(host: Host, event: HostEvent, settings: Settings): boolean {
  const tool = event.body.tool ?? "";
  if (settings.CLAUDE_MEM_SKIP_TOOLS.includes(tool) || OWN_TOOLS.test(tool)) return true;
  const input = event.body.input;
  if (typeof input !== "object" || input === null || Array.isArray(input)) return false;
  const path = input.file_path ?? input.path ?? input.notebook_path;
  return typeof path === "string" && host.isHostMemory(path);
}
