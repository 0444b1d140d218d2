import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type FakeApi, mainRequests, requestText, startFakeApi, toolTurnLatencies } from "./fake-api.ts";
import { createHostHome, type HostHome } from "./host.ts";
import { hostSkipReason } from "./host-available.ts";
import { READY, startInteractive } from "./interactive.ts";
import { runPrint } from "./print.ts";
import { type RecorderPlugin, recordedPayloads, writeRecorderPlugin } from "./recorder-plugin.ts";
import { marker } from "./script.ts";
import { processesOfHome } from "./strays.ts";
import { waitUntil } from "./wait-until.ts";

const skipReason = hostSkipReason();
if (skipReason) console.warn(skipReason);

const TIMEOUT_MS = 120_000;
const CONTEXT = "NOTE-FROM-THE-START-HOOK";
const EVENTS = [
  "SessionStart",
  "UserPromptSubmit",
  "PostToolUse",
  "PostToolUseFailure",
  "SubagentStop",
  "Stop",
];

function scriptFullTurn(api: FakeApi, projectDir: string): void {
  const file = join(projectDir, "notes.txt");
  writeFileSync(file, "hello file\n");
  api.script("child", [
    { tool: "Bash", input: { command: "echo in-the-child", description: "greet" } },
    { text: "child answer" },
  ]);
  api.script("full", [
    { say: "reading", tool: "Read", input: { file_path: file } },
    { tool: "Read", input: { file_path: join(projectDir, "absent.txt") } },
    { tool: "Edit", input: { file_path: file, old_string: "hello", new_string: "HELLO" } },
    { tool: "Bash", input: { command: "echo from-bash", description: "greet" } },
    {
      tool: "Agent",
      input: {
        description: "child task",
        subagent_type: "general-purpose",
        run_in_background: false,
        prompt: `work ${marker("child")}`,
      },
    },
    { text: "final words" },
  ]);
}

describe.skipIf(skipReason !== null)("driver of the real host", () => {
  let api: FakeApi;
  let home: HostHome;
  let plugin: RecorderPlugin;

  beforeAll(async () => {
    api = await startFakeApi();
    home = createHostHome({ apiUrl: api.url });
    plugin = writeRecorderPlugin(join(home.root, "recorder"), { events: EVENTS, startContext: CONTEXT });
  });

  afterAll(async () => {
    await home.dispose();
    await api.stop();
    expect(processesOfHome(home.homeDir)).toEqual([]);
    expect(existsSync(home.root)).toBe(false);
  });

  test(
    "a headless turn with tools, a failure and a subagent follows its script, and resumes",
    async () => {
      scriptFullTurn(api, home.projectDir);
      const run = await runPrint(home, { prompt: `go ${marker("full")}`, pluginDir: plugin.dir });
      expect(run.stderr).toBe("");
      expect(run.exitCode).toBe(0);
      expect(run.result?.result).toBe("final words");
      expect(readFileSync(join(home.projectDir, "notes.txt"), "utf8")).toBe("HELLO file\n");

      const main = mainRequests(api);
      expect(main).toHaveLength(6);
      const [first, second] = main;
      const last = main.at(-1);
      if (!first || !second || !last) throw new Error("requests expected");
      expect(requestText(first)).toContain(CONTEXT);
      expect(requestText(second)).toContain("hello file");
      expect(requestText(last)).toContain("child answer");
      expect(api.requests.filter((request) => request.kind === "subagent")).toHaveLength(2);
      expect(toolTurnLatencies(api)).toHaveLength(5);
      expect(toolTurnLatencies(api).every((ms) => ms > 0)).toBe(true);
      expect(recordedPayloads(plugin, "PostToolUseFailure")).toHaveLength(1);
      expect(recordedPayloads(plugin, "SessionStart").map((payload) => payload.source)).toEqual(["startup"]);

      const id = String(run.result?.session_id);
      api.script("again", [{ text: "welcome back" }]);
      const resumed = await runPrint(home, {
        prompt: `more ${marker("again")}`,
        pluginDir: plugin.dir,
        args: ["--resume", id],
      });
      expect(resumed.result?.result).toBe("welcome back");
      const start = recordedPayloads(plugin, "SessionStart").at(-1);
      expect(start).toMatchObject({ source: "resume", session_id: id });
    },
    TIMEOUT_MS,
  );

  test(
    "an interactive session answers on screen; /compact and /clear start it anew",
    async () => {
      api.script("chat", [{ text: "ANSWER-ON-SCREEN" }]);
      const session = startInteractive(home, { pluginDir: plugin.dir });
      await session.waitFor(READY);
      const stops = recordedPayloads(plugin, "Stop").length;
      await session.submit(`talk ${marker("chat")}`);
      await session.waitFor("ANSWER-ON-SCREEN");
      const started = (source: string) =>
        waitUntil(
          () => recordedPayloads(plugin, "SessionStart").find((payload) => payload.source === source),
          `SessionStart from ${source}`,
        );
      await waitUntil(() => recordedPayloads(plugin, "Stop")[stops], "the turn's Stop");
      await session.submit("/compact");
      const compacted = await started("compact");
      await session.waitFor("Compacted");
      await session.submit("/clear");
      const cleared = await started("clear");
      expect(cleared.session_id).not.toBe(compacted.session_id);
      expect(api.requests.some((request) => request.kind === "compaction")).toBe(true);
      await session.press("ctrl-d");
      await session.stop();
      expect(processesOfHome(home.homeDir)).toEqual([]);
    },
    TIMEOUT_MS,
  );

  test(
    "high usage makes the host compact by itself, an API error reaches the result",
    async () => {
      api.script("long", [
        {
          tool: "Bash",
          input: { command: "echo one", description: "d" },
          usage: { input_tokens: 990_000 },
        },
        { text: "after" },
      ]);
      const before = api.requests.length;
      const run = await runPrint(home, { prompt: `grow ${marker("long")}`, pluginDir: plugin.dir });
      expect(run.exitCode).toBe(0);
      expect(api.requests.slice(before).map((request) => request.kind)).toContain("compaction");

      const error = { type: "invalid_request_error", message: "made-up refusal" };
      api.script("refused", [{ status: 400, error }]);
      const refused = await runPrint(home, { prompt: `try ${marker("refused")}` });
      expect(refused.result?.is_error).toBe(true);
      expect(refused.result?.result).toContain("made-up refusal");
    },
    TIMEOUT_MS,
  );

  test(
    "a run that takes too long is killed",
    async () => {
      api.script("slow", [{ text: "late", delayMs: 20_000 }]);
      const run = await runPrint(home, { prompt: `wait ${marker("slow")}`, timeoutMs: 3_000 });
      expect(run.timedOut).toBe(true);
      expect(run.result).toBeNull();
      expect(processesOfHome(home.homeDir)).toEqual([]);
    },
    TIMEOUT_MS,
  );
});
