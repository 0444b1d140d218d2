import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { claudePath, hostSkipReason } from "./host-available.ts";
import { endProcessesOfHome, signal } from "./strays.ts";

export type HostHomeOptions = {
  /** Base address of the API the program shall talk to. */
  apiUrl: string;
  /** More environment, or overrides of the clean one. */
  env?: Record<string, string>;
  /** Contents of the user's settings.json beside what the driver needs. */
  settings?: Record<string, unknown>;
};

/** One made-up user: everything lives below `root`, and `env` is all the program inherits. */
export type HostHome = {
  root: string;
  homeDir: string;
  configDir: string;
  projectDir: string;
  claude: string;
  env: Record<string, string>;
  /** Ids of the running programs started for this home. */
  running: Set<number>;
  /** Ends every process of this home and removes its directories. */
  dispose(): Promise<void>;
};

/** No longer than 20 characters: the program remembers an approved key by its last 20. */
const API_KEY = ["sk", "ant", "made-up-000"].join("-");

function cleanEnv(dirs: { homeDir: string; configDir: string; tmp: string }, apiUrl: string) {
  return {
    PATH: "/usr/local/bin:/usr/bin:/bin",
    LANG: "C.UTF-8",
    TERM: "xterm-256color",
    SHELL: "/bin/sh",
    HOME: dirs.homeDir,
    TMPDIR: dirs.tmp,
    CLAUDE_CONFIG_DIR: dirs.configDir,
    ANTHROPIC_BASE_URL: apiUrl,
    ANTHROPIC_API_KEY: API_KEY,
    NO_PROXY: "127.0.0.1,localhost",
    DISABLE_TELEMETRY: "1",
    DISABLE_ERROR_REPORTING: "1",
    DISABLE_AUTOUPDATER: "1",
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
    // Not covered by the switch above: interactive sessions would clone the official marketplace.
    CLAUDE_CODE_DISABLE_OFFICIAL_MARKETPLACE_AUTOINSTALL: "1",
    // Without it root may not skip permissions.
    IS_SANDBOX: "1",
  };
}

function seedConfig(home: HostHome, settings: Record<string, unknown>): void {
  const trusted = { hasTrustDialogAccepted: true, hasCompletedProjectOnboarding: true, allowedTools: [] };
  const global = {
    hasCompletedOnboarding: true,
    lastOnboardingVersion: "99.0.0",
    theme: "dark",
    customApiKeyResponses: { approved: [API_KEY], rejected: [] },
    projects: { [home.projectDir]: trusted },
  };
  writeFileSync(join(home.configDir, ".claude.json"), JSON.stringify(global));
  const user = { skipDangerousModePermissionPrompt: true, ...settings };
  writeFileSync(join(home.configDir, "settings.json"), JSON.stringify(user, null, 2));
}

/** Makes a fresh user with onboarding, trust and bypass mode already accepted. Throws where the program is absent. */
export function createHostHome(options: HostHomeOptions): HostHome {
  const claude = claudePath();
  if (claude === null) throw new Error(hostSkipReason() ?? "no Claude Code program");
  // The program keys projects on the real path; /tmp is a link on macOS.
  const root = realpathSync(mkdtempSync(join(tmpdir(), "host-home-")));
  const dirs = { homeDir: join(root, "home"), configDir: join(root, "config"), tmp: join(root, "tmp") };
  const projectDir = join(root, "project");
  for (const dir of [...Object.values(dirs), projectDir]) mkdirSync(dir);
  const home: HostHome = {
    root,
    homeDir: dirs.homeDir,
    configDir: dirs.configDir,
    projectDir,
    claude,
    env: { ...cleanEnv(dirs, options.apiUrl), ...options.env },
    running: new Set(),
    dispose: async () => {
      for (const pid of home.running) signal(pid, "SIGKILL");
      await endProcessesOfHome(home.env.HOME ?? dirs.homeDir);
      rmSync(root, { recursive: true, force: true, maxRetries: 5 });
    },
  };
  seedConfig(home, options.settings ?? {});
  return home;
}
