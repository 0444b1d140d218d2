import { describe, expect, test } from "bun:test";
import type { SessionEvent } from "../../src/core/event.ts";
import { turnEvents } from "../../src/store/events.ts";
import { ingest } from "../../src/store/ingest.ts";
import { type Db, openStore } from "../../src/store/open.ts";
import { eventOf, promptEvent, T0, toolEvent } from "../support/events.ts";
import { usePlaces } from "../support/temp.ts";

const newPlace = usePlaces();

function newStore(): Db {
  const { paths } = newPlace("ingest");
  return openStore(paths.store, paths.backups);
}

const nobody = { now: T0, isAlive: () => false };

function keep(db: Db, ...events: SessionEvent[]) {
  return ingest(db, events, nobody);
}

/** `turn:toolUseId` of every tool call, in order. */
function turns(db: Db): string[] {
  const found = db
    .query("select prompt_number as n, body from events where kind = 'tool' order by id")
    .all() as {
    n: number;
    body: string;
  }[];
  return found.map(({ n, body }) => `${n}:${JSON.parse(body).toolUseId}`);
}

function session(db: Db, id = "s1"): { ended_at: number | null; end_reason: string | null } | null {
  return db.query("select ended_at, end_reason from sessions where session_id = ?").get(id) as {
    ended_at: number | null;
    end_reason: string | null;
  } | null;
}

function jobs(db: Db): string[] {
  const found = db.query("select prompt_number as n, run_at as at from jobs order by n").all() as {
    n: number;
    at: number;
  }[];
  return found.map(({ n, at }) => `${n}:${at - T0}`);
}

describe("once and only once", () => {
  test("a batch again adds nothing", () => {
    const db = newStore();
    const batch = [eventOf("session_start", { reason: "startup" }), promptEvent("do it"), toolEvent("a")];
    expect(keep(db, ...batch)).toEqual({ stored: 3, known: 0, private: 0 });
    expect(keep(db, ...batch, ...batch)).toEqual({ stored: 0, known: 6, private: 0 });
    expect(db.query("select count(*) as n from events").get()).toEqual({ n: 2 });
    expect(db.query("select count(*) as n from prompts").get()).toEqual({ n: 1 });
  });

  test("the same call through two doors is one", () => {
    const db = newStore();
    keep(db, toolEvent("a", { via: "hook" }), toolEvent("a", { via: "mcp", at: T0 + 50 }));
    expect(turns(db)).toEqual(["0:a"]);
  });

  test("the same ids in another session are another call", () => {
    const db = newStore();
    keep(db, toolEvent("a"), toolEvent("a", { sessionId: "s2" }));
    expect(turns(db)).toHaveLength(2);
  });

  test("a batch with one event the store cannot hold is not stored in part", () => {
    const db = newStore();
    const bad = { ...toolEvent("b"), at: "never" as unknown as number, project: "x" as unknown as null };
    expect(() => keep(db, toolEvent("a"), bad)).toThrow();
    expect(turns(db)).toEqual([]);
  });

  test("long bodies come back as they were", () => {
    const db = newStore();
    const long = "wide 李 \0 \u2028 \ud83d\ude00 ".repeat(2_000);
    keep(db, eventOf("tool", { tool: "Read", toolUseId: "l", response: { long } }));
    expect(turnEvents(db, 1, 0)[0]?.body.response).toEqual({ long });
  });
});

describe("which turn an event belongs to", () => {
  test("without the host's prompt id: the newest turn", () => {
    const db = newStore();
    keep(db, toolEvent("before"), promptEvent("one"), toolEvent("a"), promptEvent("two"), toolEvent("b"));
    expect(turns(db)).toEqual(["0:before", "1:a", "2:b"]);
  });

  test("with it: its own turn, also when it comes late", () => {
    const db = newStore();
    keep(db, promptEvent("one", { promptId: "p1" }), promptEvent("two", { promptId: "p2" }));
    keep(db, toolEvent("b", { promptId: "p2" }), toolEvent("late", { promptId: "p1" }));
    expect(turns(db)).toEqual(["2:b", "1:late"]);
  });

  test("an event that overtook its prompt moves to it, and both turns are compressed again", () => {
    const db = newStore();
    keep(db, promptEvent("one", { promptId: "p1" }), toolEvent("early", { promptId: "p2" }));
    expect(turns(db)).toEqual(["1:early"]);
    keep(db, promptEvent("two", { promptId: "p2" }));
    expect(turns(db)).toEqual(["2:early"]);
    expect(jobs(db).map((job) => job.split(":")[0])).toEqual(["1", "2"]);
  });

  test("an event before the very first prompt moves to it as well", () => {
    const db = newStore();
    keep(db, toolEvent("early", { promptId: "p1" }), promptEvent("one", { promptId: "p1" }));
    expect(turns(db)).toEqual(["1:early"]);
  });
});

describe("private turns", () => {
  const secret = eventOf("prompt", { prompt: "", private: true }, { promptId: "p1" });

  test("nothing of it is kept, whichever comes first", () => {
    const after = newStore();
    expect(keep(after, secret, toolEvent("a", { promptId: "p1" }))).toEqual({
      stored: 0,
      known: 0,
      private: 2,
    });
    const before = newStore();
    keep(before, toolEvent("a", { promptId: "p1" }), secret);
    for (const db of [after, before]) {
      expect(turns(db)).toEqual([]);
      expect(db.query("select text, private from prompts").all()).toEqual([{ text: "", private: 1 }]);
    }
  });

  test("its end and its compaction are not kept, the session's end is", () => {
    const db = newStore();
    keep(
      db,
      secret,
      eventOf("turn_end", { message: "done", summarize: true }, { promptId: "p1" }),
      eventOf("compact_end", { message: "what was said" }, { promptId: "p1" }),
      eventOf("session_end", { reason: "other" }, { promptId: "p1" }),
    );
    expect(db.query("select kind from events").all()).toEqual([{ kind: "session_end" }]);
  });

  test("the next turn is kept again, also an event of it that overtakes its prompt", () => {
    const db = newStore();
    keep(db, secret, toolEvent("early", { promptId: "p2" }), promptEvent("two", { promptId: "p2" }));
    keep(db, toolEvent("b", { promptId: "p2" }), toolEvent("hidden", { promptId: "p1" }));
    expect(turns(db)).toEqual(["2:early", "2:b"]);
  });

  test("without prompt ids it lasts until the next prompt", () => {
    const db = newStore();
    keep(db, eventOf("prompt", { prompt: "", private: true }), toolEvent("hidden"));
    keep(db, promptEvent("open"), toolEvent("shown"));
    expect(turns(db)).toEqual(["2:shown"]);
  });
});

describe("a session's end", () => {
  const end = (at: number, reason = "other") => eventOf("session_end", { reason }, { at: T0 + at });

  test.each<[string, SessionEvent[], number | null]>([
    ["ends it", [toolEvent("a"), end(100)], 100],
    ["before a late event of earlier time: stays ended", [end(100), toolEvent("a", { at: T0 + 50 })], 100],
    ["before a tool call that comes in late: stays ended", [end(100), toolEvent("a", { at: T0 + 200 })], 100],
    ["after such a call: the same", [toolEvent("a", { at: T0 + 200 }), end(100)], 100],
    ["before a prompt of later time: open again", [end(100), promptEvent("more", { at: T0 + 200 })], null],
    ["after a prompt of later time: the same", [promptEvent("more", { at: T0 + 200 }), end(100)], null],
    [
      "delivered twice around a resumption",
      [end(100), promptEvent("more", { at: T0 + 200 }), end(100)],
      null,
    ],
    [
      "and again after a resumption",
      [end(100), promptEvent("more", { at: T0 + 20_000 }), end(30_000)],
      30_000,
    ],
    ["two ends in the wrong order: the later one", [end(30_000), end(100)], 30_000],
  ])("%s", (_, events, ended) => {
    const db = newStore();
    keep(db, ...events);
    expect(session(db)?.ended_at ?? null).toBe(ended === null ? null : T0 + ended);
  });

  test("DL-03: an event of a session that has ended is stored and found in its turn", () => {
    const db = newStore();
    keep(db, promptEvent("one"), end(100));
    keep(db, toolEvent("late", { at: T0 + 90 }));
    expect(turns(db)).toEqual(["1:late"]);
  });
});

describe("sessions that nobody ended", () => {
  const start = (id: string, more: Partial<SessionEvent> = {}, reason = "startup") =>
    eventOf("session_start", { reason }, { sessionId: id, at: T0 + 1_000, ...more });
  const alive = { now: T0, isAlive: (pid: number) => pid === 10 || pid === 11 };
  const other = { key: "/srv/other", name: "other", worktree: null, root: "/srv/other" };

  test.each<[string, Partial<SessionEvent>, SessionEvent, boolean]>([
    ["its process is gone", { hostPid: 99 }, start("s2", { hostPid: 10 }), true],
    ["its process lives", { hostPid: 10 }, start("s2", { hostPid: 11 }), false],
    ["the same process starts the next", { hostPid: 10 }, start("s2", { hostPid: 10 }), true],
    ["cleared", { hostPid: 10 }, start("s2", { hostPid: 10 }, "clear"), true],
    ["nothing is known of its process", {}, start("s2"), true],
    ["the new one only resumes", { hostPid: 99 }, start("s2", {}, "resume"), false],
    ["another project's start", { hostPid: 99 }, start("s2", { project: other }), false],
    ["a start outside projects", { hostPid: 99 }, start("s2", { project: null }), false],
    ["it went on after that start", { hostPid: 99, at: T0 + 2_000 }, start("s2"), false],
    ["its own start", { hostPid: 99 }, start("s1"), false],
  ])("%s", (_, first, second, ends) => {
    const db = newStore();
    ingest(db, [toolEvent("a", first), second], alive);
    expect(session(db, "s1")?.end_reason ?? null).toBe(ends ? "abandoned" : null);
  });

  test("what it left is compressed at once", () => {
    const db = newStore();
    keep(db, promptEvent("one"), toolEvent("a"), start("s2"));
    expect(jobs(db)).toContain("1:0");
  });
});

describe("when a turn is compressed", () => {
  test.each<[string, SessionEvent[], string[]]>([
    ["under way: when it has settled", [promptEvent("one"), toolEvent("a")], ["1:15000"]],
    ["at its end: at once", [promptEvent("one"), eventOf("turn_end", { message: "x" })], ["1:0"]],
    ["before a compaction: at once", [promptEvent("one"), eventOf("compact_start")], ["1:0"]],
    ["at the session's end: at once", [promptEvent("one"), eventOf("session_end")], ["1:0"]],
    ["the next prompt closes it", [promptEvent("one"), promptEvent("two")], ["1:0", "2:15000"]],
    ["a start alone asks for nothing", [eventOf("session_start", { reason: "startup" })], []],
  ])("%s", (_, events, expected) => {
    const db = newStore();
    keep(db, ...events);
    expect(jobs(db)).toEqual(expected);
  });
});

describe("shown names of projects", () => {
  const at = (key: string) => {
    const name = key.startsWith("name:") ? key.slice(5) : (key.split("/").at(-1) ?? "");
    return toolEvent(key, { sessionId: key, project: { key, name, worktree: null, root: key } });
  };
  test.each<[string, string[], string[]]>([
    ["one is called by its directory", ["/w/a/api"], ["api"]],
    ["two alike are told apart by their parents", ["/w/a/api", "/w/b/api"], ["a/api", "b/api"]],
    ["three", ["/w/a/api", "/w/b/api", "/w/c/api"], ["a/api", "b/api", "c/api"]],
    ["parents that are alike too", ["/w/a/api", "/v/a/api"], ["a/api", "v/a/api"]],
    ["a name the user gave stays", ["name:api", "/w/a/api"], ["api", "a/api"]],
    ["a name the user gave, alone", ["name:api"], ["api"]],
  ])("%s", (_, keys, names) => {
    const db = newStore();
    keep(db, ...keys.map(at));
    expect(db.query("select name from projects order by id").all()).toEqual(names.map((name) => ({ name })));
  });
});
