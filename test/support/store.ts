/** Looking into a place's store and data directory from outside. */
import { Database } from "bun:sqlite";
import { existsSync, lstatSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { SessionEvent } from "../../src/core/event.ts";
import { listSpool, readSpool } from "../../src/spool/drain.ts";
import { turnEvents } from "../../src/store/events.ts";
import type { Place } from "./temp.ts";

export type Row = Record<string, string | number | null>;

/** Rows of a query on the store as it stands; [] where there is no store. */
export function rows(place: Place, sql: string): Row[] {
  if (!existsSync(place.paths.store)) return [];
  const db = new Database(place.paths.store, { readonly: true });
  try {
    // The worker may be making or leaving the store in this moment.
    db.run("pragma busy_timeout = 5000");
    return db.query(sql).all() as Row[];
  } finally {
    db.close();
  }
}

/** The number a `select count(*)` over the clause gives, e.g. `events where kind = 'tool'`. */
export function count(place: Place, clause: string): number {
  return Number(rows(place, `select count(*) as n from ${clause}`)[0]?.n ?? 0);
}

/** Everything the store holds, bodies unpacked, as one text to search in. */
export function storeAsText(place: Place): string {
  const db = new Database(place.paths.store, { readonly: true });
  try {
    const tables = db.query("select name from sqlite_master where type = 'table'").all() as {
      name: string;
    }[];
    const plain = tables.map(({ name }) => JSON.stringify(db.query(`select * from "${name}"`).all()));
    const turns = db.query("select distinct session_row as s, prompt_number as n from events").all() as {
      s: number;
      n: number;
    }[];
    return [...plain, ...turns.map(({ s, n }) => JSON.stringify(turnEvents(db, s, n)))].join("\n");
  } finally {
    db.close();
  }
}

/** The events that wait in the spool, oldest first. */
export function spooled(place: Place): SessionEvent[] {
  return readSpool(place.paths.spool, listSpool(place.paths.spool), (name, why) => {
    throw new Error(`${name} ${why}`);
  }).map((entry) => entry.event);
}

/** Every file and folder below `dir`, itself included. */
export function treeOf(dir: string): string[] {
  if (!lstatSync(dir).isDirectory()) return [dir];
  return [dir, ...readdirSync(dir).flatMap((name) => treeOf(join(dir, name)))];
}

/** Files below `dir` whose bytes hold the text. */
export function filesHolding(dir: string, text: string): string[] {
  return treeOf(dir).filter((path) => lstatSync(path).isFile() && readFileSync(path).includes(text));
}
