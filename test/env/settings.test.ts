import { describe, expect, test } from "bun:test";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { loadSettings, parseSetting, SETTINGS, type SettingName } from "../../src/env/settings.ts";
import { usePlaces } from "../support/temp.ts";

const newPlace = usePlaces();

function fileWith(content: string | Uint8Array): string {
  const file = join(newPlace("settings").root, "settings.json");
  writeFileSync(file, content);
  return file;
}

const defaults = Object.fromEntries(Object.entries(SETTINGS).map(([name, spec]) => [name, spec.default]));

describe("where a value comes from", () => {
  test.each([
    ["no file, no environment", "{}", {}, 37_777],
    ["the file over the default", '{"CLAUDE_MEM_WORKER_PORT": 4000}', {}, 4_000],
    ["a number as text", '{"CLAUDE_MEM_WORKER_PORT": "4000"}', {}, 4_000],
    [
      "the environment over the file",
      '{"CLAUDE_MEM_WORKER_PORT": 4000}',
      { CLAUDE_MEM_WORKER_PORT: "5000" },
      5_000,
    ],
    [
      "an empty variable says nothing",
      '{"CLAUDE_MEM_WORKER_PORT": 4000}',
      { CLAUDE_MEM_WORKER_PORT: "" },
      4_000,
    ],
    [
      "a wrong variable leaves the file's",
      '{"CLAUDE_MEM_WORKER_PORT": 4000}',
      { CLAUDE_MEM_WORKER_PORT: "x" },
      4_000,
    ],
    ["null in the file says nothing", '{"CLAUDE_MEM_WORKER_PORT": null}', {}, 37_777],
    ["a byte order mark is passed over", '\uFEFF{"CLAUDE_MEM_WORKER_PORT": 4000}', {}, 4_000],
  ])("%s", (_, content, env, port) => {
    expect(loadSettings(fileWith(content), env).values.CLAUDE_MEM_WORKER_PORT).toBe(port);
  });

  test("a missing file gives the defaults without a word", () => {
    const loaded = loadSettings(join(newPlace().root, "none.json"), {});
    expect(loaded).toEqual({
      values: defaults as typeof loaded.values,
      problems: [],
      unknown: [],
      broken: false,
    });
  });
});

describe("a broken file", () => {
  test.each([
    ["half", '{"CLAUDE_MEM_WORKER_PORT": 40'],
    ["empty", ""],
    ["a list", "[1]"],
    ["null", "null"],
    ["a text", '"x"'],
    ["no UTF-8", Buffer.from([0xff, 0xfe, 0x00])],
  ])("%s: the defaults, one sentence, every byte kept", (_, content) => {
    const file = fileWith(content);
    const before = readFileSync(file);
    const loaded = loadSettings(file, {});
    expect(loaded.values).toEqual(defaults as typeof loaded.values);
    expect(loaded.broken).toBe(true);
    expect(loaded.problems).toHaveLength(1);
    expect(readFileSync(file)).toEqual(before);
  });

  test("a directory in its place is told, not thrown", () => {
    const dir = join(newPlace().root, "settings.json");
    mkdirSync(dir);
    expect(loadSettings(dir, {}).problems).toHaveLength(1);
  });
});

test("unknown names of ours are listed; other names are nobody's business", () => {
  const file = fileWith('{"CLAUDE_MEM_FUTURE": 1, "OTHER": 2}');
  expect(loadSettings(file, {})).toMatchObject({ unknown: ["CLAUDE_MEM_FUTURE"], problems: [] });
});

test("each wrong value is one sentence that names the setting, the place and what holds instead", () => {
  const file = fileWith('{"CLAUDE_MEM_READ_GATE": "maybe", "CLAUDE_MEM_PROVIDER": "oracle"}');
  const { problems, values } = loadSettings(file, { CLAUDE_MEM_LOG_LEVEL: "loud" });
  expect(problems).toHaveLength(3);
  for (const name of ["CLAUDE_MEM_READ_GATE", "CLAUDE_MEM_PROVIDER", "CLAUDE_MEM_LOG_LEVEL"] as const) {
    expect(problems.filter((problem) => problem.startsWith(name))).toHaveLength(1);
    expect(values[name]).toBe(SETTINGS[name].default);
  }
  expect(problems.find((problem) => problem.startsWith("CLAUDE_MEM_LOG_LEVEL"))).toContain("the environment");
});

const REJECTED = "rejected";
test.each<[SettingName, unknown, unknown]>([
  ["CLAUDE_MEM_WORKER_PORT", 0, 0],
  ["CLAUDE_MEM_WORKER_PORT", 65_535, 65_535],
  ["CLAUDE_MEM_WORKER_PORT", 65_536, REJECTED],
  ["CLAUDE_MEM_WORKER_PORT", -1, REJECTED],
  ["CLAUDE_MEM_WORKER_PORT", 1.5, REJECTED],
  ["CLAUDE_MEM_WORKER_PORT", " 80 ", 80],
  ["CLAUDE_MEM_WORKER_PORT", "80a", REJECTED],
  ["CLAUDE_MEM_WORKER_PORT", true, REJECTED],
  ["CLAUDE_MEM_WORKER_PORT", {}, REJECTED],
  ["CLAUDE_MEM_WORKER_PORT", [], REJECTED],
  ["CLAUDE_MEM_CONTEXT_MAX_CHARS", 9_500, 9_500],
  ["CLAUDE_MEM_CONTEXT_MAX_CHARS", 10_000, REJECTED],
  ["CLAUDE_MEM_READ_GATE", "TRUE", true],
  ["CLAUDE_MEM_READ_GATE", 1, true],
  ["CLAUDE_MEM_READ_GATE", "off", false],
  ["CLAUDE_MEM_READ_GATE", "2", REJECTED],
  ["CLAUDE_MEM_LOG_LEVEL", "DEBUG", "debug"],
  ["CLAUDE_MEM_MODEL", "opus", "opus"],
  ["CLAUDE_MEM_MODEL", 5, REJECTED],
  ["CLAUDE_MEM_SKIP_TOOLS", "Read, Bash ,,", ["Read", "Bash"]],
  ["CLAUDE_MEM_SKIP_TOOLS", '["Read"]', ["Read"]],
  ["CLAUDE_MEM_SKIP_TOOLS", ["Read"], ["Read"]],
  ["CLAUDE_MEM_SKIP_TOOLS", '["Read"', REJECTED],
  ["CLAUDE_MEM_SKIP_TOOLS", [1], REJECTED],
  ["CLAUDE_MEM_SKIP_TOOLS", 3, REJECTED],
])("%s from %p is %p", (name, raw, expected) => {
  const parsed = parseSetting(name, raw);
  if (expected === REJECTED) expect(parsed.ok).toBe(false);
  else expect(parsed).toEqual({ ok: true, value: expected });
});
