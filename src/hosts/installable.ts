/** The agents that `install` can register with. */
import type { Paths } from "../env/paths.ts";
import { claudeCodeInstaller } from "./claude-code/installer.ts";

type Env = Record<string, string | undefined>;

export type InstallOptions = {
  paths: Paths;
  env: Env;
  version: string;
  runtime: string;
  bunfig: string;
  hook: string;
  mcp: string;
  /** Whether the data directory must be told to the programs; not for the default one. */
  tellDataDir: boolean;
  /** The user does not want hooks to go through the MCP server. */
  commandsOnly: boolean;
};

/** One line a thing done; one a thing that could not be, saying what is to be done by hand. */
export type Undone = { done: string[]; left: string[] };

export type Installer = {
  /** As a person calls the agent. */
  title: string;
  /** Whether the agent is on this machine; starts nothing. */
  isPresent: (env: Env) => boolean;
  /** One line on what was found (version, folder); starts the agent to ask for its version. */
  describe: (env: Env) => string;
  /** Throws a sentence where installing could not be done cleanly; asked before anything is written. */
  ready: (env: Env) => void;
  isInstalled: (env: Env) => boolean;
  /** Answers one line a thing done. Throws a sentence where it cannot. Doing it again changes nothing more. */
  install: (options: InstallOptions) => string[];
  /** Undoes what `install` recorded, as far as that goes. */
  uninstall: (paths: Paths, env: Env) => Undone;
  /** What is wrong with the installation, each with its remedy; empty where all is well. */
  check: (paths: Paths, env: Env) => { fault: string; remedy: string }[];
};

export const HOSTS_INSTALLABLE: readonly Installer[] = [claudeCodeInstaller];
