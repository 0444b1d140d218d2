import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { type FakeApi, mainRequests, requestText, startFakeApi } from "./driver/fake-api.ts";
import { hostSkipReason } from "./driver/host-available.ts";
import { runPrint } from "./driver/print.ts";
import { marker } from "./driver/script.ts";
import { cli, type Installed, installedHome, settled } from "./installed.ts";

const skip = hostSkipReason();
const TIMEOUT_MS = 120_000;
const TOOL = "mcp__plugin_throughline_mem__";
const TOLD = "Notes from earlier sessions that may bear on this prompt";

describe.skipIf(skip !== null)("recall in the real host", () => {
  let api: FakeApi;
  let home: Installed;

  beforeAll(async () => {
    api = await startFakeApi();
    home = await installedHome(api.url);
    const file = join(home.projectDir, "round-totals.ts");
    writeFileSync(file, "export const roundTotals = 1;\n");
    api.script("edit", [
      { tool: "Read", input: { file_path: file } },
      {
        tool: "Edit",
        input: {
          file_path: file,
          old_string: "export const roundTotals = 1;",
          new_string: "export function roundTotals(sum: number) {\n  return Math.round(sum);\n}",
        },
      },
      { text: "roundTotals is a function now." },
    ]);
    api.script("ask", [
      { tool: "ToolSearch", input: { query: `select:${TOOL}search,${TOOL}timeline,${TOOL}remember` } },
      { tool: `${TOOL}search`, input: { query: "round totals" } },
      { tool: `${TOOL}timeline`, input: { query: "round totals" } },
      { tool: `${TOOL}remember`, input: { text: "Totals are kept in cents.", pinned: true } },
      { text: "Found." },
    ]);
    api.script("short", [{ text: "Noted." }]);
    await runPrint(home, { prompt: `Make it a function ${marker("edit")}` });
    await settled(home);
  }, TIMEOUT_MS);

  afterAll(async () => {
    await home.dispose();
    await api.stop();
  });

  const textsFrom = (from: number) =>
    mainRequests(api)
      .filter((one) => one.index >= from)
      .map(requestText);

  test(
    "a prompt that names the same code is told, another is not",
    async () => {
      const from = api.requests.length;
      await runPrint(home, { prompt: `Let roundTotals take the currency into account ${marker("short")}` });
      expect(textsFrom(from).at(-1)).toMatch(new RegExp(`${TOLD}[\\s\\S]*roundTotals`));
      const then = api.requests.length;
      await runPrint(home, { prompt: `What is two plus two in the decimal system? ${marker("short")}` });
      expect(textsFrom(then).at(-1)).not.toContain(TOLD);
    },
    TIMEOUT_MS,
  );

  test(
    "the model searches, looks around and remembers",
    async () => {
      const from = api.requests.length;
      const run = await runPrint(home, { prompt: `Ask ${marker("ask")}` });
      expect(run.result?.result).toBe("Found.");
      const last = textsFrom(from).at(-1) ?? "";
      expect(last).toMatch(/- #\d+ \w+ \d{4}-\d\d-\d\d: .*roundTotals/);
      expect(last).toMatch(/→ \d{4}-\d\d-\d\d \d\d:\d\d #\d+ \w+: /);
      expect(last).toContain("Remembered as #");
      expect(await cli(home, ["search", "--all", "totals kept in cents"])).toContain(
        "Totals are kept in cents.",
      );
    },
    TIMEOUT_MS,
  );
});
