import { expect, test } from "bun:test";
import { ingest } from "../../src/store/ingest.ts";
import { insertMemory } from "../../src/store/memories.ts";
import { type Db, openStore } from "../../src/store/open.ts";
import { itemsAround, momentOf } from "../../src/store/timeline.ts";
import { promptEvent, T0 } from "../support/events.ts";
import { usePlaces } from "../support/temp.ts";

const newPlace = usePlaces();

/** Prompts at even minutes, memories at odd ones, of one project; one memory of another between them. */
function newStore(): Db {
  const place = newPlace("timeline");
  const db = openStore(place.paths.store, place.paths.backups);
  const memory = (projectId: number | null, title: string, minute: number) =>
    insertMemory(db, {
      projectId,
      type: "decision",
      title,
      text: title,
      pinned: false,
      at: T0 + minute * 60_000,
    });
  for (let minute = 0; minute < 10; minute += 2) {
    const event = promptEvent(`asked at ${minute}`, { at: T0 + minute * 60_000, promptId: `p${minute}` });
    ingest(db, [event], { now: T0, isAlive: () => false });
  }
  for (let minute = 1; minute < 10; minute += 2) memory(1, `noted at ${minute}`, minute);
  memory(null, "elsewhere", 5);
  return db;
}

const around = (db: Db, id: number, before: number, after: number) => {
  const moment = momentOf(db, id);
  return moment ? itemsAround(db, moment, before, after).map((item) => item.text) : null;
};

test("what lies before and after, oldest first, of the same project alone", () => {
  const db = newStore();
  expect(around(db, 3, 2, 3)).toEqual([
    "noted at 3",
    "asked at 4",
    "noted at 5",
    "asked at 6",
    "noted at 7",
    "asked at 8",
  ]);
});

test("at the ends there is less", () => {
  const db = newStore();
  expect(around(db, 1, 5, 1)).toEqual(["asked at 0", "noted at 1", "asked at 2"]);
  expect(around(db, 5, 1, 9)).toEqual(["asked at 8", "noted at 9"]);
  expect(around(db, 6, 4, 4)).toEqual(["elsewhere"]);
  expect(around(db, 99, 4, 4)).toBeNull();
});

test("private prompts are not among them", () => {
  const db = newStore();
  db.run("update prompts set private = 1, text = ''");
  expect(around(db, 3, 2, 2)).toEqual(["noted at 1", "noted at 3", "noted at 5", "noted at 7", "noted at 9"]);
});
