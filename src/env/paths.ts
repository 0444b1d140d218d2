/** Where everything lies: every path of the product follows from one data directory. */
import { isAbsolute, join, resolve } from "node:path";
import { hashText } from "./hash.ts";
import { homeOf, tempDirOf } from "./home.ts";

export type Env = Record<string, string | undefined>;

export type Paths = {
  data: string;
  settings: string;
  store: string;
  /** Definitions found in workspaces: made again where it is missing. */
  outlines: string;
  backups: string;
  spool: { root: string; tmp: string; new: string; bad: string };
  logs: string;
  state: { root: string; failures: string; broken: string; privateTurns: string; passedOver: string };
  /** Held locked by the running worker; the lock dies with its holder. */
  lock: string;
  pid: string;
  port: string;
  token: string;
  socket: string;
  /** What `install` puts there: the bundles, the runtime and the plugin the host loads. */
  app: {
    root: string;
    bunfig: string;
    hook: string;
    worker: string;
    mcp: string;
    cli: string;
    marker: string;
  };
  runtime: string;
  plugin: { marketplace: string; root: string };
  installRecord: string;
};

/** Unix socket addresses hold about 104 bytes on the strictest system (macOS). */
const SOCKET_PATH_MAX = 100;

/**
 * The data directory: `CLAUDE_MEM_DATA_DIR`, else `fallback` (what was chosen at installation), else
 * `~/.throughline`. Relative values are taken from the home directory, never from the project's.
 */
export function dataDirOf(env: Env, fallback?: string): string {
  const home = homeOf(env);
  const wanted = env.CLAUDE_MEM_DATA_DIR || fallback || join(home, ".throughline");
  const expanded = wanted === "~" || /^~[/\\]/.test(wanted) ? join(home, wanted.slice(1)) : wanted;
  return isAbsolute(expanded) ? resolve(expanded) : resolve(home, expanded);
}

/** All paths of one data directory. Touches no disk. */
export function pathsOf(data: string, platform: NodeJS.Platform = process.platform): Paths {
  const at = (...parts: string[]) => join(data, ...parts);
  return {
    data,
    settings: at("settings.json"),
    store: at("throughline.db"),
    outlines: at("outlines.db"),
    backups: at("backups"),
    spool: { root: at("spool"), tmp: at("spool", "tmp"), new: at("spool", "new"), bad: at("spool", "bad") },
    logs: at("logs"),
    state: {
      root: at("state"),
      failures: at("state", "hook-failures.json"),
      broken: at("state", "CAPTURE_BROKEN"),
      privateTurns: at("state", "private"),
      passedOver: at("state", "passed-over"),
    },
    lock: at("state", "worker.lock"),
    pid: at("worker.pid"),
    port: at("worker.port"),
    token: at("token"),
    socket: socketPath(data, platform),
    app: {
      root: at("app"),
      bunfig: at("app", "bunfig.toml"),
      hook: at("app", "hook.js"),
      worker: at("app", "worker.js"),
      mcp: at("app", "mcp.js"),
      cli: at("app", "cli.js"),
      marker: at("app", "installed.json"),
    },
    runtime: at("runtime", platform === "win32" ? "bun.exe" : "bun"),
    plugin: { marketplace: at("plugin"), root: at("plugin", "throughline") },
    installRecord: at("state", "install.json"),
  };
}

function socketPath(data: string, platform: NodeJS.Platform): string {
  if (platform === "win32") return `\\\\.\\pipe\\throughline-${hashText(data)}`;
  const inside = join(data, "run", "worker.sock");
  if (Buffer.byteLength(inside) <= SOCKET_PATH_MAX) return inside;
  return join(
    tempDirOf(process.env),
    `throughline-${process.getuid?.() ?? "user"}`,
    `${hashText(data)}.sock`,
  );
}
