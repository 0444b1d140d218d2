/** The plugin's MCP server, one process for each session of the host. */
import { existsSync } from "node:fs";
import { createClient } from "./api/client.ts";
import { versionGuard } from "./capture/guard.ts";
import { handle } from "./capture/handle.ts";
import { createShown } from "./capture/shown.ts";
import { fileHistories } from "./context/file.ts";
import { lastSession, withStore } from "./context/memory.ts";
import { messageOf } from "./core/errors.ts";
import type { ProjectRef, SessionEvent } from "./core/event.ts";
import { openLog } from "./env/log.ts";
import { dataDirOf, pathsOf } from "./env/paths.ts";
import { resolveProject } from "./env/project.ts";
import { loadSettings } from "./env/settings.ts";
import { VERSION } from "./env/version.ts";
import { HOSTS } from "./hosts/index.ts";
import { answerLine, readLines } from "./mcp/protocol.ts";
import { createMethods } from "./mcp/server.ts";
import { redactSecrets } from "./privacy/secrets.ts";
import { ensureWorker, ownPrograms } from "./process/spawn.ts";

process.umask(0o077);
const { env } = process;
const [hostName = "claude-code"] = process.argv.slice(2).filter((word) => !word.startsWith("--"));
const fallback = process.argv.find((word) => word.startsWith("--data="))?.slice("--data=".length);
const paths = pathsOf(dataDirOf(env, fallback));
const { values: settings } = loadSettings(paths.settings, env);
const log = openLog({ dir: paths.logs, program: "mcp", level: settings.CLAUDE_MEM_LOG_LEVEL });
const host = HOSTS[hostName];

const shown = createShown();
const historyOf = (project: ProjectRef, path: string, cwd: string | null) => {
  const question = { project, paths: [path], cwd, now: Date.now() };
  const [found] = withStore(paths, (db) => (db ? fileHistories(db, question) : [])) ?? [];
  return found ? { ...found, text: redactSecrets(found.text) } : null;
};

const here = () => resolveProject(env.CLAUDE_PROJECT_DIR || process.cwd(), env, [paths.data]).project;

/** A prompt waits no longer than this for its memories. */
const RECALL_MS = 300;
/** A shorter one asks for nothing that memory could know. */
const PROMPT_MIN = 20;
const recall = async (prompt: SessionEvent, limit: number): Promise<string> => {
  const { project, sessionId } = prompt;
  const q = prompt.body.prompt ?? "";
  if (!project || q.trim().length < PROMPT_MIN || prompt.body.private || limit === 0) return "";
  const question = { q, project_key: project.key, limit, exclude: [...shown.items(sessionId)] };
  try {
    const { context, ids } = await createClient(paths, RECALL_MS).recall(question);
    shown.noteItems(sessionId, ids);
    return context;
  } catch (error) {
    log.debug("no memories with the prompt", { why: messageOf(error) });
    return "";
  }
};

const methods = createMethods({
  version: VERSION,
  hook: (event, payload) =>
    // Without its own file it was uninstalled under the session: nothing more is kept.
    host && existsSync(Bun.main)
      ? handle(
          {
            host,
            paths,
            env,
            via: "mcp",
            hostPid: process.ppid > 1 ? process.ppid : null,
            settings: () => loadSettings(paths.settings, env).values,
            log: () => log,
            tell: () => "",
            recall,
            reads: { historyOf, shown },
            lastSession: (project, before) => lastSession(paths, project, before),
            workerTrouble: () => null,
            guard: () => versionGuard(env, VERSION),
            ensureWorker: () => ensureWorker(paths, ownPrograms(), VERSION, env),
            now: Date.now,
          },
          event,
          payload,
        )
      : "{}",
  withStore: (read) => withStore(paths, read),
  project: here,
  workspace: () => here()?.root ?? null,
  outlineIndex: paths.outlines,
  settings: () => loadSettings(paths.settings, env).values,
  worker: createClient(paths, 5_000),
  ensureWorker: () => ensureWorker(paths, ownPrograms(), VERSION, env),
  now: Date.now,
  onError: (why) => log.error("tool failed", { why }),
});

// Whatever one call does, the next one is served: this process is what every hook of the session relies on.
process.on("uncaughtException", (error) => log.error("uncaught", { why: messageOf(error) }));
process.on("unhandledRejection", (error) => log.error("unhandled", { why: messageOf(error) }));
for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"] as const) process.on(signal, () => process.exit(0));

const serve = (line: string) => {
  const write = (answer: string | null) => {
    if (answer !== null) process.stdout.write(`${answer}\n`);
  };
  const answer = answerLine(line, methods, (error) => log.error("method failed", { why: messageOf(error) }));
  if (answer instanceof Promise) answer.then(write);
  else write(answer);
};
// A client that no longer reads is a client that is gone.
process.stdout.on("error", () => process.exit(0));
readLines(Bun.stdin.stream(), serve).finally(() => process.exit(0));
