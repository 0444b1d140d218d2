/** Moving the spool into the store, batch by batch. */
import { AppError, messageOf } from "../core/errors.ts";
import type { SessionEvent } from "../core/event.ts";
import type { Log } from "../env/log.ts";
import type { Paths } from "../env/paths.ts";
import { redactEvent } from "../privacy/redact.ts";
import { listSpool, readSpool, removeFromSpool, type SpoolEntry, setAside } from "../spool/drain.ts";
import { type Ingested, ingest } from "../store/ingest.ts";
import { type Db, isFaultOfData } from "../store/open.ts";
import { isAlive } from "./record.ts";

/** Large enough that the commit's fsync is shared, small enough that others get a turn between. */
const BATCH = 250;

export type Drainer = {
  /** Moves one batch; answers how many files it took. 0: the spool is empty. */
  drainBatch: () => number;
};

/**
 * `onStored` hears of every batch. `isOurs` is asked once the batch is in the store and before its files go: where
 * the store's file has been taken away meanwhile, the spool is all that is left of the events.
 */
export function createDrainer(
  db: Db,
  paths: Paths,
  log: Log,
  onStored: (result: Ingested) => void,
  isOurs: () => boolean,
): Drainer {
  // Files that cannot be taken now: of a newer version, or not readable in this moment.
  const left = new Set<string>();
  // One listing serves many batches: reading a folder of a million names for each would cost more than the work.
  let names: string[] = [];
  return {
    drainBatch: () => {
      if (names.length === 0) {
        names = listSpool(paths.spool)
          .filter((name) => !left.has(name))
          .reverse();
      }
      if (names.length === 0) return 0;
      const batch = names.splice(-BATCH).reverse();
      const entries = readSpool(paths.spool, batch, (name, why, stays) => {
        if (stays) left.add(name);
        log.warn(stays ? "spool file left for later" : "spool file set aside", { name, why });
      });
      try {
        onStored(storeEntries(db, paths, log, entries));
      } catch (error) {
        // The batch stays in the spool; it must come again before what is younger.
        names = [];
        throw error;
      }
      if (!isOurs()) throw new AppError("store_broken", "The store's file was taken away under the worker.");
      removeFromSpool(
        paths.spool,
        entries.map((entry) => entry.name),
      );
      return batch.length;
    },
  };
}

function storeEntries(db: Db, paths: Paths, log: Log, entries: SpoolEntry[]): Ingested {
  const options = { now: Date.now(), isAlive };
  const redacted = ({ event }: SpoolEntry): SessionEvent => redactEvent(event);
  try {
    return ingest(db, entries.map(redacted), options);
  } catch (error) {
    if (!isFaultOfData(error)) throw error;
    // One event the store will not take must not hold back the others: each by itself, the bad one set aside.
    const total: Ingested = { stored: 0, known: 0, private: 0 };
    for (const entry of entries) {
      const { name } = entry;
      try {
        const one = ingest(db, [redacted(entry)], options);
        total.stored += one.stored;
        total.known += one.known;
        total.private += one.private;
      } catch (single) {
        if (!isFaultOfData(single)) throw single;
        log.error("event set aside", { name, why: messageOf(single) });
        setAside(paths.spool, name);
      }
    }
    return total;
  }
}
