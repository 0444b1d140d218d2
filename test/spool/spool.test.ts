import { describe, expect, test } from "bun:test";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { appendEvent } from "../../src/spool/append.ts";
import {
  listSpool,
  parseSpoolFile,
  readSpool,
  removeFromSpool,
  rescueAbandoned,
  type SpoolEntry,
} from "../../src/spool/drain.ts";
import { T0, toolEvent } from "../support/events.ts";
import { usePlaces } from "../support/temp.ts";

const newPlace = usePlaces();

type Spool = ReturnType<ReturnType<typeof usePlaces>>["paths"]["spool"];

function newSpool(): Spool {
  return newPlace("spool").paths.spool;
}

function readAll(spool: Spool): { entries: SpoolEntry[]; bad: string[] } {
  const bad: string[] = [];
  const entries = readSpool(spool, listSpool(spool), (name) => bad.push(name));
  return { entries, bad };
}

describe("append and read", () => {
  test("events come back whole and in the order they were written", () => {
    const spool = newSpool();
    const events = Array.from({ length: 300 }, (_, at) => toolEvent(`t${at}`));
    for (const event of events) appendEvent(spool, event);
    expect(readAll(spool)).toEqual({ entries: expect.any(Array), bad: [] });
    expect(readAll(spool).entries.map((entry) => entry.event)).toEqual(events);
    expect(readdirSync(spool.tmp)).toEqual([]);
  });

  test("an absent spool is an empty one", () => {
    expect(listSpool(newSpool())).toEqual([]);
  });

  test("removing is forgiving: what is gone is gone", () => {
    const spool = newSpool();
    appendEvent(spool, toolEvent("a"));
    const names = listSpool(spool);
    removeFromSpool(spool, names);
    removeFromSpool(spool, names);
    expect(readSpool(spool, names, () => expect.unreachable())).toEqual([]);
  });

  test("writers in several processes lose nothing and overwrite nothing", async () => {
    const place = newPlace("spool");
    const script = `
      const { appendEvent } = await import(${JSON.stringify(join(import.meta.dir, "../../src/spool/append.ts"))});
      const { toolEvent } = await import(${JSON.stringify(join(import.meta.dir, "../support/events.ts"))});
      for (let at = 0; at < 50; at += 1) appendEvent(${JSON.stringify(place.paths.spool)}, toolEvent(process.pid + "-" + at));`;
    const writers = Array.from({ length: 4 }, () =>
      Bun.spawn([process.execPath, "-e", script], { stderr: "inherit" }),
    );
    for (const writer of writers) expect(await writer.exited).toBe(0);
    const keys = new Set(readAll(place.paths.spool).entries.map((entry) => entry.event.key));
    expect(keys.size).toBe(200);
  });

  test("files are 0600 and folders 0700 under umask 022", () => {
    const spool = newSpool();
    const before = process.umask(0o022);
    try {
      appendEvent(spool, toolEvent("a"));
    } finally {
      process.umask(before);
    }
    for (const dir of [spool.root, spool.tmp, spool.new]) expect(statSync(dir).mode & 0o777).toBe(0o700);
    const [name = ""] = listSpool(spool);
    expect(statSync(join(spool.new, name)).mode & 0o777).toBe(0o600);
  });

  test("where it cannot be written it throws, and leaves nothing behind", () => {
    const place = newPlace("spool");
    writeFileSync(place.paths.data, "a file in the place of the data directory");
    expect(() => appendEvent(place.paths.spool, toolEvent("a"))).toThrow();
    const other = newPlace("spool");
    mkdirSync(other.paths.spool.tmp, { recursive: true });
    writeFileSync(other.paths.spool.new, "a file in the place of the folder");
    expect(() => appendEvent(other.paths.spool, toolEvent("a"))).toThrow();
    expect(readdirSync(other.paths.spool.tmp)).toEqual([]);
  });
});

const whole = JSON.stringify(toolEvent("whole"));

describe("what is no event", () => {
  test.each([
    ["nothing", ""],
    ["white space", " \n"],
    ["torn in the middle", whole.slice(0, whole.length / 2)],
    ["all but the last byte", whole.slice(0, -1)],
    ["zeros, as after a power cut", "\0".repeat(512)],
    ["another format", JSON.stringify({ ...toolEvent("x"), v: "1" })],
    ["an unknown kind", JSON.stringify({ ...toolEvent("x"), kind: "dance" })],
    ["no key", JSON.stringify({ ...toolEvent("x"), key: "" })],
    ["a time that is none", JSON.stringify({ ...toolEvent("x"), at: "now" })],
    ["no body", JSON.stringify({ ...toolEvent("x"), body: null })],
    ["a list", "[]"],
    ["null", "null"],
    ["a number", "7"],
    ["nested beyond sense", "[".repeat(200_000)],
  ])("%s is null, never thrown", (_, text) => {
    expect(parseSpoolFile(text)).toBeNull();
  });

  test("a later version's event, and what cannot be read now, stay where they are", () => {
    const spool = newSpool();
    appendEvent(spool, toolEvent("a"));
    const later = join(spool.new, "00000000000000001-000001-1.json");
    writeFileSync(later, JSON.stringify({ ...toolEvent("x"), v: 2, more: [] }));
    mkdirSync(join(spool.new, "00000000000000002-000001-1.json"));
    expect(readAll(spool).entries).toHaveLength(1);
    expect(existsSync(later)).toBe(true);
    expect(existsSync(spool.bad)).toBe(false);
  });

  test("is set aside with its bytes; the others are read in order", () => {
    const spool = newSpool();
    appendEvent(spool, toolEvent("a"));
    writeFileSync(join(spool.new, "00000000000000001-000001-1.json"), "torn {");
    appendEvent(spool, toolEvent("b"));
    writeFileSync(join(spool.new, "not-ours.txt"), "left alone");
    const { entries, bad } = readAll(spool);
    expect(entries.map((entry) => entry.event.body.toolUseId)).toEqual(["a", "b"]);
    expect(bad).toHaveLength(1);
    expect(readFileSync(join(spool.bad, "00000000000000001-000001-1.json"), "utf8")).toBe("torn {");
    expect(listSpool(spool)).toHaveLength(2);
    expect(existsSync(join(spool.new, "not-ours.txt"))).toBe(true);
  });

  test("is kept only so far: garbage does not fill the disk", () => {
    const spool = newSpool();
    mkdirSync(spool.new, { recursive: true });
    for (let at = 0; at < 260; at += 1)
      writeFileSync(join(spool.new, `${String(at).padStart(17, "0")}-g.json`), "x");
    expect(readAll(spool).bad).toHaveLength(260);
    expect(readdirSync(spool.bad)).toHaveLength(200);
    expect(readdirSync(spool.bad)).toContain(`${String(259).padStart(17, "0")}-g.json`);
  });
});

describe("what a killed hook left", () => {
  const leave = (spool: Spool, name: string, content: string, ageMs: number) => {
    mkdirSync(spool.tmp, { recursive: true });
    writeFileSync(join(spool.tmp, name), content);
    const time = new Date(T0 - ageMs);
    utimesSync(join(spool.tmp, name), time, time);
  };

  test.each([
    ["a whole event is taken", whole, 120_000, { rescued: 1, dropped: 0 }, 1],
    ["a half one is dropped", whole.slice(0, 40), 120_000, { rescued: 0, dropped: 1 }, 0],
    ["an empty one is dropped", "", 120_000, { rescued: 0, dropped: 1 }, 0],
    ["a young one is left to its owner", whole, 1_000, { rescued: 0, dropped: 0 }, 0],
  ])("%s", (_, content, age, expected, inSpool) => {
    const spool = newSpool();
    leave(spool, "00000000000000001-000001-1.json", content, age);
    expect(rescueAbandoned(spool, T0)).toEqual(expected);
    expect(listSpool(spool)).toHaveLength(inSpool);
    expect(rescueAbandoned(spool, T0)).toEqual({ rescued: 0, dropped: 0 });
  });

  test("no spool: nothing to do", () => {
    expect(rescueAbandoned(newSpool(), T0)).toEqual({ rescued: 0, dropped: 0 });
  });
});
