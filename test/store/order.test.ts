import { expect, test } from "bun:test";
import fc from "fast-check";
import type { SessionEvent } from "../../src/core/event.ts";
import { turnEvents } from "../../src/store/events.ts";
import { ingest } from "../../src/store/ingest.ts";
import { type Db, openStore } from "../../src/store/open.ts";
import { eventOf, promptEvent, T0, toolEvent } from "../support/events.ts";
import { usePlaces } from "../support/temp.ts";

const newPlace = usePlaces();

/** A session of three turns, the second one private, ended and then resumed. Every event knows its prompt. */
const EVENTS: SessionEvent[] = [
  promptEvent("make it fast", { promptId: "p1", at: T0 }),
  toolEvent("a", { promptId: "p1", at: T0 + 1_000 }),
  toolEvent("b", { promptId: "p1", at: T0 + 2_000 }),
  eventOf("turn_end", { message: "It is fast.", summarize: true }, { promptId: "p1", at: T0 + 3_000 }),
  eventOf("prompt", { prompt: "", private: true }, { promptId: "p2", at: T0 + 4_000 }),
  toolEvent("hidden", { promptId: "p2", at: T0 + 5_000 }),
  eventOf("turn_end", { message: "hidden", summarize: true }, { promptId: "p2", at: T0 + 6_000 }),
  eventOf("session_end", { reason: "other" }, { promptId: "p2", at: T0 + 7_000 }),
  promptEvent("and now small", { promptId: "p3", at: T0 + 60_000 }),
  toolEvent("c", { promptId: "p3", at: T0 + 61_000 }),
  eventOf("tool_failure", { tool: "Bash", toolUseId: "d", error: "no" }, { promptId: "p3", at: T0 + 62_000 }),
  eventOf("compact_start", { reason: "auto" }, { promptId: "p3", at: T0 + 63_000 }),
  eventOf("turn_end", { message: "It is small.", summarize: true }, { promptId: "p3", at: T0 + 64_000 }),
];

/** What the store says: the session, and each turn by its prompt with its events in order. */
function contentOf(db: Db): unknown {
  const prompts = db
    .query("select session_row as s, number, key, text, private from prompts order by key")
    .all() as {
    s: number;
    number: number;
  }[];
  return {
    sessions: db
      .query("select session_id, project_id, started_at, last_event_at, ended_at, end_reason from sessions")
      .all(),
    turns: prompts.map(({ s, number, ...prompt }) => ({
      ...prompt,
      events: turnEvents(db, s, number).map(({ kind, at, body }) => ({ kind, at, body })),
    })),
    astray: db.query("select count(*) as n from events where prompt_number = 0").get(),
    toCompress: db
      .query(
        "select count(*) as n from jobs j join prompts p on p.session_row = j.session_row and p.number = j.prompt_number",
      )
      .get(),
  };
}

function storedFrom(db: Db, events: readonly SessionEvent[], batch: number): unknown {
  db.run("delete from jobs; delete from events; delete from prompts; delete from sessions;");
  for (let at = 0; at < events.length; at += batch) {
    ingest(db, events.slice(at, at + batch), { now: T0, isAlive: () => false });
  }
  return contentOf(db);
}

test("a session's events in any order, in any batches, any of them twice: the same rows", () => {
  const { paths } = newPlace("order");
  const db = openStore(paths.store, paths.backups);
  db.run("pragma synchronous = off");
  const expected = storedFrom(db, EVENTS, EVENTS.length);
  const deliveries = fc
    .array(fc.nat(EVENTS.length - 1), { maxLength: 8 })
    .chain((twice) =>
      fc.shuffledSubarray([...EVENTS.keys(), ...twice], { minLength: EVENTS.length + twice.length }),
    );
  fc.assert(
    fc.property(deliveries, fc.integer({ min: 1, max: 7 }), (order, batch) => {
      expect(
        storedFrom(
          db,
          order.map((at) => EVENTS[at] as SessionEvent),
          batch,
        ),
      ).toEqual(expected);
    }),
    { numRuns: 150 },
  );
  db.close();
});
