import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { VERSION } from "../../src/env/version.ts";
import { buildAs } from "../support/versions.ts";
import { type CliHome, cliHome, putClaude } from "./run-cli.ts";

describe("the worker from the command line", () => {
  let cli: CliHome;
  beforeAll(async () => {
    cli = await cliHome();
  });
  afterAll(() => cli.dispose());

  test("status before anything runs says how to start, with exit code 1", async () => {
    const { code, stdout } = await cli.run("status");
    expect(code).toBe(1);
    expect(stdout).toContain("npx throughline start");
    expect(JSON.parse((await cli.run("status", "--json")).stdout)).toMatchObject({ running: false });
  });

  test("start, status, restart, stop", async () => {
    const started = await cli.run("start");
    expect(started).toMatchObject({ code: 0, stderr: "" });
    expect(started.stdout).toContain("is running");
    expect(started.stdout).toContain("npx throughline demo");
    const pid = Number(readFileSync(cli.paths.pid, "utf8"));
    const status = JSON.parse((await cli.run("status", "--json")).stdout);
    expect(status).toMatchObject({ running: true, ready: true, pid, spool: 0 });
    expect((await cli.run("start")).code).toBe(0);
    expect(Number(readFileSync(cli.paths.pid, "utf8"))).toBe(pid);
    expect((await cli.run("restart")).code).toBe(0);
    expect(Number(readFileSync(cli.paths.pid, "utf8"))).not.toBe(pid);
    expect((await cli.run("stop")).stdout).toContain("has stopped");
    expect(existsSync(cli.paths.pid)).toBe(false);
    expect((await cli.run("stop")).stdout).toContain("is not running");
  });

  test("a recorded pid that is somebody else's is not signalled", async () => {
    const stranger = Bun.spawn(["sleep", "30"]);
    writeFileSync(cli.paths.pid, `${stranger.pid}\n`);
    writeFileSync(
      join(cli.paths.state.root, "worker.json"),
      JSON.stringify({ pid: stranger.pid, version: "0.1.0", started: "1" }),
    );
    expect((await cli.run("stop")).stdout).toContain("is not running");
    expect(stranger.exitCode).toBeNull();
    stranger.kill();
    await stranger.exited;
  });

  test("logs are readable, and JSON lines with --json", async () => {
    expect((await cli.run("logs")).stdout).toContain("worker ready");
    const lines = (await cli.run("logs", "--json", "-n", "2")).stdout.trim().split("\n");
    expect(lines).toHaveLength(2);
    for (const line of lines) expect(JSON.parse(line)).toHaveProperty("time");
    expect((await cli.run("logs", "-n", "none")).code).toBe(1);
  });

  test("nothing printed to a pipe has colours", async () => {
    for (const words of [["help"], ["status"], ["doctor"]]) {
      expect((await cli.run(...words)).stdout).not.toContain("\u001b[");
    }
  });
});

test("looking around starts nobody's program: not the agent's either", async () => {
  const cli = await cliHome();
  const program = join(cli.root, "claude.sh");
  const asked = join(cli.root, "asked");
  writeFileSync(program, `#!/bin/sh\ntouch '${asked}'\n`, { mode: 0o755 });
  putClaude(cli, program);
  for (const words of [["start"], ["status"], ["doctor"], ["context"], ["stop"]]) await cli.run(...words);
  expect(existsSync(asked)).toBe(false);
  await cli.dispose();
});

describe("a worker in trouble", () => {
  test("that cannot open the store: start says why, and doctor what to do", async () => {
    const cli = await cliHome();
    mkdirSync(cli.paths.data, { recursive: true });
    writeFileSync(cli.paths.store, "no store".repeat(1_000));
    const { code, stderr } = await cli.run("start");
    expect(code).toBe(1);
    expect(stderr).toContain("cannot be read");
    expect((await cli.run("doctor")).stdout).toContain("could not start");
    await cli.dispose();
  });

  test("that hangs: it is not called absent; killed, the next start takes its place", async () => {
    const cli = await cliHome();
    await cli.run("start");
    const pid = Number(readFileSync(cli.paths.pid, "utf8"));
    process.kill(pid, "SIGSTOP");
    expect((await cli.run("status")).stdout).toContain("does not answer");
    expect(JSON.parse((await cli.run("status", "--json")).stdout)).toMatchObject({
      running: true,
      answers: false,
    });
    expect((await cli.run("doctor")).stdout).toMatch(/does not answer\s.*npx throughline restart/);
    process.kill(pid, "SIGKILL");
    expect((await cli.run("start")).code).toBe(0);
    await cli.dispose();
    // Each question waits its whole deadline.
  }, 20_000);
});

test("start over an older worker waits for the one that takes its place", async () => {
  const cli = await cliHome();
  const dist = await buildAs("0.0.9", cli.root);
  const older = Bun.spawnSync([...cli.command.slice(0, -1), join(dist, "cli.js"), "start"], { env: cli.env });
  expect(older.stdout.toString()).toContain("Throughline 0.0.9 is running");
  const before = Number(readFileSync(cli.paths.pid, "utf8"));
  const started = JSON.parse((await cli.run("start", "--json")).stdout);
  expect(started).toMatchObject({ version: VERSION, ready: true });
  expect(started.pid).not.toBe(before);
  await cli.dispose();
}, 20_000);

describe("the demo", () => {
  test("shows what the next session is told", async () => {
    const cli = await cliHome();
    const { code, stdout } = await cli.run("demo");
    expect(code).toBe(0);
    expect(stdout).toContain("<throughline-context>");
    expect(stdout).toContain("tests are run with npm test, never with a global vitest");
    expect(stdout).toContain("src/search.ts");
    expect(stdout).toContain("Fold the notes once when they are saved");
    expect(existsSync(cli.paths.data)).toBe(false);
    await cli.dispose();
  });
});
