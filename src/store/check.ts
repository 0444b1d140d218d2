/** Looking at a store without changing it. */
import { Database } from "bun:sqlite";
import { existsSync } from "node:fs";
import { messageOf } from "../core/errors.ts";
import { compareVersions } from "../core/version.ts";
import { countObservations } from "./observations.ts";
import { openReadOnly } from "./open.ts";

/** Older SQLite lacks what the store's statements use. */
const SQLITE_SINCE = "3.39.0";

/** The runtime's SQLite; throws a sentence where it is too old or has no full-text search. */
export function sqliteVersion(): string {
  const db = new Database(":memory:");
  try {
    const { v } = db.query("select sqlite_version() as v").get() as { v: string };
    if (compareVersions(v, SQLITE_SINCE) < 0) throw new Error(`SQLite ${v} is older than ${SQLITE_SINCE}.`);
    db.run("create virtual table probe using fts5(x)");
    return v;
  } finally {
    db.close();
  }
}

/** Whether the store can be read and is whole; where not, what to do. */
export function checkStore(
  path: string,
): { ok: true; detail: string } | { ok: false; detail: string; remedy: string } {
  if (!existsSync(path)) return { ok: true, detail: "is made with the first event" };
  try {
    const db = openReadOnly(path);
    if (!db) return { ok: true, detail: "is empty" };
    try {
      const { quick_check: result } = db.query("pragma quick_check(1)").get() as { quick_check: string };
      if (result !== "ok") throw new Error(result);
      return { ok: true, detail: `whole, ${countObservations(db)} observations` };
    } finally {
      db.close();
    }
  } catch (error) {
    const newer = (error as { code?: string }).code === "store_newer";
    const remedy = newer
      ? "update Throughline: npm install throughline@latest"
      : `stop the worker, move ${path} away and start again; a copy from before the last migration may be in its backups folder`;
    return { ok: false, detail: messageOf(error), remedy };
  }
}
