import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { remember } from "../../src/compress/memories.ts";
import { search, searchSessions } from "../../src/search/search.ts";
import { checkFulltext, indexPending, rebuildFulltext } from "../../src/store/fulltext.ts";
import { ingest } from "../../src/store/ingest.ts";
import { type Db, openStore } from "../../src/store/open.ts";
import { promptEvent, T0 } from "../support/events.ts";
import { usePlaces } from "../support/temp.ts";

const newPlace = usePlaces();
const DAY = 86_400_000;

/** A store of one project (row 1) with these memories, a day apart. */
function storeOf(...texts: string[]): Db {
  const place = newPlace("search");
  const db = openStore(place.paths.store, place.paths.backups);
  ingest(db, [promptEvent("begin", { at: T0 })], { now: T0, isAlive: () => false });
  for (const [at, text] of texts.entries()) remember(db, 1, { text }, T0 + at * DAY);
  return db;
}

async function find(
  db: Db,
  query: string,
  more: Partial<Parameters<typeof search>[1]> = {},
): Promise<string[]> {
  const now = T0 + 100 * DAY;
  const { results } = await search(db, { query, project: 1, kinds: ["observation"], now, ...more });
  return results.map((found) => found.title);
}

describe("what is found", () => {
  const texts = [
    "The retry limit lives in src/net/retry-policy.ts.",
    "parseConfigFile reads the settings once.",
    "Deploys go through make ship.",
    "The nightly job exports invoices to the ledger.",
    "C++ and C# builds use separate caches; ticket POL-358.",
    "設定ファイルは起動時に一度だけ読み込まれる。",
    "数据库连接在空闲时关闭。",
    "한국어 검색은 두 글자부터 됩니다.",
    "Der Größenvergleich ist falsch.",
  ];
  const db = storeOf(...texts);
  test.each<[string, string]>([
    ["retries limits", "The retry limit"],
    ["retry-policy", "The retry limit"],
    ["retry-policy.ts", "The retry limit"],
    ["src/net/retry-policy.ts", "The retry limit"],
    ["policy", "The retry limit"],
    ["parseConfigFile", "parseConfigFile"],
    ["parse config file", "parseConfigFile"],
    ["config", "parseConfigFile"],
    ["deployed", "Deploys go"],
    ["exporting an invoice", "The nightly job"],
    ["POL-358", "C++ and C#"],
    ["pol 358", "C++ and C#"],
    ["C++", "C++ and C#"],
    ["設定", "設定ファイル"],
    ["起動時", "設定ファイル"],
    ["数据", "数据库"],
    ["库", "数据库"],
    ["검색", "한국어"],
    ["Größenvergleich", "Der Größenvergleich"],
    ["invo", "The nightly job"],
    ["what lives in the retry policy?", "The retry limit"],
    ['"make ship"', "Deploys go"],
  ])("%s", async (query, title) => {
    expect((await find(db, query))[0]).toStartWith(title);
  });

  test.each(["quantum chromodynamics", '"ship nightly"', "zzzz"])("nothing for %s", async (query) => {
    expect(await find(db, query)).toEqual([]);
  });

  test("without words: the newest first", async () => {
    expect((await find(db, ""))[0]).toStartWith("Der Größenvergleich");
    expect((await find(db, "", { order: "oldest" }))[0]).toStartWith("The retry limit");
  });
});

describe("any text is a query", () => {
  const db = storeOf("one", "two");
  test.each([
    "don't",
    "a OR",
    "NEAR(",
    "NEAR(a b, 5)",
    '"unbalanced',
    "'",
    "(((",
    "title:x",
    "x*",
    "*",
    "-",
    "^x",
    "{a b}",
    "\0",
    "\u{1f600}",
    "\ud800",
    "the of and",
    "% _ \\",
    "; drop table observations; --",
    "x".repeat(10_000),
    "word ".repeat(2_000),
    "설".repeat(5_000),
  ])("%j", async (query) => {
    expect(Array.isArray(await find(db, query))).toBe(true);
  });

  test("whatever it is", async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: "binary", maxLength: 60 }), async (query) => {
        await find(db, query);
      }),
      { numRuns: 300, seed: 7 },
    );
  });
});

describe("what restricts", () => {
  const db = storeOf();
  remember(db, 1, { text: "The parser is slow.", type: "discovery" }, T0);
  remember(db, 1, { text: "The parser is fast now.", type: "bugfix", pinned: true }, T0 + 10 * DAY);
  remember(db, null, { text: "Another parser, of no project." }, T0);
  test.each<[string, Partial<Parameters<typeof search>[1]>, number]>([
    ["the project", {}, 2],
    ["no project", { project: null }, 3],
    ["the type", { types: ["bugfix"] }, 1],
    ["pins", { pinned: true }, 1],
    ["from a day on", { from: T0 + 5 * DAY }, 1],
    ["to a day", { to: T0 + 5 * DAY }, 1],
    ["a file that none names", { file: "src/other.ts" }, 0],
    ["another kind", { kinds: ["summary"] }, 0],
  ])("%s", async (_, more, count) => {
    expect(await find(db, "parser", more)).toHaveLength(count);
  });

  test("a later page follows the first, also where rows come in between", async () => {
    const many = storeOf(...Array.from({ length: 25 }, (_, at) => `Note ${at} about the parser`));
    const first = await find(many, "parser", { limit: 10 });
    remember(many, 1, { text: "A new note about the parser" }, T0 + 99 * DAY);
    const second = await find(many, "parser", { limit: 10, offset: 10 });
    const third = await find(many, "parser", { limit: 10, offset: 20 });
    const all = [...first, ...second, ...third];
    expect(new Set(all).size).toBe(all.length);
    expect(all.filter((title) => title.startsWith("Note"))).toHaveLength(25);
  });
});

describe("what is replaced", () => {
  test("stands behind what replaced it, and both are found", async () => {
    const db = storeOf(
      "From now on always use npm for packages.",
      "From now on always use pnpm for packages.",
    );
    expect(await find(db, "which package manager do we use for packages")).toEqual([
      "From now on always use pnpm for packages.",
      "From now on always use npm for packages.",
    ]);
  });
});

describe("the index", () => {
  test("says what the store says after changes and deletions, and made anew it says the same", async () => {
    const db = storeOf("The parser is slow.", "The lexer is fine.");
    db.run(
      "update observations set title = 'The scanner is slow.', narrative = 'The scanner is slow.' where id = 1",
    );
    expect(await find(db, "parser")).toEqual([]);
    expect(await find(db, "scanner")).toHaveLength(1);
    db.run("delete from observations where id = 2");
    expect(await find(db, "lexer")).toEqual([]);
    checkFulltext(db);
    rebuildFulltext(db);
    expect(await find(db, "scanner")).toHaveLength(1);
    expect(indexPending(db)).toBe(0);
    checkFulltext(db);
  });

  test("private prompts are not in it", async () => {
    const db = storeOf();
    const prompt = promptEvent("", { promptId: "p9", at: T0 + DAY });
    ingest(db, [{ ...prompt, body: { prompt: "", private: true } }], { now: T0, isAlive: () => false });
    const { results } = await search(db, { query: "", project: 1, kinds: ["prompt"], now: T0 });
    expect(results.map((found) => found.title)).toEqual(["begin"]);
  });

  test("sessions are found by what was said in them", async () => {
    const db = storeOf();
    const said = promptEvent("Make the exports faster", { sessionId: "s2", at: T0 + DAY });
    ingest(db, [said], { now: T0, isAlive: () => false });
    const { sessions } = await searchSessions(db, { query: "faster exports", project: 1, now: T0 + DAY });
    expect(sessions.map((one) => one.session)).toEqual([2]);
  });
});
