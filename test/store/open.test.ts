import { Database } from "bun:sqlite";
import { describe, expect, test } from "bun:test";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { ingest } from "../../src/store/ingest.ts";
import { migrate } from "../../src/store/migrate.ts";
import { MIGRATIONS } from "../../src/store/migrations/index.ts";
import { openReadOnly, openStore } from "../../src/store/open.ts";
import { T0, toolEvent } from "../support/events.ts";
import { openToAll, type Place, usePlaces } from "../support/temp.ts";

const newPlace = usePlaces();
const SRC = join(import.meta.dir, "..", "..", "src");

const open = ({ paths }: Place) => openStore(paths.store, paths.backups);

function versionOf(db: Database): number {
  return (db.query("pragma user_version").get() as { user_version: number }).user_version;
}

const codeOf = (work: () => unknown): unknown => {
  try {
    work();
  } catch (error) {
    return (error as { code?: string }).code;
  }
  return null;
};

describe("a fresh store", () => {
  test("has every step, no copy, and is the owner's alone", () => {
    const place = newPlace("store");
    const db = open(place);
    expect(versionOf(db)).toBe(MIGRATIONS.length);
    expect(existsSync(place.paths.backups)).toBe(false);
    ingest(db, [toolEvent("a")], { now: T0, isAlive: () => false });
    for (const name of readdirSync(place.paths.data)) {
      expect({ name, mode: statSync(join(place.paths.data, name)).mode & 0o077 }).toEqual({ name, mode: 0 });
    }
    db.close();
  });

  test("processes that open it in the same moment all can", async () => {
    for (let round = 0; round < 4; round += 1) {
      const place = newPlace("store");
      const script = `
        const { openStore } = await import(${JSON.stringify(join(SRC, "store/open.ts"))});
        while (Date.now() < ${Date.now() + 200});
        const db = openStore(${JSON.stringify(place.paths.store)}, ${JSON.stringify(place.paths.backups)});
        process.stdout.write(String(db.query("pragma user_version").get().user_version));
        db.close();`;
      const openers = Array.from({ length: 4 }, () =>
        Bun.spawn([process.execPath, "-e", script], { stdout: "pipe", stderr: "inherit" }),
      );
      for (const opener of openers) {
        expect(await new Response(opener.stdout).text()).toBe(String(MIGRATIONS.length));
        expect(await opener.exited).toBe(0);
      }
    }
  });

  test("reading where there is none makes none", () => {
    const place = newPlace("store");
    expect(openReadOnly(place.paths.store)).toBeNull();
    expect(existsSync(place.paths.data)).toBe(false);
  });

  test("an empty file is a store not begun", () => {
    const place = newPlace("store");
    mkdirSync(place.paths.data);
    writeFileSync(place.paths.store, "");
    expect(openReadOnly(place.paths.store)).toBeNull();
    const db = open(place);
    expect(versionOf(db)).toBe(MIGRATIONS.length);
    db.close();
  });
});

const STEPS = [
  { name: "one", sql: "create table a (x); insert into a values (1);" },
  { name: "two", sql: "create table b (y); insert into b select x + 1 from a;" },
  {
    name: "three",
    sql: "alter table a add column z default 9; drop table b; create table c as select * from a;",
  },
];

describe("DL-08: migrating", () => {
  const fresh = (steps: number) => {
    const place = newPlace("migrate");
    mkdirSync(place.paths.data);
    const at = { path: place.paths.store, backups: place.paths.backups };
    const db = new Database(at.path);
    migrate(db, STEPS.slice(0, steps), at);
    return { db, at };
  };

  test.each([0, 1, 2])("from version %i to the newest, with a copy of what was there", (from) => {
    const { db, at } = fresh(from);
    migrate(db, STEPS, at);
    expect(versionOf(db)).toBe(3);
    expect(db.query("select * from c").all()).toEqual([{ x: 1, z: 9 }]);
    db.close();
    if (from === 0) return expect(existsSync(at.backups)).toBe(false);
    const copy = join(at.backups, `before-migration-00${from}.db`);
    expect(statSync(copy).mode & 0o777).toBe(0o600);
    const before = new Database(copy, { readonly: true });
    expect(versionOf(before)).toBe(from);
    expect(before.query("select x from a").all()).toEqual([{ x: 1 }]);
    before.close();
  });

  test.each([1, 2])(
    "a step that fails leaves the store at version %i; later it goes on from there",
    (good) => {
      const { db, at } = fresh(1);
      const broken = STEPS.map((step, index) =>
        index === good ? { ...step, sql: `${step.sql} insert into nowhere values (1);` } : step,
      );
      expect(() => migrate(db, broken, at)).toThrow();
      expect(versionOf(db)).toBe(good);
      expect(db.query("select count(*) as n from sqlite_master where name = 'c'").get()).toEqual({ n: 0 });
      migrate(db, STEPS, at);
      expect(db.query("select * from c").all()).toEqual([{ x: 1, z: 9 }]);
      db.close();
    },
  );

  test.each([0, 1, 2])(
    "a process killed in the middle of step %i leaves a store between two steps",
    async (at) => {
      const place = newPlace("killed");
      mkdirSync(place.paths.data);
      const where = JSON.stringify({ path: place.paths.store, backups: place.paths.backups });
      // The step ends in a query that kills its own process: nothing can be closer to a crash.
      const script = `
      const { Database } = await import("bun:sqlite");
      const { migrate } = await import(${JSON.stringify(join(SRC, "store/migrate.ts"))});
      const steps = ${JSON.stringify(STEPS)};
      const db = new Database(${JSON.stringify(place.paths.store)});
      db.run("pragma journal_mode = wal");
      const run = db.run.bind(db);
      db.run = (sql, ...rest) => {
        if (sql === "pragma user_version = ${at + 1}") process.kill(process.pid, "SIGKILL");
        return run(sql, ...rest);
      };
      migrate(db, steps, ${where});`;
      const child = Bun.spawn([process.execPath, "-e", script], { stderr: "pipe" });
      await child.exited;
      expect(child.signalCode).toBe("SIGKILL");
      const db = new Database(place.paths.store);
      expect(versionOf(db)).toBe(at);
      migrate(db, STEPS, { path: place.paths.store, backups: place.paths.backups });
      expect(db.query("select * from c").all()).toEqual([{ x: 1, z: 9 }]);
      expect(db.query("pragma integrity_check").get()).toEqual({ integrity_check: "ok" });
      db.close();
    },
  );

  test("of the copies, the last three are kept", () => {
    const { db, at } = fresh(1);
    const more = [...STEPS, ...[4, 5, 6].map((n) => ({ name: `step${n}`, sql: `create table t${n} (x)` }))];
    for (let to = 2; to <= more.length; to += 1) migrate(db, more.slice(0, to), at);
    db.close();
    expect(readdirSync(at.backups).sort()).toEqual([3, 4, 5].map((n) => `before-migration-00${n}.db`));
  });

  test("a copy that was cut short before is made anew", () => {
    const { db, at } = fresh(1);
    mkdirSync(at.backups);
    writeFileSync(join(at.backups, "before-migration-001.db"), "half a copy");
    migrate(db, STEPS, at);
    db.close();
    const copy = new Database(join(at.backups, "before-migration-001.db"), { readonly: true });
    expect(versionOf(copy)).toBe(1);
    copy.close();
  });

  test("the released first step never changes", () => {
    expect(MIGRATIONS[0]?.name).toBe("main-loop");
  });
});

describe("a store that is not to be touched", () => {
  test("DL-09: a newer one is refused by both doors, and keeps every byte", () => {
    const place = newPlace("newer");
    const db = open(place);
    ingest(db, [toolEvent("a")], { now: T0, isAlive: () => false });
    db.run(`pragma user_version = ${MIGRATIONS.length + 1}`);
    db.close();
    const before = readFileSync(place.paths.store);
    expect(codeOf(() => open(place))).toBe("store_newer");
    expect(codeOf(() => openReadOnly(place.paths.store))).toBe("store_newer");
    expect(() => open(place)).toThrow(/newer Throughline.*untouched/);
    expect(readFileSync(place.paths.store).equals(before)).toBe(true);
  });

  test.each([
    ["text", Buffer.from("this is no database at all\n".repeat(100))],
    ["zeros", Buffer.alloc(8_192)],
  ])("what holds %s is told to be broken, and keeps every byte", (_, bytes) => {
    const place = newPlace("broken");
    mkdirSync(place.paths.data);
    writeFileSync(place.paths.store, bytes);
    expect(codeOf(() => open(place))).toBe("store_broken");
    expect(codeOf(() => openReadOnly(place.paths.store))).toBe("store_broken");
    expect(readFileSync(place.paths.store).equals(bytes)).toBe(true);
  });

  test("a store whose middle is overwritten is told to be broken when that part is read", () => {
    const place = newPlace("broken");
    const db = open(place);
    ingest(
      db,
      Array.from({ length: 200 }, (_, at) => toolEvent(`t${at}`)),
      { now: T0, isAlive: () => false },
    );
    db.run("pragma wal_checkpoint(truncate)");
    db.close();
    const bytes = readFileSync(place.paths.store);
    bytes.fill(0x5a, 4_096, bytes.length - 4_096);
    writeFileSync(place.paths.store, bytes);
    expect(() => {
      const read = openReadOnly(place.paths.store);
      try {
        read?.query("select count(*) from events").all();
        read?.query("pragma quick_check").all().map(String);
        read?.query("select * from events").all();
      } finally {
        read?.close();
      }
    }).toThrow();
  });
});

describe("reading beside a writer, and where nothing can be written", () => {
  test("a reader sees what a writer has committed, while it is open", () => {
    const place = newPlace("reading");
    const writer = open(place);
    ingest(writer, [toolEvent("a")], { now: T0, isAlive: () => false });
    const reader = openReadOnly(place.paths.store);
    expect(reader?.query("select count(*) as n from events").get()).toEqual({ n: 1 });
    ingest(writer, [toolEvent("b")], { now: T0, isAlive: () => false });
    expect(reader?.query("select count(*) as n from events").get()).toEqual({ n: 2 });
    reader?.close();
    writer.close();
  });

  test("a directory that another user may only read can be read", async () => {
    const place = newPlace("read only ?#%41");
    const db = open(place);
    ingest(db, [toolEvent("a")], { now: T0, isAlive: () => false });
    db.run("pragma wal_checkpoint(truncate)");
    db.close();
    openToAll(place);
    chmodSync(place.paths.store, 0o444);
    chmodSync(place.paths.data, 0o555);
    const script = `
      const { openReadOnly } = await import(${JSON.stringify(join(SRC, "store/open.ts"))});
      const db = openReadOnly(${JSON.stringify(place.paths.store)});
      process.stdout.write(JSON.stringify(db.query("select count(*) as n from events").get()));`;
    const asOther = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};
    const child = Bun.spawn([process.execPath, "-e", script], {
      cwd: "/",
      env: { PATH: "/usr/bin:/bin", HOME: "/nonexistent" },
      stdout: "pipe",
      stderr: "pipe",
      ...asOther,
    });
    const [out, err] = await Promise.all([
      new Response(child.stdout).text(),
      new Response(child.stderr).text(),
    ]);
    await child.exited;
    chmodSync(place.paths.data, 0o755);
    expect({ out, err }).toEqual({ out: '{"n":1}', err: "" });
  });
});
