import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { type FakeApi, mainRequests, requestText, startFakeApi } from "./driver/fake-api.ts";
import { hostSkipReason } from "./driver/host-available.ts";
import { runPrint } from "./driver/print.ts";
import { marker } from "./driver/script.ts";
import { type Installed, installedHome, settled } from "./installed.ts";

const skip = hostSkipReason();
const TIMEOUT_MS = 120_000;
const HISTORY = "Earlier work on";

describe.skipIf(skip !== null)("a file's history in the real host", () => {
  let api: FakeApi;
  let home: Installed;

  beforeAll(async () => {
    api = await startFakeApi();
    home = await installedHome(api.url);
    const file = join(home.projectDir, "retry.ts");
    writeFileSync(file, `export const retries = 1;\n${"// a long file\n".repeat(200)}`);
    const read = { tool: "Read", input: { file_path: file } };
    api.script("edit", [
      read,
      {
        tool: "Edit",
        input: {
          file_path: file,
          old_string: "export const retries = 1;",
          new_string: "export const retries = 3;",
        },
      },
      { text: "Three tries now." },
    ]);
    api.script("read", [
      read,
      { tool: "Read", input: { file_path: file, offset: 2, limit: 3 } },
      { text: "Read." },
    ]);
  }, TIMEOUT_MS);

  afterAll(async () => {
    await home.dispose();
    await api.stop();
  });

  test(
    "stands beside the read, once in a session, and asks for no permission",
    async () => {
      const first = await runPrint(home, { prompt: `Raise it ${marker("edit")}` });
      expect(first.stderr).toBe("");
      expect(requestText(mainRequests(api).at(-1) as never)).not.toContain(HISTORY);
      await settled(home);
      const from = api.requests.length;
      const second = await runPrint(home, { prompt: `Look ${marker("read")}` });
      expect(second.result?.result).toBe("Read.");
      const last = mainRequests(api)
        .filter((one) => one.index >= from)
        .at(-1);
      const text = last ? requestText(last) : "";
      expect(text.split(HISTORY)).toHaveLength(2);
      expect(text).toMatch(/Earlier work on .*retry\.ts[\s\S]*#\d+ \d\d:\d\d \w+: .*retr/);
    },
    TIMEOUT_MS,
  );
});
