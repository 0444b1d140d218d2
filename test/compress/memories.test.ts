import { describe, expect, test } from "bun:test";
import { compressTurn } from "../../src/compress/job.ts";
import { compressLocally } from "../../src/compress/local/compress.ts";
import { forget, pin, remember } from "../../src/compress/memories.ts";
import { ingest } from "../../src/store/ingest.ts";
import { claimJob, finishJob, wantJob } from "../../src/store/jobs.ts";
import { observationsById } from "../../src/store/observations.ts";
import { type Db, openStore } from "../../src/store/open.ts";
import { eventOf, promptEvent, T0 } from "../support/events.ts";
import { usePlaces } from "../support/temp.ts";

const newPlace = usePlaces();

/** A store with one compressed turn: a rule of the user's and an edit. */
function newStore(): Db {
  const place = newPlace("memories");
  const db = openStore(place.paths.store, place.paths.backups);
  const edit = {
    tool: "Edit",
    toolUseId: "e1",
    input: { file_path: "/srv/shop/src/a.ts", old_string: "const a = 1;", new_string: "const a = limit();" },
    response: { filePath: "/srv/shop/src/a.ts" },
  };
  ingest(
    db,
    [
      promptEvent("From now on always use npm for installing packages."),
      eventOf("tool", edit, { at: T0 + 1_000 }),
      eventOf(
        "turn_end",
        { message: "a takes its value from limit now.", summarize: true },
        { at: T0 + 2_000 },
      ),
    ],
    { now: T0, isAlive: () => false },
  );
  compressAll(db);
  return db;
}

function compressAll(db: Db): void {
  for (;;) {
    const job = claimJob(db, "test", T0 + 60_000, 1_000);
    if (!job) return;
    compressTurn(db, job, compressLocally);
    finishJob(db, job, "test", T0 + 60_000);
  }
}

const titles = (db: Db) =>
  (db.query("select title from observations order by id").all() as { title: string }[]).map(
    (row) => row.title,
  );

describe("remember", () => {
  test("keeps the exact words, dated, as the user's own", () => {
    const db = newStore();
    const words = "Deploys go through `make ship`.\nNever push by hand.";
    const kept = remember(db, 1, { text: words, pinned: true }, T0 + 5_000);
    expect(kept).toMatchObject({
      type: "decision",
      title: "Deploys go through `make ship`.",
      narrative: words,
      source: "manual",
      origin: "manual",
      pinned: true,
      at: T0 + 5_000,
    });
  });

  test("secrets and private parts are not kept", () => {
    const db = newStore();
    const secret = ["ghp", "0123456789abcdefghijklmnopqrstuvwxyz"].join("_");
    const kept = remember(
      db,
      1,
      { text: `The token is ${secret}. <private>hush</private>`, title: secret },
      T0,
    );
    expect(JSON.stringify(kept)).not.toContain(secret);
    expect(JSON.stringify(kept)).not.toContain("hush");
  });

  test("a newer word of the user's stands for the older rule", () => {
    const db = newStore();
    const rule = db.query("select id from observations where type = 'decision'").get() as { id: number };
    const { id } = remember(
      db,
      1,
      { text: "From now on always use pnpm for installing packages." },
      T0 + 9_000,
    );
    expect(observationsById(db, [rule.id])[0]).toMatchObject({
      supersededBy: id,
      supersededHow: "corrected",
    });
    forget(db, [id]);
    expect(observationsById(db, [rule.id])[0]).toMatchObject({ supersededBy: null, supersededHow: null });
  });

  test.each<[string, Parameters<typeof remember>[2], RegExp]>([
    ["no words", { text: " \n" }, /nothing to remember/],
    ["only private words", { text: "<private>hush</private>" }, /nothing to remember/],
    ["a book", { text: "x".repeat(9_000) }, /9000 characters; 8000/],
    ["an unknown type", { text: "a", type: "poem" }, /no type poem; types are bugfix/],
  ])("%s is refused with a sentence", (_, wish, why) => {
    const db = newStore();
    const before = titles(db);
    expect(() => remember(db, 1, wish, T0)).toThrow(why);
    expect(titles(db)).toEqual(before);
  });
});

describe("forget and pin", () => {
  test("what is forgotten is not made again when its turn is", () => {
    const db = newStore();
    const edit = db.query("select id, title from observations where unit like 'edit:%'").get() as {
      id: number;
      title: string;
    };
    forget(db, [edit.id]);
    wantJob(db, "compress", { sessionRow: 1, promptNumber: 1 }, T0, T0);
    compressAll(db);
    expect(titles(db)).not.toContain(edit.title);
    expect(titles(db)).toHaveLength(1);
  });

  test("all or nothing, and an unknown id is said", () => {
    const db = newStore();
    const before = titles(db);
    expect(() => forget(db, [1, 999])).toThrow("Observation #999 not found");
    expect(titles(db)).toEqual(before);
    expect(() => pin(db, 999, true)).toThrow("Observation #999 not found");
  });

  test("pins and unpins", () => {
    const db = newStore();
    expect(pin(db, 1, true).pinned).toBe(true);
    expect(pin(db, 1, false).pinned).toBe(false);
  });
});
