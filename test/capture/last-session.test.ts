/** What a starting session's user hears about how the last one was captured, through the real hook program. */
import { beforeAll, describe, expect, test } from "bun:test";
import type { SessionEvent } from "../../src/core/event.ts";
import { ingest, ingestFound } from "../../src/store/ingest.ts";
import { openStore } from "../../src/store/open.ts";
import { toolEvent } from "../support/events.ts";
import { ensureBuilt, payloadFor, runHook } from "../support/programs.ts";
import { type Place, usePlaces, withoutWorker } from "../support/temp.ts";

const newPlace = usePlaces();
beforeAll(ensureBuilt);

/** A session of the place's project: its first calls delivered by hooks, its last found in the transcript. */
function captured(place: Place, counts: { byHooks: number; found: number; lost?: number }): void {
  const db = openStore(place.paths.store, place.paths.backups);
  const options = { now: Date.now(), isAlive: () => false };
  const project = { key: place.project, name: "shop", worktree: null, root: place.project };
  const call = (at: number, via: SessionEvent["via"]) =>
    toolEvent(`toolu-${at}`, { project, via, at: Date.now() - 60_000 + at, sessionId: "past" });
  const total = counts.byHooks + counts.found;
  for (let at = 0; at < counts.byHooks; at += 1) ingest(db, [call(at, "mcp")], options);
  for (let at = 0; at < total; at += 1) ingestFound(db, call(at, "transcript"), { recordId: null }, options);
  db.query("delete from events where id <= ?").run(counts.lost ?? 0);
  db.close();
}

describe("the notice about the last session", () => {
  test.each<[string, Parameters<typeof captured>[1], RegExp | null]>([
    ["all came through the hooks", { byHooks: 50, found: 0 }, null],
    ["a few interrupted calls were found in the transcript", { byHooks: 47, found: 3 }, null],
    ["a tenth is still no fault", { byHooks: 45, found: 5 }, null],
    ["no hook ran: a session from before the installation", { byHooks: 0, found: 50 }, null],
    [
      "hooks missed many",
      { byHooks: 40, found: 10 },
      /hooks missed 10 of 50 .*found in its transcript.*doctor/,
    ],
    ["something is not there", { byHooks: 50, found: 0, lost: 1 }, /kept 49 of the 50 .*doctor/],
  ])("%s", async (_, counts, expected) => {
    const place = withoutWorker(newPlace("last"));
    captured(place, counts);
    const start = (source: string) =>
      runHook(place, "SessionStart", payloadFor(place, "SessionStart", { source, session_id: "now" }));
    const { notice } = await start("startup");
    if (expected) expect(notice).toMatch(expected);
    else expect(notice).toBe("");
    expect(notice).not.toContain("\n");
    expect((await start("resume")).notice).toBe("");
  });
});
