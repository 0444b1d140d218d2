import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { type CliHome, cliHome } from "./run-cli.ts";

let cli: CliHome;
beforeAll(async () => {
  cli = await cliHome();
  mkdirSync(join(cli.home, "unused"));
});
afterAll(() => cli.dispose());

test("what is remembered by hand is shown, pinned and forgotten by hand", async () => {
  expect((await cli.run("projects")).stdout).toBe("Nothing is remembered yet.\n");
  const kept = await cli.run("remember", "Deploys", "go through make ship.", "--pin", "--type", "discovery");
  expect(kept).toMatchObject({
    code: 0,
    stderr: "",
    stdout: "Remembered as #1, pinned: Deploys go through make ship.\n",
  });
  const shown = await cli.run("show", "#1");
  expect(shown.stdout).toMatch(/#1 discovery: Deploys go through make ship\.\n.*manual \(manual\) · pinned/);
  expect((await cli.run("pin", "1", "--off")).stdout).toBe("Unpinned #1: Deploys go through make ship.\n");
  const dry = await cli.run("forget", "1");
  expect(dry.stdout).toContain("Nothing was deleted.");
  expect((await cli.run("show", "1", "--json")).stdout).toContain('"pinned": false');
  expect((await cli.run("forget", "1", "--yes")).stdout).toContain("Deleted 1.");
  expect(await cli.run("show", "1")).toMatchObject({ code: 1, stderr: "Observation #1 not found.\n" });
});

test("what is remembered is found, here, elsewhere, and around a moment", async () => {
  const words = [
    "The billing export is made by a nightly job.",
    "Deploys go through make ship.",
    "Prices are kept in cents.",
  ];
  for (const text of words) await cli.run("remember", text);
  const found = await cli.run("search", "how", "are", "exports", "made");
  expect(found).toMatchObject({ code: 0, stderr: "" });
  expect(found.stdout.split("\n")[0]).toMatch(
    /^#\d+ decision \d{4}-\d\d-\d\d {2}The billing export is made by a nightly job\.$/,
  );
  expect((await cli.run("search", "quantum chromodynamics")).stdout).toBe("Nothing remembered fits.\n");
  const around = (await cli.run("timeline", "make ship")).stdout.trimEnd().split("\n");
  expect(around.map((line) => line.replace(/\d{4}-.*decision: /, ""))).toEqual([
    `  ${words[0]}`,
    `→ ${words[1]}`,
    `  ${words[2]}`,
  ]);
});

test.each([
  [["timeline"], /Name an observation/],
  [["timeline", "999"], /Observation #999 not found/],
  [["search", "a", "--from", "soon"], /from must be a date/],
  [["search", "a", "--limit", "many"], /limit must be a whole number/],
  [["search", "a", "--project", "nowhere"], /No project named nowhere/],
  [["show"], /Name observations by their numbers/],
  [["show", "one"], /Name observations by their numbers/],
  [["pin", "99"], /Observation #99 not found/],
  [["forget", "99", "--yes"], /Observation #99 not found/],
  [["remember", "   "], /nothing to remember/],
  [["remember", "a", "--type", "poem"], /There is no type poem/],
  [["remember", "a", "--project", "nowhere"], /No project named nowhere/],
])("%j is answered with a sentence", async (words, why) => {
  const ran = await cli.run(...words);
  expect(ran.code).toBe(1);
  expect(ran.stderr).toMatch(why);
  expect(ran.stderr.trim().split("\n")).toHaveLength(1);
});
