import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { claudePath, hostSkipReason } from "../e2e/driver/host-available.ts";
import { filesHolding } from "../support/store.ts";
import { type CliHome, cliHome, putClaude } from "./run-cli.ts";

const TIMEOUT_MS = 60_000;
/** Layout and key order that the host's own commands would change. */
const SETTINGS = '{\n    "theme": "dark",\n\n    "hooks": {}, "zebra": [1,2]\n}';

describe.skipIf(hostSkipReason() !== null)("install and uninstall with the real host", () => {
  let cli: CliHome;
  beforeEach(async () => {
    cli = await cliHome();
    putClaude(cli, claudePath() ?? "");
  });
  afterEach(() => cli.dispose());

  const configFile = (...parts: string[]) => join(cli.home, ".claude", ...parts);
  const enabled = () => JSON.parse(readFileSync(configFile("settings.json"), "utf8")).enabledPlugins;

  test(
    "settings come back byte for byte, also after a second install",
    async () => {
      mkdirSync(configFile());
      writeFileSync(configFile("settings.json"), SETTINGS, { mode: 0o640 });
      expect(await cli.run("install")).toMatchObject({ code: 0, stderr: "" });
      expect(enabled()).toEqual({ "throughline@throughline": true });
      const again = await cli.run("install");
      expect(again.stdout).toContain("registered with Claude Code already");
      expect((await cli.run("doctor")).stdout).toContain("Claude Code: registered");
      expect((await cli.run("uninstall")).code).toBe(0);
      expect(readFileSync(configFile("settings.json"), "utf8")).toBe(SETTINGS);
      expect(statSync(configFile("settings.json")).mode & 0o777).toBe(0o640);
      expect(existsSync(configFile("plugins", "cache", "throughline"))).toBe(false);
      expect(readFileSync(join(cli.home, ".claude.json"), "utf8")).not.toContain("throughline");
      expect(existsSync(cli.paths.app.root)).toBe(false);
      expect((await cli.run("uninstall")).stdout).toContain("not registered");
    },
    TIMEOUT_MS,
  );

  test(
    "without settings before, none are left; --purge takes the memory too",
    async () => {
      expect((await cli.run("install")).code).toBe(0);
      expect((await cli.run("start")).code).toBe(0);
      expect((await cli.run("uninstall", "--purge")).code).toBe(0);
      expect(existsSync(configFile("settings.json"))).toBe(false);
      expect(existsSync(cli.paths.data)).toBe(false);
    },
    TIMEOUT_MS,
  );

  test(
    "what the user changed meanwhile is kept",
    async () => {
      mkdirSync(configFile());
      writeFileSync(configFile("settings.json"), SETTINGS);
      await cli.run("install");
      const mine = { ...JSON.parse(readFileSync(configFile("settings.json"), "utf8")), theme: "light" };
      writeFileSync(configFile("settings.json"), JSON.stringify(mine));
      await cli.run("uninstall");
      expect(JSON.parse(readFileSync(configFile("settings.json"), "utf8"))).toEqual({
        theme: "light",
        hooks: {},
        zebra: [1, 2],
      });
    },
    TIMEOUT_MS,
  );

  test(
    "broken settings are left untouched, with a sentence",
    async () => {
      mkdirSync(configFile());
      writeFileSync(configFile("settings.json"), "{ // mine\n}");
      const { code, stderr } = await cli.run("install");
      expect(code).toBe(1);
      expect(stderr).toContain("not valid JSON");
      expect(readFileSync(configFile("settings.json"), "utf8")).toBe("{ // mine\n}");
      expect(existsSync(cli.paths.data)).toBe(false);
    },
    TIMEOUT_MS,
  );

  test(
    "settings that break later do not keep the rest from being uninstalled",
    async () => {
      await cli.run("install");
      writeFileSync(configFile("settings.json"), "{ broken");
      const { code, stdout } = await cli.run("uninstall");
      expect(code).toBe(0);
      expect(stdout).toContain("by hand");
      expect(readFileSync(configFile("settings.json"), "utf8")).toBe("{ broken");
      expect(existsSync(cli.paths.app.root)).toBe(false);
      expect(existsSync(cli.paths.plugin.marketplace)).toBe(false);
    },
    TIMEOUT_MS,
  );

  test(
    "settings behind a link stay behind it, and no secret of theirs is copied into the memory",
    async () => {
      const key = `sk-${"a1B2c3D4e5F6g7H8"}`;
      const mine = `{\n   "env": { "SOME_KEY": "${key}" }\n}`;
      mkdirSync(configFile());
      const dotfile = join(cli.home, "dotfiles-settings.json");
      writeFileSync(dotfile, mine);
      symlinkSync(dotfile, configFile("settings.json"));
      await cli.run("install");
      expect(filesHolding(cli.paths.data, key)).toEqual([]);
      expect(lstatSync(configFile("settings.json")).isSymbolicLink()).toBe(true);
      await cli.run("uninstall");
      expect(lstatSync(configFile("settings.json")).isSymbolicLink()).toBe(true);
      expect(readFileSync(dotfile, "utf8")).toBe(mine);
      expect(readdirSync(cli.home).filter((name) => name.includes("before-throughline"))).toEqual([]);
    },
    TIMEOUT_MS,
  );

  test(
    "--purge leaves what is not ours in the data directory",
    async () => {
      await cli.run("install");
      writeFileSync(join(cli.paths.data, "thesis.txt"), "mine");
      const { stdout } = await cli.run("uninstall", "--purge");
      expect(stdout).toContain("thesis.txt");
      expect(readdirSync(cli.paths.data)).toEqual(["thesis.txt"]);
    },
    TIMEOUT_MS,
  );

  test(
    "doctor names each fault and its remedy",
    async () => {
      await cli.run("install");
      const faults: [string, () => void, RegExp][] = [
        [
          "a wrong setting",
          () => writeFileSync(cli.paths.settings, '{"CLAUDE_MEM_LOG_LEVEL":"loud"}'),
          /must be one of debug/,
        ],
        ["a broken settings file", () => writeFileSync(cli.paths.settings, "{"), /not a JSON object/],
        ["a store that is none", () => writeFileSync(cli.paths.store, "x".repeat(5_000)), /move .* away/],
        [
          "programs gone",
          () => rmSync(cli.paths.app.hook),
          /hook\.js is missing[\s\S]*npx throughline install/,
        ],
        [
          "the plugin disabled",
          () => writeFileSync(configFile("settings.json"), "{}"),
          /does not have the plugin enabled[\s\S]*npx throughline install/,
        ],
      ];
      expect((await cli.run("doctor")).code).toBe(0);
      for (const [, breakIt, expected] of faults) {
        breakIt();
        const { code, stdout } = await cli.run("doctor");
        expect(code).toBe(1);
        expect(stdout).toMatch(expected);
        rmSync(cli.paths.settings, { force: true });
        rmSync(cli.paths.store, { force: true });
      }
      await cli.run("install");
      expect((await cli.run("doctor")).code).toBe(0);
    },
    TIMEOUT_MS,
  );
});

describe("install without an agent", () => {
  test("changes nothing and points to the demo", async () => {
    const cli = await cliHome();
    const { code, stdout } = await cli.run("install");
    expect(code).toBe(1);
    expect(stdout).toContain("npx throughline demo");
    expect(readdirSync(cli.home)).toEqual([]);
    await cli.dispose();
  });
});
