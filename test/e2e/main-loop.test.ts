import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type FakeApi, mainRequests, requestText, startFakeApi } from "./driver/fake-api.ts";
import { hostSkipReason } from "./driver/host-available.ts";
import { startInteractive } from "./driver/interactive.ts";
import { runPrint } from "./driver/print.ts";
import { marker } from "./driver/script.ts";
import { waitUntil } from "./driver/wait-until.ts";
import { cli, type Installed, installedHome, settled, storedEvents, tally } from "./installed.ts";

const skip = hostSkipReason();
if (skip) console.log(skip);
const TIMEOUT_MS = 120_000;
const OPEN = "<throughline-context>";

/** What the model of this run was told by us at the start, or "". */
function toldIn(api: FakeApi, from: number): string {
  const request = mainRequests(api).find((one) => one.index >= from);
  const text = request ? requestText(request) : "";
  const start = text.lastIndexOf(OPEN);
  return start < 0 ? "" : text.slice(start, text.indexOf("</throughline-context>", start));
}

function scriptWork(api: FakeApi, project: string): void {
  api.script("child", [
    { tool: "Bash", input: { command: "echo in-child", description: "s" } },
    { text: "The child found that retries are capped at three." },
  ]);
  api.script("work", [
    { say: "reading", tool: "Read", input: { file_path: join(project, "retry.ts") } },
    { tool: "Read", input: { file_path: join(project, "missing.ts") } },
    {
      tool: "Edit",
      input: {
        file_path: join(project, "retry.ts"),
        old_string: "export const retries = 1;",
        new_string: "export function withRetry(times: number) {\n  return times;\n}",
      },
    },
    { tool: "Bash", input: { command: "echo 'Tests  2 passed (2)'", description: "run the tests" } },
    { tool: "Bash", input: { command: "exit 3", description: "fails" } },
    {
      tool: "Agent",
      input: {
        description: "look at the retry limits",
        subagent_type: "general-purpose",
        run_in_background: false,
        prompt: `look ${marker("child")}`,
      },
    },
    { text: "withRetry now takes the number of tries. The root cause was that the constant was never read." },
  ]);
}

describe.skipIf(skip !== null)("the main loop in the real host", () => {
  let api: FakeApi;
  let home: Installed;

  beforeAll(async () => {
    api = await startFakeApi();
    home = await installedHome(api.url);
    writeFileSync(join(home.projectDir, "retry.ts"), "export const retries = 1;\n");
    scriptWork(api, home.projectDir);
    api.script("short", [{ text: "Noted." }]);
  }, TIMEOUT_MS);

  afterAll(async () => {
    await home.dispose();
    await api.stop();
  });

  test(
    "a session is captured whole, and the next one is told what it did",
    async () => {
      const first = await runPrint(home, { prompt: `Make the retries configurable ${marker("work")}` });
      expect(first.stderr).toBe("");
      expect(first.result?.result).toContain("withRetry now takes");
      expect(toldIn(api, 0)).toContain("memory of project from this session on");
      await settled(home);
      expect(tally(storedEvents(home))).toMatchObject({
        session_start: 1,
        "tool Read": 1,
        "tool_failure Read": 1,
        "tool Edit": 1,
        "tool Bash": 2,
        "tool_failure Bash": 1,
        "tool Agent": 1,
        subagent_end: 1,
        turn_end: 1,
        session_end: 1,
      });

      const before = api.requests.length;
      await runPrint(home, { prompt: `And now? ${marker("short")}` });
      const told = toldIn(api, before);
      expect(told).toContain("retry.ts");
      expect(told).toContain("withRetry");
      expect(told).toContain("Make the retries configurable");
      expect(told.length).toBeLessThan(9_500);

      const resumed = api.requests.length;
      await runPrint(home, {
        prompt: `More ${marker("short")}`,
        args: ["--resume", String(first.result?.session_id)],
      });
      // The transcript holds the first session's own telling; nothing new is added to it.
      expect(toldIn(api, resumed)).toContain("nothing earlier is known");
    },
    TIMEOUT_MS,
  );

  test(
    "in a terminal: compact and clear are told again, in less",
    async () => {
      const session = startInteractive(home);
      await session.waitFor("bypass permissions on");
      const start = api.requests.length;
      await session.submit(`Talk ${marker("short")}`);
      await session.waitFor("Noted.");
      expect(toldIn(api, start)).toContain("retry.ts");
      await session.submit("/compact");
      await session.waitFor("Compacted");
      const compacted = api.requests.length;
      await session.submit(`Go on ${marker("short")}`);
      await waitUntil(() => toldIn(api, compacted) || null, "the telling after /compact");
      expect(toldIn(api, compacted)).toContain("retry.ts");
      await session.submit("/clear");
      const cleared = api.requests.length;
      await session.submit(`Anew ${marker("short")}`);
      await waitUntil(() => toldIn(api, cleared) || null, "the telling after /clear");
      expect(toldIn(api, cleared)).toContain("retry.ts");
      expect(toldIn(api, cleared).length).toBeLessThan(4_000);
      expect(session.screen()).not.toMatch(/hook (failed|error)/i);
      await session.press("ctrl-d");
      await session.stop();
      await settled(home);
      const counts = tally(storedEvents(home));
      expect(counts.compact_start).toBe(1);
      expect(counts.compact_end).toBe(1);
    },
    TIMEOUT_MS,
  );

  test(
    "the worker is killed in the middle: nothing is lost, nothing doubled",
    async () => {
      const earlier = storedEvents(home).length;
      const kill = { command: `kill -9 $(cat '${home.paths.pid}')`, description: "k" };
      const echo = (word: string) => ({ tool: "Bash", input: { command: `echo ${word}`, description: "d" } });
      api.script("killing", [
        echo("one"),
        { tool: "Bash", input: kill },
        echo("two"),
        echo("three"),
        { text: "Survived." },
      ]);
      const run = await runPrint(home, { prompt: `Try ${marker("killing")}` });
      expect(run.stderr).toBe("");
      expect(run.result?.result).toBe("Survived.");
      await settled(home);
      const events = storedEvents(home).slice(earlier);
      expect(tally(events)).toMatchObject({ session_start: 1, "tool Bash": 4, turn_end: 1, session_end: 1 });
      expect(new Set(events.map((event) => event.key)).size).toBe(events.length);
    },
    TIMEOUT_MS,
  );

  test(
    "uninstall leaves the host as it was and keeps the memory",
    async () => {
      await cli(home, ["uninstall"]);
      expect(existsSync(home.paths.store)).toBe(true);
      const before = api.requests.length;
      await runPrint(home, { prompt: `Still there? ${marker("short")}` });
      expect(toldIn(api, before)).toBe("");
    },
    TIMEOUT_MS,
  );
});
