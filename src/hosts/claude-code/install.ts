/** Registering the plugin with Claude Code, and taking it away again without a trace. */
import { existsSync, readFileSync, rmdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { writeAtomic } from "../../env/files.ts";
import { MARKETPLACE, PLUGIN } from "./manifest.ts";
import { claudeVersion, configDir, findClaude, runClaude } from "./program.ts";
import { restore, type Snapshot, takeSnapshot } from "./snapshot.ts";

type Env = Record<string, string | undefined>;
const ID = `${PLUGIN}@${MARKETPLACE}`;

/** First version whose hooks can call a tool of the plugin's MCP server. */
export const MCP_HOOKS_SINCE = "2.1.118";

export type Found = { program: string | null; version: string | null; config: string };

/** What of Claude Code is on this machine; `null` where nothing is. */
export function findHost(env: Env): Found | null {
  const program = findClaude(env);
  const config = configDir(env);
  if (!program && !existsSync(config)) return null;
  return { program, version: program ? claudeVersion(program, env) : null, config };
}

/** What `unregister` needs to know. Recorded before anything is changed. */
export type Registration = { config: string; how: "commands" | "settings"; snapshots: Snapshot[] };

/** Snapshots of every file that registering changes. Taken once: a repeated installation keeps the first ones. */
export function prepare(found: Found): Registration {
  const files = [
    join(found.config, "settings.json"),
    join(found.config, "plugins", "installed_plugins.json"),
    join(found.config, "plugins", "known_marketplaces.json"),
    claudeJson(found.config),
  ];
  return {
    config: found.config,
    how: found.program ? "commands" : "settings",
    snapshots: files.map(takeSnapshot),
  };
}

/** Where Claude Code keeps its state: in the configuration folder when one is named, else beside the default one. */
function claudeJson(config: string): string {
  const inside = join(config, ".claude.json");
  return existsSync(inside) || process.env.CLAUDE_CONFIG_DIR ? inside : `${config}.json`;
}

/**
 * Points the host at the marketplace folder and enables the plugin: through its own commands, or, where its program
 * is not found, by the two entries in its settings. Throws with the host's own words when it refuses.
 */
export function register(found: Found, marketplace: string, env: Env): void {
  if (found.program) registerByCommands(found.program, found.config, marketplace, env);
  else registerInSettings(found.config, marketplace);
  if (!isRegistered(found.config)) throw new Error("Claude Code did not enable the plugin.");
}

function registerByCommands(program: string, config: string, marketplace: string, env: Env): void {
  const known = (readSettings(config).extraKnownMarketplaces ?? {}) as Record<
    string,
    { source?: { path?: string } }
  >;
  if (known[MARKETPLACE]?.source?.path !== marketplace) {
    if (known[MARKETPLACE]) runClaude(program, ["plugin", "marketplace", "remove", MARKETPLACE], env);
    need(runClaude(program, ["plugin", "marketplace", "add", marketplace], env), "add the plugin folder");
  }
  if (isRegistered(config)) need(runClaude(program, ["plugin", "update", ID], env), "update the plugin");
  else need(runClaude(program, ["plugin", "install", ID], env), "install the plugin");
  if (!isRegistered(config)) throw new Error("Claude Code did not enable the plugin.");
}

/** Whether the host's settings have the plugin enabled. */
export function isRegistered(config: string): boolean {
  const enabled = readSettings(config).enabledPlugins;
  return typeof enabled === "object" && enabled !== null && (enabled as Record<string, unknown>)[ID] === true;
}

/** Undoes `register` and whatever it left in the host's files. Answers what became of each. */
export function unregister(registration: Registration, env: Env): { path: string; outcome: string }[] {
  const program = registration.how === "commands" ? findClaude(env) : null;
  if (program && isRegistered(registration.config)) {
    runClaude(program, ["plugin", "uninstall", ID], env);
    runClaude(program, ["plugin", "marketplace", "remove", MARKETPLACE], env);
  }
  const plugins = join(registration.config, "plugins");
  rmSync(join(plugins, "cache", MARKETPLACE), { recursive: true, force: true });
  const outcomes = registration.snapshots.map((snapshot) => ({
    path: snapshot.path,
    outcome: restore(snapshot, withoutOurs),
  }));
  for (const folder of [join(plugins, "cache"), plugins]) removeEmpty(folder);
  return outcomes;
}

function removeEmpty(folder: string): void {
  try {
    rmdirSync(folder);
  } catch {
    // Somebody else's things are in it, or it was never made.
  }
}

/** Every place in which the host notes a plugin or a marketplace. */
function withoutOurs(value: Record<string, unknown>): void {
  const drop = (holder: unknown, key: string) => {
    if (typeof holder === "object" && holder !== null) delete (holder as Record<string, unknown>)[key];
  };
  drop(value.enabledPlugins, ID);
  drop(value.extraKnownMarketplaces, MARKETPLACE);
  drop(value.plugins, ID);
  drop(value, MARKETPLACE);
  if (Array.isArray(value.declinedPlugins))
    value.declinedPlugins = value.declinedPlugins.filter((id) => id !== ID);
  // All that is left of a file that the host made for our entry alone.
  if (value.version === 2 && isEmpty(value.plugins) && Object.keys(value).length === 2) {
    delete value.version;
    delete value.plugins;
  }
}

function isEmpty(value: unknown): boolean {
  return typeof value === "object" && value !== null && Object.keys(value).length === 0;
}

function registerInSettings(config: string, marketplace: string): void {
  const settings = readSettings(config);
  const merged = {
    ...settings,
    extraKnownMarketplaces: {
      ...(settings.extraKnownMarketplaces as object | undefined),
      [MARKETPLACE]: { source: { source: "directory", path: marketplace } },
    },
    enabledPlugins: { ...(settings.enabledPlugins as object | undefined), [ID]: true },
  };
  writeAtomic(join(config, "settings.json"), `${JSON.stringify(merged, null, 2)}\n`);
}

/** The host's settings; `{}` where there are none. Throws where the file is broken, for it must not be overwritten. */
function readSettings(config: string): Record<string, unknown> {
  const path = join(config, "settings.json");
  if (!existsSync(path)) return {};
  try {
    return JSON.parse(readFileSync(path, "utf8")) as Record<string, unknown>;
  } catch (error) {
    throw new Error(`${path} is not valid JSON; it was left untouched.`, { cause: error });
  }
}

function need(ran: { ok: boolean; output: string }, what: string): void {
  if (!ran.ok)
    throw new Error(`Claude Code could not ${what}: ${ran.output.split("\n").slice(-3).join(" ")}`);
}
