/** Registering the plugin with Claude Code, and taking it away again without a trace. */
import { existsSync, readFileSync, rmdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { MARKETPLACE, PLUGIN } from "./manifest.ts";
import { claudeVersion, configDir, findClaude, runClaude } from "./program.ts";
import {
  asText,
  dropFromList,
  type Entries,
  modeOf,
  type Outcome,
  parsed,
  restore,
  type Snapshot,
  takeSnapshot,
  writeThrough,
} from "./snapshot.ts";

type Env = Record<string, string | undefined>;
const ID = `${PLUGIN}@${MARKETPLACE}`;

/** First version whose hooks can call a tool of the plugin's MCP server. */
export const MCP_HOOKS_SINCE = "2.1.118";

export type Found = { program: string | null; version: string | null; config: string };

/** Whether anything of Claude Code is on this machine: its program, or its configuration. */
export function isPresent(env: Env): boolean {
  return existsSync(configDir(env)) || findClaude(env) !== null;
}

/** What of Claude Code is on this machine. Starts it once, to ask for its version. */
export function findHost(env: Env): Found {
  const program = findClaude(env);
  return { program, version: program ? claudeVersion(program, env) : null, config: configDir(env) };
}

/** What `unregister` needs to know. Recorded before anything is changed. */
export type Registration = {
  config: string;
  how: "commands" | "settings";
  /** The host made its plugin folder for us. */
  madePlugins: boolean;
  settings: Snapshot;
  installed: Snapshot;
  marketplaces: Snapshot;
};

/** Snapshots of every file that registering changes. Taken once: a repeated installation keeps the first ones. */
export function prepare(found: Found): Registration {
  const plugins = join(found.config, "plugins");
  return {
    config: found.config,
    how: found.program ? "commands" : "settings",
    madePlugins: !existsSync(plugins),
    settings: takeSnapshot(join(found.config, "settings.json")),
    installed: takeSnapshot(join(plugins, "installed_plugins.json")),
    marketplaces: takeSnapshot(join(plugins, "known_marketplaces.json")),
  };
}

/** Where Claude Code keeps its state: in the configuration folder when one is named, else beside the default one. */
function claudeJson(config: string, env: Env): string {
  const inside = join(config, ".claude.json");
  return existsSync(inside) || env.CLAUDE_CONFIG_DIR ? inside : `${config}.json`;
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

/** Our entries in the host's files, by the snapshot's name. */
const ENTRIES: Record<"settings" | "installed" | "marketplaces", Entries> = {
  settings: [
    { holder: "enabledPlugins", key: ID },
    { holder: "extraKnownMarketplaces", key: MARKETPLACE },
  ],
  installed: [{ holder: "plugins", key: ID }],
  marketplaces: [{ holder: "", key: MARKETPLACE }],
};

/** Undoes `register` and whatever it left in the host's files. Answers what became of each; never throws. */
export function unregister(registration: Registration, env: Env): { path: string; outcome: Outcome }[] {
  const { config, settings, installed, marketplaces } = registration;
  const plugins = join(config, "plugins");
  quietly(() => {
    // With settings that cannot be read the host may write new ones over them; the files are enough.
    checkSettings(config);
    const program = registration.how === "commands" ? findClaude(env) : null;
    if (!program) return;
    runClaude(program, ["plugin", "uninstall", ID], env);
    runClaude(program, ["plugin", "marketplace", "remove", MARKETPLACE], env);
  });
  quietly(() => rmSync(join(plugins, "cache", MARKETPLACE), { recursive: true, force: true }));
  const state = claudeJson(config, env);
  const outcomes = [
    { path: settings.path, outcome: restore(settings, ENTRIES.settings) },
    { path: installed.path, outcome: restore(installed, ENTRIES.installed) },
    { path: marketplaces.path, outcome: restore(marketplaces, ENTRIES.marketplaces) },
    { path: state, outcome: dropFromList(state, "declinedPlugins", ID) },
  ];
  if (registration.madePlugins) {
    // Somebody else's things may be in one of them, or it was never made.
    for (const name of ["cache", "marketplaces", "data", "store", ""])
      quietly(() => rmdirSync(join(plugins, name)));
  }
  return outcomes;
}

/** Throws a sentence where the host's settings cannot be read, so that nothing is begun that could not be undone. */
export function checkSettings(config: string): void {
  readSettings(config);
}

function quietly(step: () => void): void {
  try {
    step();
  } catch {
    // What a step leaves, the ones after it look at for themselves.
  }
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
  const path = join(config, "settings.json");
  writeThrough(path, asText(merged), modeOf(path));
}

/** The host's settings; `{}` where there are none. Throws where the file is broken, for it must not be overwritten. */
function readSettings(config: string): Record<string, unknown> {
  const path = join(config, "settings.json");
  if (!existsSync(path)) return {};
  const settings = parsed(readFileSync(path, "utf8"));
  if (!settings) throw new Error(`${path} is not valid JSON; it was left untouched. Mend it and try again.`);
  return settings;
}

function need(ran: { ok: boolean; output: string }, what: string): void {
  if (!ran.ok)
    throw new Error(`Claude Code could not ${what}: ${ran.output.split("\n").slice(-3).join(" ")}`);
}
