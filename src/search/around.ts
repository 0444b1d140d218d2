/** What stands before and after a document in its session. */
import type { Doc } from "../store/fulltext.ts";

/** Ids at -2, -1, +1 and +2; `undefined` where there is none or it was not looked at. */
export type Near = Map<number, Map<number, number>>;

/**
 * From each document's neighbours, nearest first, to everybody's: who is one before somebody has that one after itself.
 */
export function nearOf(around: ReadonlyMap<number, { before: number[]; after: number[] }>): Near {
  const near: Near = new Map();
  const put = (id: number, step: number, other: number) => {
    const steps = near.get(id) ?? new Map<number, number>();
    near.set(id, steps);
    steps.set(step, other);
  };
  for (const [id, { before, after }] of around) {
    for (const [at, other] of before.entries()) {
      put(id, -1 - at, other);
      put(other, at + 1, id);
    }
    for (const [at, other] of after.entries()) {
      put(id, at + 1, other);
      put(other, -1 - at, id);
    }
  }
  return near;
}

/** The documents by session; those of no session each by itself. */
export function bySession<T extends { doc: Doc }>(reads: Iterable<T>): T[][] {
  const sessions = new Map<number, T[]>();
  const alone: T[][] = [];
  for (const read of reads) {
    const { session } = read.doc;
    if (session === null) alone.push([read]);
    else {
      const list = sessions.get(session);
      if (list) list.push(read);
      else sessions.set(session, [read]);
    }
  }
  return [...sessions.values(), ...alone];
}
