import { describe, expect, test } from "bun:test";
import {
  appendFileSync,
  chmodSync,
  mkdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { discoverTranscripts } from "../../src/capture/discover.ts";
import { passOver } from "../../src/capture/passed-over.ts";
import { type Reconciled, reconcileDue } from "../../src/capture/reconcile.ts";
import type { SessionEvent } from "../../src/core/event.ts";
import { openLog } from "../../src/env/log.ts";
import { loadSettings } from "../../src/env/settings.ts";
import { recentCaptures } from "../../src/store/captures.ts";
import { ingest } from "../../src/store/ingest.ts";
import { type Db, openStore } from "../../src/store/open.ts";
import { findTranscript, wantTranscript } from "../../src/store/transcripts.ts";
import { eventOf, promptEvent, T0, toolEvent } from "../support/events.ts";
import { type Place, usePlaces } from "../support/temp.ts";
import {
  assistantSays,
  called,
  callOf,
  failureOf,
  linesOf,
  queuedWords,
  resultOf,
  turnEnds,
  userSays,
} from "../support/transcripts.ts";

const newPlace = usePlaces();
const DAY = 86_400_000;
const NOW = T0 + DAY;

type World = {
  place: Place;
  db: Db;
  path: string;
  write: (text: string, path?: string) => void;
  hooks: (...events: SessionEvent[]) => void;
  /** Reads all that is wanted, the named file included. */
  read: (options?: { path?: string; now?: number; env?: Record<string, string> }) => Reconciled[];
  /** `number:prompt` of every turn in order of time, then its events as `kind id`. */
  story: () => string[];
};

function newWorld(sessionId = "s1"): World {
  const place = newPlace("reconcile");
  const db = openStore(place.paths.store, place.paths.backups);
  const path = join(place.home, ".claude", "projects", "-srv-shop", `${sessionId}.jsonl`);
  mkdirSync(dirname(path), { recursive: true });
  const log = openLog({ dir: place.paths.logs, program: "worker", level: "silent" });
  return {
    place,
    db,
    path,
    write: (text, other = path) => appendFileSync(other, text),
    hooks: (...events) => ingest(db, events, { now: NOW, isAlive: () => false }),
    read: ({ path: other = path, now = NOW, env = {} } = {}) => {
      wantTranscript(db, { path: other, host: "claude-code", sessionId }, now);
      const settings = loadSettings(place.paths.settings, env).values;
      const options = { now, isAlive: () => false };
      const slices: Reconciled[] = [];
      for (;;) {
        const slice = reconcileDue({
          db,
          paths: place.paths,
          env: { HOME: place.home, ...env },
          settings,
          log,
          options,
        });
        if (!slice) return slices;
        slices.push(slice);
      }
    },
    story: () => storyOf(db),
  };
}

function storyOf(db: Db): string[] {
  const prompts = db
    .query("select session_row as s, number as n, text from prompts order by created_at, number")
    .all() as { s: number; n: number; text: string }[];
  const events = db
    .query(
      `select session_row as s, prompt_number as n, kind, coalesce(tool_use_id, '') as id, coalesce(agent_id, '') as agent
       from events where kind <> 'session_start' order by created_at, id`,
    )
    .all() as { s: number; n: number; kind: string; id: string; agent: string }[];
  const told = (s: number, n: number) =>
    events
      .filter((event) => event.s === s && event.n === n)
      .map((event) => [event.kind, event.id, event.agent].filter(Boolean).join(" "));
  const turns = prompts.map(({ s, n, text }) => [text, ...told(s, n)].join(" | "));
  const outside = [...new Set(events.map((event) => event.s))].flatMap((s) => told(s, 0));
  return outside.length > 0 ? [`outside | ${outside.join(" | ")}`, ...turns] : turns;
}

const hook = { promptId: "p1", via: "mcp" } as const;

describe("what no hook delivered is taken from the transcript", () => {
  test("everything, for a session that no hook ever saw", () => {
    const world = newWorld();
    world.write(
      linesOf(
        userSays("Make it fast"),
        called("toolu-a"),
        callOf("toolu-b"),
        failureOf("toolu-b", "Exit code 3"),
        assistantSays("It is fast now."),
        turnEnds(),
        userSays("And small", { promptId: "p2" }),
        called("toolu-c", { promptId: "p2" }),
      ),
    );
    world.read();
    expect(world.story()).toEqual([
      "Make it fast | tool toolu-a | tool_failure toolu-b | turn_end",
      "And small | tool toolu-c",
    ]);
    const session = world.db.query("select project_id, branch, root from sessions").get();
    expect(session).toEqual({ project_id: 1, branch: "main", root: "/srv/shop" });
  });

  test("the calls between, in their own turn, and nothing twice", () => {
    const world = newWorld();
    const at = (seconds: number) => ({ ...hook, at: T0 + seconds * 1_000 });
    world.hooks(promptEvent("one", at(0)), toolEvent("toolu-a", at(1)));
    world.hooks(
      promptEvent("two", { ...at(5_000), promptId: "p2" }),
      toolEvent("toolu-c", { ...at(5_001), promptId: "p2" }),
    );
    world.write(
      linesOf(
        userSays("one"),
        called("toolu-a"),
        called("toolu-b"),
        userSays("two", { promptId: "p2" }),
        called("toolu-c", { promptId: "p2" }),
      ),
    );
    const [slice] = world.read();
    expect(slice).toMatchObject({ stored: 1, known: 4 });
    expect(world.story()).toEqual(["one | tool toolu-a | tool toolu-b", "two | tool toolu-c"]);
  });

  test("hooks that come after the transcript was read change nothing but who delivered it", () => {
    const world = newWorld();
    world.write(linesOf(userSays("one"), called("toolu-a"), assistantSays("Done."), turnEnds()));
    world.read();
    world.hooks(
      promptEvent("one", hook),
      toolEvent("toolu-a", hook),
      eventOf("turn_end", { message: "Done.", summarize: true }, { ...hook, at: NOW }),
    );
    expect(world.story()).toEqual(["one | tool toolu-a | turn_end"]);
    expect(world.db.query("select via from events union select via from prompts").all()).toEqual([
      { via: "mcp" },
    ]);
  });

  test("a prompt that was missed gets its calls back, which other prompts had taken in", () => {
    const world = newWorld();
    const second = { promptId: "p2", via: "mcp" } as const;
    world.hooks(promptEvent("one", hook), toolEvent("toolu-a", { ...second, at: T0 + 9_000_000 }));
    expect(world.story()).toEqual(["one | tool toolu-a"]);
    world.write(
      linesOf(userSays("one"), userSays("two", { promptId: "p2" }), called("toolu-a", { promptId: "p2" })),
    );
    world.read();
    expect(world.story()).toEqual(["one", "two | tool toolu-a"]);
  });

  test("hosts without prompt ids: by words and time", () => {
    const world = newWorld();
    const plain = { promptId: undefined };
    const one = userSays("one", plain);
    const at = Date.parse(String(one.timestamp));
    world.hooks(promptEvent("one", { at: at + 700, via: "hook" }));
    world.write(
      linesOf(
        one,
        called("toolu-a", plain),
        userSays("one", { ...plain, timestamp: new Date(at + 60_000).toISOString() }),
      ),
    );
    world.read();
    world.hooks(promptEvent("one", { at: at + 60_400, via: "hook" }));
    expect(world.story()).toEqual(["one | tool toolu-a", "one"]);
  });

  test("Esc: no hook tells of the call, the transcript does; what was said before is no closing word", () => {
    const world = newWorld();
    world.hooks(promptEvent("one", hook));
    world.write(
      linesOf(
        userSays("one"),
        assistantSays("I will wait."),
        callOf("toolu-a"),
        failureOf("toolu-a", "The user doesn't want to proceed with this tool use.", {
          toolDenialKind: "user-rejected",
        }),
        userSays("[Request interrupted by user for tool use]"),
        userSays("two", { promptId: "p2" }),
      ),
    );
    world.read();
    expect(world.story()).toEqual(["one | tool_failure toolu-a", "two"]);
  });

  test("a killed session: the call without a result and the last words are taken once it has ended", () => {
    const world = newWorld();
    world.write(linesOf(userSays("one"), assistantSays("Working on it."), callOf("toolu-a")));
    // Written to a moment ago by a session that may still live.
    const later = Date.now();
    world.read({ now: later });
    expect(world.story()).toEqual(["one"]);
    world.hooks(eventOf("session_end", { reason: "other" }, { at: later }));
    world.read({ now: later });
    expect(world.story()).toEqual(["one | turn_end | tool_failure toolu-a | session_end"]);
  });

  test.each<[string, (world: World) => void]>([
    ["in the transcript", (world) => world.write(linesOf(resultOf("toolu-a")))],
    ["by its hook", (world) => world.hooks(toolEvent("toolu-a", hook))],
  ])("a call whose result comes after an hour of silence, %s, is answered after all", (_, answer) => {
    const world = newWorld();
    world.write(linesOf(userSays("one"), callOf("toolu-a")));
    world.read({ now: Date.now() + 2 * 3_600_000 });
    expect(world.story()).toEqual(["one | tool_failure toolu-a"]);
    answer(world);
    world.read({ now: Date.now() + 3 * 3_600_000 });
    expect(world.story()).toEqual(["one | tool toolu-a"]);
    expect(recentCaptures(world.db, 1)).toMatchObject([{ expected: 2, captured: 2 }]);
  });

  test("a subagent's own file, and its type", () => {
    const world = newWorld();
    const folder = join(dirname(world.path), "s1", "subagents");
    mkdirSync(folder, { recursive: true });
    const inAgent = { isSidechain: true, agentId: "a1" };
    writeFileSync(
      join(folder, "agent-a1.jsonl"),
      linesOf(userSays("look", inAgent), called("toolu-in", inAgent), assistantSays("Found.", inAgent)),
    );
    writeFileSync(join(folder, "agent-a1.meta.json"), JSON.stringify({ agentType: "Explore" }));
    world.write(linesOf(userSays("one"), callOf("toolu-a", "Agent"), resultOf("toolu-a")));
    world.read();
    expect(world.story()).toEqual(["one | tool toolu-in a1 | tool toolu-a"]);
    expect(world.db.query("select agent_type as t from events where agent_id = 'a1'").get()).toEqual({
      t: "Explore",
    });
  });

  test("a subagent's calls that the host reports as progress in the main file", () => {
    const world = newWorld();
    const reported = (message: Record<string, unknown>) => {
      const { sessionId, cwd, gitBranch, timestamp, uuid } = message;
      const data = { type: "agent_progress", agentId: "a1", message };
      return { type: "progress", sessionId, cwd, gitBranch, timestamp, uuid, data };
    };
    world.write(linesOf(userSays("one"), callOf("toolu-a", "Task"), called("toolu-in").map(reported)));
    world.write(
      linesOf(reported(assistantSays("Found.")), resultOf("toolu-a"), assistantSays("Done."), turnEnds()),
    );
    world.read();
    expect(world.story()).toEqual(["one | tool toolu-in a1 | tool toolu-a | turn_end"]);
    expect(world.db.query("select body from events where kind = 'turn_end'").get()).toEqual({
      body: JSON.stringify({ message: "Done.", summarize: true }),
    });
  });

  test("words typed while the turn ran are a prompt, and the turn stays the first one's", () => {
    const world = newWorld();
    world.write(
      linesOf(
        userSays("one"),
        callOf("toolu-a"),
        queuedWords("and quickly"),
        resultOf("toolu-a"),
        called("toolu-b"),
        assistantSays("Yes."),
        turnEnds(),
      ),
    );
    world.read();
    world.hooks(promptEvent("and quickly", { ...hook, at: T0 + 40_000_000 }));
    expect(world.story()).toEqual(["one | tool toolu-a | tool toolu-b | turn_end", "and quickly"]);
  });

  test("a fork's copy of another session's history is not that session again", () => {
    const world = newWorld();
    const records = [userSays("one"), ...called("toolu-of-a-long-id")];
    world.write(linesOf(records));
    world.read();
    const fork = join(dirname(world.path), "s2.jsonl");
    const copies = records.map((record) => ({ ...record, sessionId: "s2", promptId: "p9" }));
    world.write(
      linesOf(
        copies,
        userSays("two", { sessionId: "s2", promptId: "p9" }),
        called("toolu-of-the-fork", { sessionId: "s2", promptId: "p9" }),
      ),
      fork,
    );
    wantTranscript(world.db, { path: fork, host: "claude-code", sessionId: "s2" }, NOW);
    world.read();
    expect(world.story()).toEqual(["one | tool toolu-of-a-long-id", "two | tool toolu-of-the-fork"]);
  });

  test("compaction, local commands, shell lines and a background agent's result are no prompts", () => {
    const world = newWorld();
    world.write(
      linesOf(
        userSays("one"),
        userSays("This session is being continued", { isCompactSummary: true }),
        userSays("<command-name>/clear</command-name>\n<command-message>clear</command-message>"),
        userSays("<local-command-stdout>done</local-command-stdout>"),
        userSays("<bash-input>ls</bash-input>"),
        userSays("Caveat: …", { isMeta: true }),
        userSays("<task-notification>done</task-notification>"),
        userSays(
          "<command-message>review</command-message>\n<command-name>/review</command-name>\n<command-args>the last one</command-args>",
          { promptId: "p2" },
        ),
      ),
    );
    world.read();
    expect(world.story()).toEqual(["one", "/review the last one"]);
    world.hooks(promptEvent("/review  the last one", { promptId: "p2" }));
    expect(world.story()).toEqual(["one", "/review the last one"]);
  });
});

describe("captured and expected", () => {
  test("are counted once each, and who delivered what", () => {
    const world = newWorld();
    world.hooks(promptEvent("one", hook), toolEvent("toolu-a", hook));
    world.write(linesOf(userSays("one"), called("toolu-a"), called("toolu-b"), "{broken"));
    world.read();
    world.read();
    expect(recentCaptures(world.db, 5)).toMatchObject([
      { sessionId: "s1", expected: 3, captured: 3, byHooks: 2, unreadable: 1, hooked: true, project: "shop" },
    ]);
    world.db.run("delete from events where tool_use_id = 'toolu-b'");
    expect(recentCaptures(world.db, 5)).toMatchObject([{ expected: 3, captured: 2 }]);
  });
});

describe("what must not be kept is not kept from the transcript either", () => {
  test("a wholly private turn", () => {
    const world = newWorld();
    world.write(
      linesOf(
        userSays("<private>hush</private>"),
        called("toolu-a"),
        assistantSays("Hushed."),
        turnEnds(),
        userSays("two", { promptId: "p2" }),
        called("toolu-b", { promptId: "p2" }),
      ),
    );
    world.read();
    expect(world.story()).toEqual(["", "two | tool toolu-b"]);
    expect(recentCaptures(world.db, 1)).toMatchObject([{ expected: 2, captured: 2 }]);
  });

  test("a session with the product switched off", () => {
    const world = newWorld();
    passOver(world.place.paths, "s1");
    world.write(linesOf(userSays("one"), called("toolu-a")));
    world.read();
    expect(world.story()).toEqual([]);
    expect(findTranscript(world.db, world.path)?.offset).toBeGreaterThan(0);
  });

  test("an excluded project, skipped tools, our own tools, the host's memory files", () => {
    const world = newWorld();
    world.write(linesOf(userSays("one"), called("toolu-a")));
    world.read({ env: { CLAUDE_MEM_EXCLUDED_PROJECTS: "/srv/shop" } });
    expect(world.story()).toEqual([]);
    const other = newWorld();
    const memory = join(other.place.home, ".claude/projects/-srv-shop/memory/MEMORY.md");
    other.write(
      linesOf(
        userSays("one"),
        callOf("toolu-a", "TodoWrite"),
        resultOf("toolu-a"),
        callOf("toolu-b", "mcp__plugin_throughline_mem__get_observations"),
        resultOf("toolu-b"),
        callOf("toolu-c", "Read", { file_path: memory }),
        resultOf("toolu-c"),
      ),
    );
    other.read();
    expect(other.story()).toEqual(["one"]);
  });

  test("secrets", () => {
    const world = newWorld();
    const secret = ["ghp", "0123456789abcdefghijklmnopqrstuvwxyz"].join("_");
    world.write(
      linesOf(
        userSays(`use ${secret}`),
        callOf("toolu-a", "Bash", { command: `echo ${secret}` }),
        resultOf("toolu-a"),
      ),
    );
    world.read();
    world.db.run("pragma wal_checkpoint(truncate)");
    expect(JSON.stringify(world.db.query("select text from prompts").all())).toContain("[redacted:");
    expect(JSON.stringify(world.db.query("select * from transcripts").all())).not.toContain(secret);
  });
});

describe("reading on", () => {
  test("a line half written is read when it is whole, its call found again where it stands", () => {
    const world = newWorld();
    const text = linesOf(userSays("one"), callOf("toolu-a"), resultOf("toolu-a"), called("toolu-b"));
    for (let cut = 0; cut < text.length; cut += 37) {
      world.write(text.slice(cut, cut + 37));
      world.read({ now: Date.now() });
    }
    world.read({ now: Date.now() });
    expect(world.story()).toEqual(["one | tool toolu-a | tool toolu-b"]);
    expect(recentCaptures(world.db, 1)).toMatchObject([{ expected: 3, captured: 3, unreadable: 0 }]);
  });

  test("the same session in two files is one session", () => {
    const world = newWorld();
    const again = join(world.place.home, ".claude", "projects", "-srv-elsewhere", "s1.jsonl");
    mkdirSync(dirname(again), { recursive: true });
    const first = [userSays("one"), ...called("toolu-a")];
    world.write(linesOf(first));
    world.write(
      linesOf(first, userSays("two", { promptId: "p2" }), called("toolu-b", { promptId: "p2" })),
      again,
    );
    world.read();
    world.read({ path: again });
    expect(world.story()).toEqual(["one | tool toolu-a", "two | tool toolu-b"]);
    expect(recentCaptures(world.db, 1)).toMatchObject([{ expected: 4, captured: 4 }]);
  });

  test.each<[string, (world: World, text: string) => void]>([
    [
      "shrinks",
      (world, text) => {
        truncateSync(world.path, 0);
        world.write(text.slice(0, text.indexOf("\n") + 1));
      },
    ],
    [
      "is replaced",
      (world, text) => {
        writeFileSync(`${world.path}.new`, text);
        renameSync(`${world.path}.new`, world.path);
      },
    ],
  ])("a file that %s is read from its start, and nothing is there twice", (_, change) => {
    const world = newWorld();
    const text = linesOf(userSays("one"), called("toolu-a"));
    world.write(text);
    world.read();
    change(world, text);
    world.write(linesOf(called("toolu-b")));
    world.read();
    expect(world.story()).toEqual(["one | tool toolu-a | tool toolu-b"]);
  });
});

describe("bad transcripts: what can be read is read, the rest is counted, nothing stops", () => {
  const good = () => linesOf(userSays("one"), called("toolu-a"));
  const whole = ["one | tool toolu-a"];

  test.each<[string, (path: string) => void, string[], number]>([
    [
      "cut in the middle of a line",
      (path) => appendFileSync(path, `${good()}{"type":"user","mess`),
      whole,
      0,
    ],
    [
      "broken lines between",
      (path) => appendFileSync(path, `}{\n\n${good()}null\n[1]\n"x"\n{"type":7}\nnot json\n`),
      whole,
      2,
    ],
    [
      "invalid UTF-8",
      (path) => {
        appendFileSync(path, Buffer.from([0xff, 0xfe, 0x0a]));
        appendFileSync(path, good());
        appendFileSync(
          path,
          Buffer.concat([
            Buffer.from('{"type":"user","message":{"content":"'),
            Buffer.from([0xc3, 0x28]),
            Buffer.from('"}}\n'),
          ]),
        );
      },
      [...whole, "\u{fffd}("],
      1,
    ],
    [
      "records of unknown types and versions",
      (path) =>
        appendFileSync(
          path,
          good() +
            linesOf(
              { type: "hologram", version: "99.0.0", message: [] },
              { type: "user", message: 5 },
              { type: "assistant", message: { content: [null, 3, { type: "tool_use" }] } },
              {
                type: "user",
                message: { content: [{ type: "tool_result", tool_use_id: "never-called" }] },
                timestamp: "2026-01-02T00:00:00Z",
              },
              { type: "system", subtype: ["x"] },
              { type: "user", timestamp: "yesterday", message: { content: "undated" } },
            ),
        ),
      [...whole, "undated"],
      0,
    ],
    ["Windows line ends", (path) => appendFileSync(path, good().replaceAll("\n", "\r\n")), whole, 0],
  ])("%s", (_, make, story, unreadable) => {
    const world = newWorld();
    make(world.path);
    world.read({ now: Date.now() });
    expect(world.story()).toEqual(story);
    expect(findTranscript(world.db, world.path)?.unreadable).toBe(unreadable);
  });

  test.each<[string, (path: string) => void]>([
    ["missing", () => undefined],
    ["a directory", (path) => mkdirSync(path)],
    ["a pipe that nobody writes to", (path) => Bun.spawnSync(["mkfifo", path])],
    ["a link to itself", (path) => symlinkSync(path, path)],
  ])("%s", (_, make) => {
    const world = newWorld();
    make(world.path);
    expect(world.read()).toHaveLength(1);
    const row = world.db.query("select error, wanted_at from transcripts").get() as {
      error: string;
      wanted_at: null;
    };
    expect(row.wanted_at).toBeNull();
    expect(row.error).toContain(world.path);
    // It may appear later.
    rmSync(world.path, { recursive: true, force: true });
    world.write(good());
    world.read();
    expect(world.story()).toEqual(whole);
  });

  test("a path that no transcript has: nothing of it is read", () => {
    const world = newWorld();
    const other = join(world.place.home, ".ssh", "id_rsa");
    mkdirSync(dirname(other));
    writeFileSync(other, good());
    world.read({ path: other });
    expect(world.story()).toEqual([]);
  });

  test.skipIf(process.getuid?.() === 0)("unreadable", () => {
    const world = newWorld();
    world.write(good());
    chmodSync(world.path, 0);
    world.read();
    expect(world.story()).toEqual([]);
  });

  test("lines of 20 MB, and one too long to be read", () => {
    const world = newWorld();
    const large = callOf("toolu-big", "Write", {
      file_path: "/srv/shop/big.txt",
      content: "x".repeat(20 * 1024 * 1024),
    });
    world.write(linesOf(userSays("one"), large, resultOf("toolu-big")));
    for (let part = 0; part < 65; part += 1) world.write("y".repeat(1024 * 1024));
    world.write(`\n${linesOf(called("toolu-a"))}`);
    world.read();
    expect(world.story()).toEqual(["one | tool toolu-big | tool toolu-a"]);
    expect(findTranscript(world.db, world.path)?.unreadable).toBe(1);
  });

  test("300 MB are read by slices", () => {
    const world = newWorld();
    const noise = linesOf({ type: "progress", data: "z".repeat(1024 * 1024) });
    world.write(linesOf(userSays("one"), callOf("toolu-a")));
    for (let part = 0; part < 300; part += 1) world.write(noise);
    world.write(linesOf(resultOf("toolu-a")));
    const slices = world.read();
    expect(slices.length).toBeGreaterThan(100);
    expect(world.story()).toEqual(whole);
    rmSync(world.path);
  });
});

test("a record that the store refuses does not hold back the others", () => {
  const world = newWorld();
  world.db.run(
    "create trigger refuse before insert on events when new.tool_use_id = 'toolu-bad' begin select raise(abort, 'no'); end",
  );
  world.write(linesOf(userSays("one"), called("toolu-a"), called("toolu-bad"), called("toolu-b")));
  world.read();
  expect(world.story()).toEqual(["one | tool toolu-a | tool toolu-b"]);
  expect(findTranscript(world.db, world.path)?.unreadable).toBe(1);
});

describe("sessions no hook was there for", () => {
  test("a subagent's file beside the sessions' own, as older hosts put it", () => {
    const world = newWorld();
    const inAgent = { isSidechain: true, agentId: "a1", sessionId: "past", promptId: "p1" };
    const folder = dirname(world.path);
    world.write(linesOf(userSays("one", { sessionId: "past" })), join(folder, "past.jsonl"));
    world.write(linesOf(called("toolu-in", inAgent)), join(folder, "agent-a1.jsonl"));
    world.hooks(eventOf("session_start", { reason: "startup" }, { transcriptPath: world.path }));
    const settings = loadSettings(world.place.paths.settings, {}).values;
    expect(discoverTranscripts(world.db, 1, settings, Date.now())).toBe(2);
    world.read({ now: Date.now() + 1_000 });
    expect(world.story()).toEqual(["one | tool toolu-in a1"]);
  });

  function neighbours(world: World, ages: Record<string, number>): void {
    for (const [id, days] of Object.entries(ages)) {
      const path = join(dirname(world.path), `${id}.jsonl`);
      world.write(linesOf(userSays(`from ${id}`, { sessionId: id, promptId: id })), path);
      const time = (Date.now() - days * DAY) / 1_000;
      utimesSync(path, time, time);
    }
  }

  test("are found beside the one that starts, as far back as the setting says", () => {
    const world = newWorld();
    neighbours(world, { young: 2, old: 29, older: 31 });
    world.hooks(eventOf("session_start", { reason: "startup" }, { transcriptPath: world.path }));
    const settings = loadSettings(world.place.paths.settings, {}).values;
    expect(discoverTranscripts(world.db, 1, settings, Date.now())).toBe(2);
    world.read({ now: Date.now() + 1_000 });
    expect(world.story().sort()).toEqual(["from old", "from young"]);
    expect(discoverTranscripts(world.db, 1, settings, Date.now())).toBe(0);
    expect(discoverTranscripts(world.db, 1, { ...settings, CLAUDE_MEM_TRANSCRIPT_DAYS: 0 }, Date.now())).toBe(
      0,
    );
  });
});
