/** Memories put into a place's store before anything runs there. */
import type { ObservationDraft } from "../../src/core/observation.ts";
import { resolveProject } from "../../src/env/project.ts";
import { ingest } from "../../src/store/ingest.ts";
import { replaceLocal } from "../../src/store/observations.ts";
import { openStore } from "../../src/store/open.ts";
import { eventOf } from "./events.ts";
import type { Place } from "./temp.ts";

const HOUR_MS = 3_600_000;

/** Gives the place's project so many observations, of an earlier session, newest last. */
export function remember(place: Place, titles: readonly string[], file = "src/a.ts"): void {
  const db = openStore(place.paths.store, place.paths.backups);
  const { project } = resolveProject(place.project, { HOME: place.home });
  const from = Date.now() - 48 * HOUR_MS;
  ingest(
    db,
    [
      eventOf("session_start", { reason: "startup" }, { sessionId: "earlier", project, at: from }),
      eventOf("session_end", { reason: "other" }, { sessionId: "earlier", project, at: from + HOUR_MS }),
    ],
    { now: from, isAlive: () => false },
  );
  const drafts = titles.map(
    (title, at): ObservationDraft => ({
      unit: `unit:${at}`,
      type: "discovery",
      title,
      subtitle: "",
      narrative: "",
      facts: [],
      concepts: [],
      filesRead: [],
      filesModified: [file],
      origin: "tool",
      pinned: false,
      agentId: null,
      agentType: null,
      evidence: [],
      at: from + at,
    }),
  );
  replaceLocal(db, { sessionRow: 1, projectId: 1, promptNumber: 0 }, drafts);
  // A worker would make the turn's observations anew, from its events, and there are none.
  db.run("delete from jobs");
  db.close();
}
