/** Claude Code as `install`, `uninstall` and `doctor` see it. */
import { existsSync, readdirSync, rmdirSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { compareVersions } from "../../core/version.ts";
import { readJsonObject, readText, writeAtomic } from "../../env/files.ts";
import type { Paths } from "../../env/paths.ts";
import type { Installer, InstallOptions, Undone } from "../installable.ts";
import {
  checkSettings,
  findHost,
  isPresent,
  isRegistered,
  MCP_HOOKS_SINCE,
  prepare,
  type Registration,
  register,
  unregister,
} from "./install.ts";
import { MARKETPLACE, PLUGIN, pluginFiles, scrubbed } from "./manifest.ts";
import { configDir } from "./program.ts";

type Env = Record<string, string | undefined>;

/** What stands in the host's files, as a person has to look for it. */
const OUR_NAMES = `"${PLUGIN}@${MARKETPLACE}" and "${MARKETPLACE}"`;

export const claudeCodeInstaller: Installer = {
  title: "Claude Code",
  isPresent,
  describe: (env) => {
    const { version, program, config } = findHost(env);
    return `${version ?? "version unknown"}, ${program ?? "no program on PATH"}, ${config}`;
  },
  ready: (env) => checkSettings(configDir(env)),
  isInstalled: (env) => safely(() => isRegistered(configDir(env))) ?? false,
  install,
  uninstall,
  check,
};

function install(options: InstallOptions): string[] {
  const { paths, env } = options;
  if (!isPresent(env)) throw new Error("Claude Code was not found.");
  const found = findHost(env);
  const done: string[] = [];
  const mcpHooks =
    !options.commandsOnly && (!found.version || compareVersions(found.version, MCP_HOOKS_SINCE) >= 0);
  const wrote = writePlugin(options, mcpHooks);
  if (wrote > 0) done.push(`wrote the plugin to ${paths.plugin.marketplace}`);
  // The record comes before the change, so that a crash between them can still be undone; it is written once.
  const records = readRecords(paths);
  if (!records[found.config]) {
    records[found.config] = prepare(found);
    writeAtomic(paths.installRecord, `${JSON.stringify({ claudeCode: records }, null, 2)}\n`);
  }
  const before = isRegistered(found.config);
  register(found, paths.plugin.marketplace, env);
  done.push(
    before ? "was registered with Claude Code already" : `registered it with Claude Code (${found.config})`,
  );
  done.push(
    mcpHooks ? "hooks go through its MCP server where the host can" : "every hook is a command of its own",
  );
  return done;
}

/** Writes what differs; answers how many files did. */
function writePlugin(options: InstallOptions, mcpHooks: boolean): number {
  const { paths } = options;
  const envProgram = process.platform !== "win32" && existsSync("/usr/bin/env") ? "/usr/bin/env" : null;
  const start = (script: string) =>
    scrubbed([options.runtime, "--no-env-file", `--config=${options.bunfig}`, script], envProgram);
  const files = pluginFiles({
    version: options.version,
    hookCommand: start(options.hook),
    mcpCommand: start(options.mcp),
    dataDir: options.tellDataDir ? paths.data : null,
    mcpHooks,
  });
  let wrote = 0;
  for (const [name, content] of Object.entries(files)) {
    const path = join(paths.plugin.marketplace, name);
    if (readText(path) === content) continue;
    writeAtomic(path, content);
    wrote += 1;
  }
  return wrote;
}

function uninstall(paths: Paths, env: Env): Undone {
  const [done, left]: [string[], string[]] = [[], []];
  for (const [config, registration] of Object.entries(readRecords(paths))) {
    for (const { path, outcome } of unregister(registration, { ...env, ...hostEnv(config, env) })) {
      if (typeof outcome === "object")
        left.push(`${path} was left as it is (${outcome.why}): take ${OUR_NAMES} out of it by hand`);
      else if (outcome !== "untouched") done.push(`${outcome} ${path}`);
    }
  }
  rmSync(paths.installRecord, { force: true });
  removePlugin(paths);
  if (done.length > 0) done.unshift("unregistered it from Claude Code");
  return { done, left };
}

/** Takes away what `writePlugin` writes; whatever else lies in that folder stays. */
function removePlugin({ plugin }: Paths): void {
  for (const own of [plugin.root, join(plugin.marketplace, ".claude-plugin")])
    rmSync(own, { recursive: true, force: true });
  if (existsSync(plugin.marketplace) && readdirSync(plugin.marketplace).length === 0)
    rmdirSync(plugin.marketplace);
}

/** The environment in which the host uses this configuration folder: none is named for the default one. */
function hostEnv(config: string, env: Env): Env {
  const plain = configDir({ ...env, CLAUDE_CONFIG_DIR: undefined });
  return { CLAUDE_CONFIG_DIR: config === plain && !env.CLAUDE_CONFIG_DIR ? undefined : config };
}

function check(paths: Paths, env: Env): { fault: string; remedy: string }[] {
  const remedy = "run `npx throughline install`";
  const config = configDir(env);
  const registered = safely(() => isRegistered(config));
  if (registered === null)
    return [
      {
        fault: `${join(config, "settings.json")} is not valid JSON`,
        remedy: "mend it, then run `npx throughline install`",
      },
    ];
  if (!registered) return [{ fault: "Claude Code does not have the plugin enabled", remedy }];
  const settings = readJsonObject(join(config, "settings.json"));
  if (settings?.disableAllHooks === true) {
    return [
      { fault: "Claude Code's settings switch all hooks off (disableAllHooks)", remedy: "remove that line" },
    ];
  }
  const hooks = readText(join(paths.plugin.root, "hooks", "hooks.json"));
  if (!hooks) return [{ fault: "the plugin's files are missing", remedy }];
  const missing = [paths.runtime, paths.app.hook, paths.app.mcp, paths.app.bunfig].filter(
    (path) => !existsSync(path),
  );
  return missing.map((path) => ({ fault: `${path} is missing in ${dirname(path)}`, remedy }));
}

function readRecords(paths: Paths): Record<string, Registration> {
  const stored = readJsonObject(paths.installRecord)?.claudeCode;
  return (stored ?? {}) as Record<string, Registration>;
}

function safely<T>(read: () => T): T | null {
  try {
    return read();
  } catch {
    return null;
  }
}
