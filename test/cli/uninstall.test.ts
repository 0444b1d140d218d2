/** What uninstalling leaves, and what it must not touch. */
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
const ID = "throughline@throughline";

let cli: CliHome;
beforeEach(async () => {
  cli = await cliHome();
});
afterEach(() => cli.dispose());

const configFile = (...parts: string[]) => join(cli.home, ".claude", ...parts);

describe.skipIf(hostSkipReason() !== null)("uninstall with the real host", () => {
  beforeEach(() => {
    putClaude(cli, claudePath() ?? "");
    mkdirSync(configFile());
  });

  test(
    "the copy of the settings lies beside them with their mode, and goes",
    async () => {
      const key = `sk-${"q1W2e3R4t5Y6u7I8"}`;
      const mine = `{"env": {"SOME_KEY": "${key}"}}`;
      writeFileSync(configFile("settings.json"), mine, { mode: 0o640 });
      writeFileSync(join(cli.home, ".claude.json"), `{"customApiKeyResponses": {"approved": ["${key}"]}}`);
      await cli.run("install");
      const copy = configFile("settings.json.before-throughline");
      expect(readFileSync(copy, "utf8")).toBe(mine);
      expect(statSync(copy).mode & 0o777).toBe(0o640);
      expect(filesHolding(cli.paths.data, key)).toEqual([]);
      expect((await cli.run("uninstall")).code).toBe(0);
      expect(readdirSync(configFile()).filter((name) => name.includes("throughline"))).toEqual([]);
      expect(readFileSync(configFile("settings.json"), "utf8")).toBe(mine);
    },
    TIMEOUT_MS,
  );

  test(
    "a link's copy stays in the host's folder, out of the repository the link leads to",
    async () => {
      const dotfiles = join(cli.home, "dotfiles");
      mkdirSync(dotfiles);
      writeFileSync(join(dotfiles, "settings.json"), '{ "theme":"dark" }');
      symlinkSync(join(dotfiles, "settings.json"), configFile("settings.json"));
      await cli.run("install");
      expect(readdirSync(dotfiles)).toEqual(["settings.json"]);
      await cli.run("uninstall");
      expect(lstatSync(configFile("settings.json")).isSymbolicLink()).toBe(true);
      expect(readFileSync(join(dotfiles, "settings.json"), "utf8")).toBe('{ "theme":"dark" }');
    },
    TIMEOUT_MS,
  );

  test(
    "without the copy our entries go all the same, and nothing else",
    async () => {
      writeFileSync(configFile("settings.json"), '{ "enabledPlugins":{} }');
      await cli.run("install");
      rmSync(configFile("settings.json.before-throughline"));
      expect((await cli.run("uninstall")).code).toBe(0);
      expect(JSON.parse(readFileSync(configFile("settings.json"), "utf8")).enabledPlugins).toEqual({});
      expect(readFileSync(configFile("settings.json"), "utf8")).not.toContain("throughline");
    },
    TIMEOUT_MS,
  );

  test(
    "settings that got a comment are left, with what to do",
    async () => {
      await cli.run("install");
      const commented = `{ // mine\n${readFileSync(configFile("settings.json"), "utf8").slice(1)}`;
      writeFileSync(configFile("settings.json"), commented);
      const { stdout } = await cli.run("uninstall");
      expect(stdout).toContain("! ");
      expect(stdout).toMatch(/settings\.json was left as it is .* by hand/);
      expect(readFileSync(configFile("settings.json"), "utf8")).toBe(commented);
      expect(existsSync(configFile("plugins"))).toBe(false);
      expect(existsSync(cli.paths.installRecord)).toBe(false);
    },
    TIMEOUT_MS,
  );

  test(
    "a folder of plugins that was there before stays, with its own",
    async () => {
      mkdirSync(configFile("plugins", "data"), { recursive: true });
      const marketplaces = configFile("plugins", "known_marketplaces.json");
      writeFileSync(marketplaces, "{}");
      await cli.run("install");
      await cli.run("uninstall");
      expect(readFileSync(marketplaces, "utf8")).toBe("{}");
      expect(existsSync(configFile("plugins", "data"))).toBe(true);
    },
    TIMEOUT_MS,
  );

  test(
    "the running worker stops, after the hooks that could start it again are gone",
    async () => {
      await cli.run("install");
      await cli.run("start");
      const { stdout } = await cli.run("uninstall");
      expect(stdout).toContain("Memory is kept");
      expect(existsSync(cli.paths.pid)).toBe(false);
      expect(existsSync(cli.paths.runtime)).toBe(false);
    },
    TIMEOUT_MS,
  );
});

describe("broken settings, without the host's program", () => {
  test.each([
    ["a list", "[]"],
    ["null", "null"],
    ["a comment", "{} // mine"],
  ])("%s: nothing is changed", async (_, text) => {
    mkdirSync(configFile());
    writeFileSync(configFile("settings.json"), text);
    const { code, stderr } = await cli.run("install");
    expect(code).toBe(1);
    expect(stderr).toContain("Nothing was changed");
    expect(stderr).not.toContain("uninstall");
    expect(readFileSync(configFile("settings.json"), "utf8")).toBe(text);
    expect(existsSync(cli.paths.data)).toBe(false);
  });
});

describe("the host's state", () => {
  test.each([
    ["our refusal alone", [ID], undefined],
    ["among others", ["other@place", ID], ["other@place"]],
    ["not there", ["other@place"], ["other@place"]],
    ["an empty list", [], []],
  ])("%s", async (_, declined, expected) => {
    mkdirSync(configFile());
    await cli.run("install");
    const state = join(cli.home, ".claude.json");
    const before = JSON.stringify(
      { plugins: {}, throughline: 1, declinedPlugins: declined, last: {} },
      null,
      2,
    );
    writeFileSync(state, before);
    expect((await cli.run("uninstall")).code).toBe(0);
    const after = JSON.stringify(
      { plugins: {}, throughline: 1, declinedPlugins: expected, last: {} },
      null,
      2,
    );
    expect(readFileSync(state, "utf8")).toBe(after);
  });
});

describe("--purge", () => {
  const fill = (...path: string[]) => {
    mkdirSync(join(cli.paths.data, ...path.slice(0, -1)), { recursive: true });
    writeFileSync(join(cli.paths.data, ...path), "mine");
  };
  const listed = () => readdirSync(cli.paths.data, { recursive: true }).map(String).sort();

  test("leaves files beside the memory", async () => {
    await cli.run("start");
    fill("thesis.txt");
    expect(await cli.run("uninstall", "--purge")).toMatchObject({ code: 0, stderr: "" });
    expect(listed()).toEqual(["thesis.txt"]);
  });

  test("deletes nothing where a folder of its name holds somebody else's files", async () => {
    await cli.run("start");
    fill("backups", "photos.tar");
    fill("app", "index.js");
    fill("plugin", "mine.vim");
    const { code, stderr } = await cli.run("uninstall", "--purge");
    expect(code).toBe(1);
    for (const name of ["backups/photos.tar", "app/index.js", "plugin/mine.vim"]) {
      expect(stderr).toContain(name);
      expect(listed()).toContain(name);
    }
    expect(existsSync(cli.paths.store)).toBe(true);
    for (const name of ["backups", "app", "plugin"]) rmSync(join(cli.paths.data, name), { recursive: true });
    expect((await cli.run("uninstall", "--purge")).code).toBe(0);
    expect(existsSync(cli.paths.data)).toBe(false);
  });

  test("does not take another program's settings along", async () => {
    fill("claude-mem.db");
    fill("settings.json");
    expect((await cli.run("uninstall", "--purge")).stderr).toContain("settings.json");
    expect(listed()).toEqual(["claude-mem.db", "settings.json"]);
  });

  test("empties what a link leads to, and a new start works", async () => {
    const real = join(cli.root, "elsewhere");
    mkdirSync(real, { mode: 0o700 });
    symlinkSync(real, cli.paths.data);
    await cli.run("start");
    expect(existsSync(join(real, "throughline.db"))).toBe(true);
    expect((await cli.run("uninstall", "--purge")).code).toBe(0);
    expect(existsSync(real)).toBe(false);
    expect((await cli.run("start")).code).toBe(0);
  });

  test("of nothing is no fault", async () => {
    expect((await cli.run("uninstall", "--purge")).code).toBe(0);
    expect(existsSync(cli.paths.data)).toBe(false);
  });
});

test("in a deleted directory the program works, and context says what is the matter", async () => {
  const gone = join(cli.root, "gone");
  const [program = "", ...words] = cli.command;
  const runIn = (name: string) =>
    Bun.spawnSync(
      ["/bin/sh", "-c", 'mkdir "$0" && cd "$0" && rmdir "$0" && exec "$@"', gone, program, ...words, name],
      {
        env: cli.env,
      },
    );
  const context = runIn("context");
  expect(context.exitCode).toBe(1);
  expect(context.stderr.toString()).toBe(
    "This directory has been deleted; change to another one, or name a project with --project.\n",
  );
  expect(runIn("start").exitCode).toBe(0);
});
