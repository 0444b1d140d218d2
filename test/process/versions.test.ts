/** Programs of two versions on one data directory. */
import { beforeAll, describe, expect, test } from "bun:test";
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { workersOf } from "../support/processes.ts";
import {
  each,
  payloadFor,
  runHook,
  spawnWorker,
  startWorker,
  statusOf,
  toolPayload,
  until,
  waitForStored,
} from "../support/programs.ts";
import { count } from "../support/store.ts";
import { type Place, usePlaces } from "../support/temp.ts";
import { buildAs } from "../support/versions.ts";

const newPlace = usePlaces();
let older: string;
let newer: string;

beforeAll(async () => {
  const { root } = newPlace("builds");
  [older, newer] = await Promise.all([buildAs("1.0.0", root), buildAs("1.1.0", root)]);
});

/** How many workers have begun to work in this place so far. */
function starts(place: Place): number {
  const logs = readdirSync(place.paths.logs).filter((name) => name.startsWith("worker-"));
  const text = logs.map((name) => readFileSync(join(place.paths.logs, name), "utf8")).join("");
  return text.split('"worker starts"').length - 1;
}

const versionOf = async (place: Place) => (await statusOf(place))?.version ?? null;

describe("PR-03: after an update", () => {
  test("the newer program's hooks bring one restart, and nothing is lost on the way", async () => {
    const place = newPlace("update");
    const first = await startWorker(place, { dist: older });
    expect(await versionOf(place)).toBe("1.0.0");
    await each([...Array(50).keys()], (at) =>
      runHook(place, "PostToolUse", toolPayload(place, `t${at}`), { dist: newer }),
    );
    await until(async () => (await versionOf(place)) === "1.1.0", "the newer one works");
    expect(await first.exited).toBe(0);
    await each([...Array(50).keys()], (at) =>
      runHook(place, "PostToolUse", toolPayload(place, `u${at}`), { dist: at % 2 === 0 ? newer : older }),
    );
    await waitForStored(place);
    expect(count(place, "events")).toBe(100);
    expect([await versionOf(place), starts(place), workersOf(place).length]).toEqual(["1.1.0", 2, 1]);
  });

  test("where the newer worker does not come up, the old one keeps working", async () => {
    const place = newPlace("update");
    const broken = join(place.root, "broken");
    cpSync(newer, broken, { recursive: true });
    for (const name of readdirSync(broken)) if (/^worker\.js\./.test(name)) rmSync(join(broken, name));
    writeFileSync(join(broken, "worker.js"), "process.exit(1);\n");
    const first = await startWorker(place, { dist: older });
    await each([...Array(20).keys()], (at) =>
      runHook(place, "PostToolUse", toolPayload(place, `t${at}`), { dist: broken }),
    );
    await waitForStored(place);
    expect([await versionOf(place), starts(place), count(place, "events")]).toEqual(["1.0.0", 1, 20]);
    expect((await statusOf(place))?.pid).toBe(first.pid);
    await first.stop();
  });

  test("an older worker does not take a newer one's place", async () => {
    const place = newPlace("update");
    const first = await startWorker(place, { dist: newer });
    expect(await spawnWorker(place, { dist: older }).exited).toBe(0);
    expect([await versionOf(place), (await statusOf(place))?.pid]).toEqual(["1.1.0", first.pid]);
    await first.stop();
  });
});

describe("the plugin and its programs", () => {
  test.each([
    ["of two versions", "throughline", "0.9.0", /plugin is version 0\.9\.0 but its programs are 1\.0\.0/],
    ["of one version", "throughline", "1.0.0", /^$/],
    ["another's plugin", "other", "0.9.0", /^$/],
  ])("%s", async (_, name, version, expected) => {
    const place = newPlace("plugin");
    const plugin = join(place.root, "plugin");
    mkdirSync(join(plugin, ".claude-plugin"), { recursive: true });
    writeFileSync(join(plugin, ".claude-plugin", "plugin.json"), JSON.stringify({ name, version }));
    for (const event of ["Setup", "SessionStart"]) {
      const payload = payloadFor(place, event, { source: "startup" });
      const run = await runHook(place, event, payload, { dist: older, env: { CLAUDE_PLUGIN_ROOT: plugin } });
      expect(run.notice).toMatch(expected);
      expect(run.exitCode).toBe(0);
    }
  });
});
