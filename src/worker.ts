/** The worker: the one long-lived process of a data directory, and the only writer of its store. */
import { mkdirSync, watch } from "node:fs";
import { discoverTranscripts } from "./capture/discover.ts";
import { prunePassedOver } from "./capture/passed-over.ts";
import { prunePrivateTurns } from "./capture/private-turn.ts";
import { reconcileDue } from "./capture/reconcile.ts";
import { compressTurn } from "./compress/job.ts";
import { compressLocally } from "./compress/local/compress.ts";
import { AppError, messageOf } from "./core/errors.ts";
import { writeAtomic } from "./env/files.ts";
import { openLog } from "./env/log.ts";
import { dataDirOf, pathsOf } from "./env/paths.ts";
import { loadSettings } from "./env/settings.ts";
import { ensureToken } from "./env/token.ts";
import { VERSION } from "./env/version.ts";
import { createDrainer, type Drainer } from "./process/drain.ts";
import { clearStartFailure, noteStartFailure } from "./process/failure.ts";
import { announce, becomeWorker, withdraw } from "./process/lifecycle.ts";
import { maintain } from "./process/maintenance.ts";
import { isAlive } from "./process/record.ts";
import { sameFiles } from "./process/same-files.ts";
import { clearStart } from "./process/spawn.ts";
import { startLoop } from "./queue/loop.ts";
import { runDue } from "./queue/runner.ts";
import type { AppParts } from "./server/app.ts";
import { closeServer, listenOnPort, listenOnSocket } from "./server/listen.ts";
import { listSpool, rescueAbandoned } from "./spool/drain.ts";
import { recentCaptures } from "./store/captures.ts";
import type { Ingested } from "./store/ingest.ts";
import { countJobs, type Job, nextJobAt, releaseLeases } from "./store/jobs.ts";
import { countObservations } from "./store/observations.ts";
import { type Db, openStore } from "./store/open.ts";
import { sizeOf } from "./store/size.ts";
import { countSummaries } from "./store/summaries.ts";
import { countWantedTranscripts, nextTranscriptAt } from "./store/transcripts.ts";

/** Nothing that arrives is only seen by the fallback, unless the system's file watching fails. */
const POLL_MS = 5_000;
/**
 * What arrives together is stored together. It costs the session nothing, since its events are safe in the spool;
 * storing each at once would take the second core and the disk from the very tool call that follows.
 */
const GATHER_MS = 250;
/** Sessions whose capture the status tells. */
const CAPTURES = 5;
const MAINTENANCE_MS = 10 * 60_000;

process.umask(0o077);
const paths = pathsOf(dataDirOf(process.env));
const { values: settings, problems } = loadSettings(paths.settings, process.env);
const log = openLog({ dir: paths.logs, program: "worker", level: settings.CLAUDE_MEM_LOG_LEVEL });

async function main(): Promise<void> {
  const lock = await becomeWorker(paths, VERSION, log);
  if (!lock) return;
  announce(paths, VERSION);
  log.info("worker starts", { version: VERSION, data: paths.data });
  for (const problem of problems) log.warn(problem);

  const state = { db: null as Db | null, port: null as number | null, activeAt: Date.now(), maintainedAt: 0 };
  const leave = Promise.withResolvers<string>();
  // From here on there are files to take away again.
  for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"] as const)
    process.on(signal, () => leave.resolve(signal));
  const parts: AppParts = {
    token: ensureToken(paths),
    health: () => ({
      status: "ok",
      uptime: Math.floor(process.uptime()),
      port: state.port,
      version: VERSION,
      pid: process.pid,
    }),
    isReady: () => state.db !== null,
    status: () => ({
      ...parts.health(),
      ready: state.db !== null,
      store: state.db && {
        observations: countObservations(state.db),
        summaries: countSummaries(state.db),
        bytes: sizeOf(paths.store),
      },
      queue: state.db && countJobs(state.db, Date.now()),
      transcripts: state.db && countWantedTranscripts(state.db, Date.now()),
      captures: state.db && recentCaptures(state.db, CAPTURES),
      spool: listSpool(paths.spool).length,
    }),
    store: () => {
      if (state.db) return state.db;
      throw new AppError("unavailable", "The store is being opened; try again in a moment.");
    },
    stop: leave.resolve,
    onError: (why) => log.error("request failed", { why }),
  };
  const socket = listenOnSocket(paths.socket, parts);
  const db = openStore(paths.store, paths.backups);
  const tcp = listenOnPort(
    {
      host: settings.CLAUDE_MEM_WORKER_HOST,
      port: settings.CLAUDE_MEM_WORKER_PORT,
      fixed: isPortFixed(),
    },
    parts,
    (why) => log.warn(why),
  );
  if (tcp) {
    state.port = tcp.port;
    writeAtomic(paths.port, `${tcp.port}\n`);
  }
  releaseLeases(db);
  state.db = db;
  clearStart(paths);
  clearStartFailure(paths);
  const isOurs = sameFiles([paths.store, paths.lock]);
  log.info("worker ready", { port: state.port });

  const owner = `worker-${process.pid}`;
  const stored = (result: Ingested) => {
    state.activeAt = Date.now();
    log.debug("events stored", { ...result });
  };
  const work = (job: Job) => {
    const { kind, sessionRow: session, promptNumber: prompt } = job;
    if (kind === "discover") {
      const files = discoverTranscripts(db, session, settings, Date.now());
      if (files > 0) log.info("transcripts to read", { files });
    } else {
      const { added } = compressTurn(db, job, compressLocally);
      log.debug("turn compressed", { session, prompt, added });
    }
  };
  const failed = (job: Job, why: string, final: boolean) =>
    log.error("work failed", {
      kind: job.kind,
      session: job.sessionRow,
      prompt: job.promptNumber,
      why,
      final,
    });
  const drainer = createDrainer(db, paths, log, stored, isOurs);
  const round = (): number => {
    if (!isOurs()) {
      leave.resolve("its files were taken away");
      return POLL_MS;
    }
    if (drainer.drainBatch() > 0) return 0;
    const runner = { db, owner, maxAttempts: settings.CLAUDE_MEM_MAX_RETRIES, now: Date.now };
    const worked = runDue({ ...runner, work, onFailure: failed }, 20);
    const now = Date.now();
    const read = reconcileDue({ db, paths, env: process.env, settings, log, options: { now, isAlive } });
    if (worked > 0 || read) {
      state.activeAt = now;
      return 0;
    }
    if (now - state.maintainedAt > MAINTENANCE_MS) {
      state.maintainedAt = now;
      maintain(db, paths, now);
      prunePrivateTurns(paths, now);
      prunePassedOver(paths, now);
      rescueAbandoned(paths.spool, now);
      return 0;
    }
    const due = earliest(nextJobAt(db), nextTranscriptAt(db));
    const idleMs = settings.CLAUDE_MEM_IDLE_EXIT_MINUTES * 60_000;
    const rests = due === null || due > now + idleMs;
    if (idleMs > 0 && rests && now - state.activeAt > idleMs) leave.resolve("idle");
    return due === null ? POLL_MS : Math.min(POLL_MS, Math.max(10, due - now));
  };
  const loop = startLoop(round, (error) => log.error("round failed", { why: messageOf(error) }));

  mkdirSync(paths.spool.new, { recursive: true, mode: 0o700 });
  let gathering: ReturnType<typeof setTimeout> | undefined;
  const watcher = watch(paths.spool.new, () => {
    gathering ??= setTimeout(() => {
      gathering = undefined;
      loop.wake();
    }, GATHER_MS);
  });
  watcher.on("error", (error) => log.warn("spool is not watched", { why: messageOf(error) }));

  const why = await leave.promise;

  // In reverse order of opening.
  watcher.close();
  clearTimeout(gathering);
  await loop.stop();
  await Promise.all([closeServer(socket), tcp && closeServer(tcp.server)]);
  // From here on hooks miss this worker and start the next one, which waits for the lock.
  withdraw(paths);
  if (isOurs()) drainRest(drainer);
  releaseLeases(db, owner);
  db.close();
  log.info("worker leaves", { why });
  lock.release();
}

function earliest(one: number | null, other: number | null): number | null {
  if (one === null || other === null) return one ?? other;
  return Math.min(one, other);
}

/** Whether the user chose the port; only then is another one no help. */
function isPortFixed(): boolean {
  return Boolean(process.env.CLAUDE_MEM_WORKER_PORT) || settings.CLAUDE_MEM_WORKER_PORT !== 37_777;
}

/** What arrived while the loop was ending; a worker with much to do leaves it to the next. */
function drainRest(drainer: Drainer): void {
  try {
    for (let batches = 0; batches < 4 && drainer.drainBatch() > 0; batches += 1);
  } catch (error) {
    log.warn("the spool keeps what is left", { why: messageOf(error) });
  }
}

main().then(
  () => process.exit(0),
  (error) => {
    log.error("worker fails", { why: messageOf(error) });
    noteStartFailure(paths, VERSION, messageOf(error), Date.now());
    withdraw(paths);
    process.exit(1);
  },
);
