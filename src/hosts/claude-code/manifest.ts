/** The plugin's files, made from the table of hooks. Pure: what to write, not where. */
import { COMMON_FIELDS, HOOKS, type HookRow } from "./events.ts";

export const PLUGIN = "throughline";
export const MARKETPLACE = "throughline";
export const SERVER = "mem";

export type ManifestOptions = {
  version: string;
  /** Words that start a program, without the host's name; each absolute where it is a path. */
  hookCommand: readonly string[];
  mcpCommand: readonly string[];
  /** Hand the data directory over as well; where it is not the default one. */
  dataDir: string | null;
  /** Whether hooks may go through the MCP server; else every hook is a command. */
  mcpHooks: boolean;
};

/**
 * Environment variables that make Bun run or load something else before our program. The host starts hooks with
 * its whole environment, so they are taken out of it by name.
 */
export const BUN_VARIABLES = [
  "BUN_OPTIONS",
  "BUN_INSPECT",
  "BUN_INSPECT_PRELOAD",
  "BUN_INSPECT_NOTIFY",
  "BUN_INSPECT_CONNECT_TO",
] as const;

/** Relative path → content of everything in the marketplace folder that the host is pointed at. */
export function pluginFiles(options: ManifestOptions): Record<string, string> {
  const about = "Memory that lasts: remembers what happened in earlier sessions, on this machine alone.";
  const plugin = {
    name: PLUGIN,
    version: options.version,
    description: about,
    author: { name: "Throughline" },
    license: "Apache-2.0",
    keywords: ["memory"],
  };
  const json = (value: unknown) => `${JSON.stringify(value, null, 2)}\n`;
  return {
    ".claude-plugin/marketplace.json": json({
      name: MARKETPLACE,
      owner: { name: "Throughline" },
      plugins: [{ name: PLUGIN, source: `./${PLUGIN}`, description: about }],
    }),
    [`${PLUGIN}/.claude-plugin/plugin.json`]: json(plugin),
    [`${PLUGIN}/hooks/hooks.json`]: json({ description: about, hooks: hooksOf(options) }),
    [`${PLUGIN}/.mcp.json`]: json({ mcpServers: { [SERVER]: serverOf(options) } }),
    [`${PLUGIN}/README.md`]: `# Throughline\n\n${about} It listens to the session's hooks, keeps what happened in its own data directory, and tells the next session what matters. Nothing leaves the machine unless you choose a model provider. Written by \`throughline install\`; \`throughline uninstall\` takes it away again.\n`,
  };
}

function hooksOf(options: ManifestOptions): Record<string, unknown[]> {
  return Object.fromEntries(
    HOOKS.filter((row) => row.door !== "mcp-only" || options.mcpHooks).map((row) => {
      const hook = row.door !== "command" && options.mcpHooks ? mcpHook(row) : commandHook(row, options);
      return [row.event, [{ ...(row.matcher ? { matcher: row.matcher } : {}), hooks: [hook] }]];
    }),
  );
}

/** Exec form: an absolute program and its words, no shell, so no character in a path needs quoting. */
function commandHook(row: HookRow, options: ManifestOptions): Record<string, unknown> {
  const [command, ...args] = [...options.hookCommand, "claude-code", row.event, ...dataWords(options)];
  return { type: "command", command, args, timeout: row.timeout, ...(row.async ? { async: true } : {}) };
}

function mcpHook(row: HookRow): Record<string, unknown> {
  const fields = [...COMMON_FIELDS, ...(row.fields ?? [])];
  return {
    type: "mcp_tool",
    server: `plugin:${PLUGIN}:${SERVER}`,
    tool: "hook",
    input: Object.fromEntries(fields.map((field) => [field, `\${${field}}`])),
    timeout: row.timeout,
  };
}

function serverOf(options: ManifestOptions): Record<string, unknown> {
  const [command, ...args] = [...options.mcpCommand, "claude-code", ...dataWords(options)];
  return { command, args };
}

function dataWords(options: ManifestOptions): string[] {
  return options.dataDir === null ? [] : [`--data=${options.dataDir}`];
}

/** `words` with the variables of Bun taken out of the environment first, where the system has the program for it. */
export function scrubbed(words: readonly string[], envProgram: string | null): string[] {
  if (envProgram === null) return [...words];
  return [envProgram, ...BUN_VARIABLES.flatMap((name) => ["-u", name]), ...words];
}
