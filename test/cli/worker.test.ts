import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type CliHome, cliHome } from "./run-cli.ts";

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
