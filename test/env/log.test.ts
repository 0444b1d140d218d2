import { describe, expect, test } from "bun:test";
import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { openLog } from "../../src/env/log.ts";
import { usePlaces } from "../support/temp.ts";

const newPlace = usePlaces();
const DAY_MS = 86_400_000;
const START = Date.UTC(2026, 0, 1, 12);
const MIB = 1024 * 1024;

const sizeOf = (dir: string) =>
  readdirSync(dir).reduce((sum, name) => sum + statSync(join(dir, name)).size, 0);

test("PR-09: thirty days of heavy logging stay under the caps, and the last day's errors are there", () => {
  const { logs: dir } = newPlace().paths;
  let now = START;
  const logs = ["hook", "worker", "mcp"].map((program) =>
    openLog({ dir, program, level: "info", now: () => now }),
  );
  const filler = "x".repeat(256 * 1024);
  for (let day = 0; day < 30; day += 1) {
    for (const log of logs) for (let line = 0; line < 12; line += 1) log.info("busy", { day, filler });
    for (const log of logs) log.error("trouble of the day", { day });
    now += DAY_MS;
  }
  const names = readdirSync(dir);
  expect(sizeOf(dir)).toBeLessThan(40 * MIB + 3 * 4 * MIB);
  expect(names.filter((name) => name.includes("2026-01-01"))).toEqual([]);
  for (const program of ["hook", "worker", "mcp"]) {
    expect(readFileSync(join(dir, `${program}-2026-01-30.log`), "utf8")).toContain('"day":29');
  }
});

test("one day that never ends keeps its newest part", () => {
  const { logs: dir } = newPlace().paths;
  const log = openLog({ dir, program: "worker", level: "info", now: () => START });
  for (let line = 0; line < 70; line += 1) log.info("busy", { line, filler: "x".repeat(256 * 1024) });
  expect(readdirSync(dir).sort()).toEqual(["worker-2026-01-01.log", "worker-2026-01-01.log.1"]);
  expect(sizeOf(dir)).toBeLessThan(11 * MIB);
  expect(readFileSync(join(dir, "worker-2026-01-01.log"), "utf8")).toContain('"line":69');
});

describe("a line", () => {
  test("is JSON with time, level, process and fields, whatever they hold", () => {
    const { logs: dir } = newPlace().paths;
    openLog({ dir, program: "hook", level: "info", now: () => START }).warn('a "quoted"\nline', {
      why: "\u2028\0",
    });
    const lines = readFileSync(join(dir, "hook-2026-01-01.log"), "utf8").split("\n");
    expect(lines).toHaveLength(2);
    expect(JSON.parse(lines[0] ?? "")).toEqual({
      time: "2026-01-01T12:00:00.000Z",
      level: "warn",
      pid: process.pid,
      message: 'a "quoted"\nline',
      why: "\u2028\0",
    });
  });

  test.each([
    ["debug", 4],
    ["info", 3],
    ["warn", 2],
    ["error", 1],
    ["silent", 0],
    ["nonsense", 3],
  ])("at level %s, %i of four are written", (level, expected) => {
    const { logs: dir } = newPlace().paths;
    const log = openLog({ dir, program: "hook", level, now: () => START });
    for (const name of ["debug", "info", "warn", "error"] as const) log[name]("said");
    const text = expected === 0 ? "" : readFileSync(join(dir, "hook-2026-01-01.log"), "utf8");
    expect(text.split("\n").filter(Boolean)).toHaveLength(expected);
  });

  test("is private: folder 0700, file 0600", () => {
    const { logs: dir } = newPlace().paths;
    openLog({ dir, program: "hook", level: "info", now: () => START }).error("said");
    expect(statSync(dir).mode & 0o777).toBe(0o700);
    expect(statSync(join(dir, "hook-2026-01-01.log")).mode & 0o777).toBe(0o600);
  });
});

test("a log that cannot be written fails nobody, and others' files are left alone", () => {
  const place = newPlace();
  writeFileSync(join(place.root, "file"), "");
  openLog({ dir: join(place.root, "file"), program: "hook", level: "info" }).error("said");
  expect(readFileSync(join(place.root, "file"), "utf8")).toBe("");
});
