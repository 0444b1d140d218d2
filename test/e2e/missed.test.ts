import { Database } from "bun:sqlite";
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type FakeApi, startFakeApi } from "./driver/fake-api.ts";
import { hostSkipReason } from "./driver/host-available.ts";
import { READY, startInteractive } from "./driver/interactive.ts";
import { runPrint } from "./driver/print.ts";
import { marker, type Step } from "./driver/script.ts";
import { cli, type Installed, installedHome, settled } from "./installed.ts";

const skip = hostSkipReason();
const TIMEOUT_MS = 120_000;
const echo = (word: string): Step => ({ tool: "Bash", input: { command: `echo ${word}`, description: "d" } });

/** Prompts and tool calls as `text via` and `tool command via`, those of one session, in order of time. */
function story(home: Installed, sessionId: string): string[] {
  const db = new Database(home.paths.store, { readonly: true });
  try {
    const prompts = db
      .query(
        `select p.created_at as at, p.text || ' (' || p.via || ')' as line from prompts p
         join sessions s on s.id = p.session_row where s.session_id = ?`,
      )
      .all(sessionId) as { at: number; line: string }[];
    const events = db
      .query(
        `select e.created_at as at, e.kind || coalesce(' ' || e.tool, '') || ' (' || e.via || ')' as line from events e
         join sessions s on s.id = e.session_row where s.session_id = ? and e.kind in ('tool', 'tool_failure', 'turn_end')`,
      )
      .all(sessionId) as { at: number; line: string }[];
    return [...prompts, ...events]
      .sort((one, other) => one.at - other.at)
      .map((row) => row.line.replace(/ \{\{script:[\w-]+\}\}/, ""));
  } finally {
    db.close();
  }
}

describe.skipIf(skip !== null)("what the real host's hooks missed", () => {
  let api: FakeApi;
  let home: Installed;

  beforeAll(async () => {
    api = await startFakeApi();
    home = await installedHome(api.url);
    writeFileSync(join(home.projectDir, "notes.txt"), "notes\n");
    mkdirSync(join(home.projectDir, ".claude", "commands"), { recursive: true });
    writeFileSync(
      join(home.projectDir, ".claude", "commands", "greet.md"),
      `Greet $ARGUMENTS ${marker("short")}\n`,
    );
    api.script("child", [echo("in-child"), { text: "The child is done." }]);
    api.script("two", [
      echo("one"),
      {
        tool: "Agent",
        input: {
          description: "look",
          subagent_type: "general-purpose",
          run_in_background: false,
          prompt: `look ${marker("child")}`,
        },
      },
      { text: "Both are there." },
    ]);
    api.script("short", [{ text: "Noted." }]);
    api.script("slow", [
      echo("before"),
      { tool: "Bash", input: { command: "timeout 40 tail -f notes.txt", description: "waits" } },
      { text: "Waited." },
    ]);
  }, TIMEOUT_MS);

  afterAll(async () => {
    await home.dispose();
    await api.stop();
  });

  test(
    "a session with all hooks switched off is found when the next one starts, a subagent's work with it",
    async () => {
      const off = await runPrint(home, {
        prompt: `Unseen ${marker("two")}`,
        args: ["--settings", JSON.stringify({ disableAllHooks: true })],
      });
      const id = String(off.result?.session_id);
      const next = await runPrint(home, { prompt: `Seen ${marker("short")}` });
      await settled(home);
      expect(story(home, id)).toEqual([
        "Unseen (transcript)",
        "tool Bash (transcript)",
        "tool Bash (transcript)",
        "tool Agent (transcript)",
        "turn_end (transcript)",
      ]);
      expect(story(home, String(next.result?.session_id))).toEqual(["Seen (mcp)", "turn_end (mcp)"]);
      const status = await cli(home, ["status"]);
      expect(status).toContain("4 of 4 (4 from the transcript), project");
      expect(status).toContain("1 of 1, project");
    },
    TIMEOUT_MS,
  );

  test(
    "a session that its user kept out stays out when the switch is gone",
    async () => {
      const off = await runPrint(home, { prompt: `Hush ${marker("two")}`, env: { THROUGHLINE_OFF: "1" } });
      await runPrint(home, { prompt: `Later ${marker("short")}` });
      await settled(home);
      expect(story(home, String(off.result?.session_id))).toEqual([]);
    },
    TIMEOUT_MS,
  );

  test(
    "Esc, words typed meanwhile, a command of the user's, and a host that is killed in the middle of a call",
    async () => {
      const session = startInteractive(home);
      await session.waitFor(READY);
      await session.submit(`Wait ${marker("slow")}`);
      await session.waitFor("tail -f");
      await session.press("escape");
      await session.waitFor("Interrupted");
      await session.submit("/greet the world");
      await session.waitFor("Noted.");
      await session.submit(`Again ${marker("slow")}`);
      await session.waitFor(/tail -f[\s\S]*tail -f/);
      await session.submit("and be quick");
      process.kill(session.pid, "SIGKILL");
      await session.exited;
      await runPrint(home, { prompt: `After ${marker("short")}` });
      await settled(home);
      const db = new Database(home.paths.store, { readonly: true });
      const { id } = db
        .query(
          "select s.session_id as id from sessions s join prompts p on p.session_row = s.id where p.text like 'Wait%'",
        )
        .get() as { id: string };
      db.close();
      expect(story(home, id)).toEqual([
        "Wait (mcp)",
        "tool Bash (mcp)",
        "tool_failure Bash (transcript)",
        "/greet the world (mcp)",
        "turn_end (mcp)",
        "Again (mcp)",
        "tool Bash (mcp)",
        "tool_failure Bash (transcript)",
        "and be quick (mcp)",
      ]);
    },
    TIMEOUT_MS,
  );
});
