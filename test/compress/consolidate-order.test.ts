import { afterEach, describe, expect, test } from "bun:test";
import { observationsById } from "../../src/store/observations.ts";
import {
  committed,
  type Draft,
  decision,
  editOf,
  failing,
  finding,
  linksIn,
  mended,
  passing,
  type Scripted,
  type ScriptedTurn,
  scripted,
} from "./scripted.ts";

const open: Scripted[] = [];
afterEach(() => {
  for (const store of open.splice(0)) store.close();
});

function storeOf(turns: readonly ScriptedTurn[], order: readonly number[]): Scripted {
  const store = scripted(turns);
  open.push(store);
  store.compress(order);
  return store;
}

/** A generator of numbers from 0 to 1 that starts the same every time (mulberry32, public domain). */
function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

function shuffled<T>(items: readonly T[], next: () => number): T[] {
  return items
    .map((item) => ({ item, key: next() }))
    .sort((a, b) => a.key - b.key)
    .map(({ item }) => item);
}

/** Few words and few units, so that nearly everything has to do with something. */
function draftBy(next: () => number): Draft {
  const pick = <T>(items: readonly T[]): T => items[Math.floor(next() * items.length)] as T;
  const name = pick(["loadRates", "syncOrders", "renderCart"]);
  const cause = pick(["the queue is full", "the clock is frozen", "`ttl` is zero"]);
  return pick<Draft>([
    finding(`\`${name}\` fails because ${cause}`),
    finding(`I was wrong: \`${name}\` does not fail because ${cause}`),
    finding(`\`${name}\` probably fails because ${cause} (unconfirmed)`, { hypothesis: true }),
    failing("test", pick(["npm test", "npx vitest run cart"]), [name]),
    mended("test", pick(["npm test", "npx vitest run cart"]), [name]),
    passing(pick(["Tests pass (`npm test`)", "Tests pass (`npx vitest run cart`)"])),
    decision(pick(["Always use npm", "From now on use pnpm", "Always use yarn instead of pnpm"])),
    editOf(`src/${name}.ts`, `Changed ${name} in src/${name}.ts`),
    committed(`fix ${name}`, pick(["aaaaaaa", "bbbbbbb"])),
    { unit: "run:git", title: "Reverted aaaaaaa", facts: ["Reverted aaaaaaa"], type: "change" },
  ]);
}

function turnBy(next: () => number): ScriptedTurn {
  const drafts = [draftBy(next), draftBy(next), draftBy(next)];
  const units = new Map(drafts.map((draft) => [draft.unit, draft]));
  return { session: next() < 0.6 ? "s1" : "s2", drafts: [...units.values()] };
}

const SEEDS = Array.from({ length: 12 }, (_, at) => at + 1);

describe("links follow from what is remembered", () => {
  test.each(SEEDS)("in whatever order turns are compressed (seed %d)", (seed) => {
    const next = random(seed);
    const turns = Array.from({ length: 40 }, () => turnBy(next));
    const places = turns.map((_, at) => at);
    const inOrder = linksIn(storeOf(turns, places).db);
    expect(inOrder.length).toBeGreaterThan(10);
    expect(linksIn(storeOf(turns, [...places].reverse()).db)).toEqual(inOrder);
    expect(linksIn(storeOf(turns, shuffled(places, next)).db)).toEqual(inOrder);
  });

  test.each(SEEDS)("however turns were changed and compressed again (seed %d)", (seed) => {
    const next = random(seed);
    const turns = Array.from({ length: 30 }, () => turnBy(next));
    const final = turns.map((turn) => (next() < 0.3 ? { ...turn, drafts: turnBy(next).drafts ?? [] } : turn));
    const places = turns.map((_, at) => at);
    const store = storeOf(turns, places);
    final.forEach((turn, at) => {
      store.rewrite(at, turn);
    });
    store.compress(shuffled(places, next));
    expect(linksIn(store.db)).toEqual(linksIn(storeOf(final, places).db));
  });
});

test("compressing again changes nothing, ids included", () => {
  const next = random(99);
  const turns = Array.from({ length: 25 }, () => turnBy(next));
  const places = turns.map((_, at) => at);
  const store = storeOf(turns, places);
  const all = () => store.db.query("select * from observations order by id").all();
  const before = all();
  store.compress(places);
  store.compress(shuffled(places, next));
  expect(all()).toEqual(before);
});

test("a superseded one points to one that stands, and is counted there", () => {
  const same = () => ({ drafts: [failing("test", "npm test", ["cart.total"])] });
  const store = storeOf(
    [same(), same(), same(), { drafts: [passing("Tests pass (`npm test`)")] }],
    [2, 0, 1],
  );
  const rows = () =>
    store.db.query("select id, superseded_by, superseded_how from observations order by created_at").values();
  const [, , [last] = []] = rows() as number[][];
  expect(rows().map(([, by, how]) => [by, how])).toEqual([
    [last, "repeated"],
    [last, "repeated"],
    [null, null],
  ]);
  expect(observationsById(store.db, [last ?? 0])[0]?.times).toBe(3);

  store.compress([3]);
  const [pass] = (rows() as number[][])[3] ?? [];
  expect(rows().map(([, by, how]) => [by, how])).toEqual([
    [pass, "settled"],
    [pass, "settled"],
    [pass, "settled"],
    [null, null],
  ]);
  expect(observationsById(store.db, [pass ?? 0])[0]?.times).toBe(1);
});

test("what stood for others goes, and they stand again or find another", () => {
  const title = "`loadRates` never clears its cache because `ttl` is zero";
  const turns = [
    { drafts: [finding(title)] },
    { drafts: [finding(`${title}!`)] },
    { drafts: [finding(`${title}.`)] },
  ];
  const store = storeOf(turns, [0, 1, 2]);
  expect(linksIn(store.db)).toEqual([`${title} → ${title}. (repeated)`, `${title}! → ${title}. (repeated)`]);
  store.rewrite(2, { drafts: [] });
  store.compress([2]);
  expect(linksIn(store.db)).toEqual([`${title} → ${title}! (repeated)`]);
  store.db.query("delete from observations where title = ?").run(`${title}!`);
  expect(store.db.query("select superseded_by, superseded_how from observations").values()).toEqual([
    [null, null],
  ]);
});

test("of a private turn nothing stays, links and subjects included", () => {
  const turns: ScriptedTurn[] = [
    { drafts: [failing("test", "npm test", ["cart.total"])] },
    { drafts: [passing("Tests pass (`npm test`)")], isPrivate: true },
  ];
  const store = storeOf(turns, [0, 1]);
  expect(linksIn(store.db)).toEqual([]);
  expect(store.db.query("select count(*) from observation_links").values()).toEqual([[0]]);
  expect(store.db.query("select count(distinct observation_id) from observation_subjects").values()).toEqual([
    [1],
  ]);
});

test("what has no project is linked with nothing", () => {
  const store = scripted([
    { drafts: [finding("`a_b` is slow because of `c_d`")] },
    { drafts: [finding("`a_b` is slow because of `c_d`")] },
  ]);
  open.push(store);
  store.db.run("update sessions set project_id = null");
  store.compress([0, 1]);
  expect(linksIn(store.db)).toEqual([]);
});
