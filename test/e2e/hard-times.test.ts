import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { type FakeApi, startFakeApi } from "./driver/fake-api.ts";
import { hostSkipReason } from "./driver/host-available.ts";
import { runPrint } from "./driver/print.ts";
import { marker, type Step } from "./driver/script.ts";
import {
  cli,
  DIST,
  type Installed,
  installedHome,
  settled,
  storedEvents,
  tally,
  waiting,
} from "./installed.ts";

const skip = hostSkipReason();
const TIMEOUT_MS = 120_000;
const echo = (word: string): Step => ({ tool: "Bash", input: { command: `echo ${word}`, description: "d" } });

describe.skipIf(skip !== null)("hard times in the real host", () => {
  let api: FakeApi;
  const homes: Installed[] = [];
  const open = async (
    ...words: Parameters<typeof installedHome> extends [string, ...infer Rest] ? Rest : never
  ) => {
    const home = await installedHome(api.url, ...words);
    homes.push(home);
    return home;
  };

  beforeAll(async () => {
    api = await startFakeApi({ scripts: { two: [echo("one"), echo("two"), { text: "Done." }] } });
  });

  afterAll(async () => {
    for (const home of homes) await home.dispose();
    await api.stop();
  });

  test(
    "a worker that can never start: the session goes on, its events wait, a later worker stores them",
    async () => {
      const home = await open();
      const worker = readFileSync(home.paths.app.worker);
      writeFileSync(home.paths.app.worker, "process.exit(1);\n");
      const run = await runPrint(home, { prompt: `Go ${marker("two")}` });
      expect(run).toMatchObject({ exitCode: 0, stderr: "" });
      expect(run.result?.result).toBe("Done.");
      expect(waiting(home)).toBe(6);
      expect(storedEvents(home)).toEqual([]);
      writeFileSync(home.paths.app.worker, worker);
      await cli(home, ["start"]);
      await settled(home);
      expect(tally(storedEvents(home))).toMatchObject({
        session_start: 1,
        "tool Bash": 2,
        turn_end: 1,
        session_end: 1,
      });
    },
    TIMEOUT_MS,
  );

  test(
    "hooks as commands alone (--no-mcp) keep a session from its start to its end",
    async () => {
      const home = await open({ words: ["--no-mcp"] });
      const run = await runPrint(home, { prompt: `Go ${marker("two")}` });
      expect(run).toMatchObject({ exitCode: 0, stderr: "" });
      await settled(home);
      const events = storedEvents(home);
      expect(events.every((event) => event.via === "hook")).toBe(true);
      // Tool calls come from asynchronous hooks here, which a headless run may end before they began; the rest waits.
      expect(tally(events)).toMatchObject({ session_start: 1, turn_end: 1, session_end: 1 });
    },
    TIMEOUT_MS,
  );

  test(
    "nothing of a hostile project is run by our programs",
    async () => {
      const home = await open();
      const seen = join(home.root, "evil.log");
      const spy = join(home.projectDir, "evil.js");
      writeFileSync(
        spy,
        `require("node:fs").appendFileSync(${JSON.stringify(seen)}, process.argv.join(" ") + "\\n");\n`,
      );
      writeFileSync(join(home.projectDir, "bunfig.toml"), 'preload = ["./evil.js"]\n');
      writeFileSync(join(home.projectDir, ".env"), `CLAUDE_MEM_DATA_DIR=${join(home.root, "stolen")}\n`);
      await cli(home, ["stop"]);
      const run = await runPrint(home, {
        prompt: `Go ${marker("two")}`,
        env: { BUN_OPTIONS: `--preload=${spy}`, BUN_INSPECT_PRELOAD: spy },
      });
      expect(run.result?.result).toBe("Done.");
      await settled(home);
      // The host is a Bun program itself and may obey these variables; ours must not.
      const lines = existsSync(seen) ? readFileSync(seen, "utf8").split("\n").filter(Boolean) : [];
      expect(lines.filter((line) => line.includes(home.paths.data))).toEqual([]);
      expect(existsSync(join(home.root, "stolen"))).toBe(false);
      expect(tally(storedEvents(home))).toMatchObject({ "tool Bash": 2, turn_end: 1 });
    },
    TIMEOUT_MS,
  );

  test(
    "a data directory with spaces, quotes and other scripts in its name",
    async () => {
      const outside = mkdtempSync(join(tmpdir(), "odd-"));
      const home = await open({
        env: { CLAUDE_MEM_DATA_DIR: join(outside, "My Data", "o'neil & co (1)", "é李$HOME") },
      });
      // The host does not have the variable: what was chosen at installation stands in the plugin.
      const { CLAUDE_MEM_DATA_DIR: _, ...env } = home.env;
      const run = await runPrint({ ...home, env }, { prompt: `Go ${marker("two")}` });
      expect(run).toMatchObject({ exitCode: 0, stderr: "" });
      await settled(home);
      expect(tally(storedEvents(home))).toMatchObject({
        session_start: 1,
        "tool Bash": 2,
        turn_end: 1,
        session_end: 1,
      });
      expect(existsSync(join(home.homeDir, ".throughline"))).toBe(false);
      await cli(home, ["uninstall", "--purge"]);
      rmSync(outside, { recursive: true, force: true });
    },
    TIMEOUT_MS,
  );

  test(
    "an update in the middle of a session that takes the old version away",
    async () => {
      const home = await open();
      const copy = join(home.root, "new version ü");
      cpSync(DIST, copy, { recursive: true });
      const update = [process.execPath, "--no-env-file", join(copy, "cli.js"), "install"]
        .map((word) => `'${word}'`)
        .join(" ");
      api.script("updating", [
        echo("one"),
        { tool: "Bash", input: { command: `${update} && rm -rf '${copy}'`, description: "update" } },
        echo("two"),
        { text: "Done." },
      ]);
      const run = await runPrint(home, { prompt: `Go ${marker("updating")}` });
      expect(run).toMatchObject({ exitCode: 0, stderr: "" });
      await settled(home);
      expect(tally(storedEvents(home))).toMatchObject({
        session_start: 1,
        "tool Bash": 3,
        turn_end: 1,
        session_end: 1,
      });
    },
    TIMEOUT_MS,
  );

  test(
    "a read-only data directory: the session goes on, with one notice and no error",
    async () => {
      const home = await open();
      await cli(home, ["stop"]);
      mkdirSync(home.paths.spool.new, { recursive: true });
      mkdirSync(home.paths.spool.tmp, { recursive: true });
      asNobody(home);
      const run = await runPrint(home, {
        prompt: `Go ${marker("two")}`,
        args: ["--debug-file", join(home.root, "debug.log")],
      });
      expect(run).toMatchObject({ exitCode: 0, stderr: "" });
      expect(run.result?.result).toBe("Done.");
      expect(waiting(home)).toBe(0);
      const debug = readFileSync(join(home.root, "debug.log"), "utf8");
      expect(debug.includes("this session is not remembered")).toBe(true);
      expect(/hook.*(failed|exited) with/i.test(debug)).toBe(false);
    },
    TIMEOUT_MS,
  );
});

/** Takes the right to write from the data directory. Root may write anyway, so the host then runs as somebody else. */
function asNobody(home: Installed): void {
  const { data } = home.paths;
  Bun.spawnSync(["chmod", "-R", "a-w,a+rX", data]);
  if (process.getuid?.() !== 0) return;
  const nobody = 65_534;
  Bun.spawnSync(["chown", "-R", `${nobody}:${nobody}`, home.root]);
  chmodSync(home.root, 0o755);
  const wrapper = join(dirname(home.claude), "claude-as-nobody");
  writeFileSync(
    wrapper,
    `#!/bin/sh\nexec setpriv --reuid=${nobody} --regid=${nobody} --clear-groups '${home.claude}' "$@"\n`,
  );
  chmodSync(wrapper, 0o755);
  chownSync(wrapper, nobody, nobody);
  home.claude = wrapper;
  rmSync(join(home.root, "debug.log"), { force: true });
}
