#!/usr/bin/env node
// The `throughline` command: finds the runtime, builds the programs from a checkout where needed, starts the CLI.
import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { findBun } from "./find-bun.mjs";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const dist = join(root, "dist");
const bun = findBun();
if (!bun) {
  console.error("The Bun runtime is missing: run npm ci again, without --omit=optional.");
  process.exit(1);
}

// What steers Bun in the user's shell or project has no say in our programs.
const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith("BUN_")));
const run = (words, options = {}) =>
  spawnSync(bun, ["--no-env-file", `--config=${join(root, "bin", "bunfig.toml")}`, ...words], {
    stdio: "inherit",
    env,
    windowsHide: true,
    ...options,
  });

if (existsSync(join(root, "src")) && isStale()) {
  process.stderr.write("Building Throughline …\n");
  const built = run([join(root, "scripts", "build.ts")], {
    cwd: root,
    stdio: ["ignore", "ignore", "inherit"],
  });
  if (built.status !== 0) process.exit(1);
}
const { status, signal } = run([join(dist, "cli.js"), ...process.argv.slice(2)]);
process.exit(signal ? 1 : (status ?? 1));

/** Whether a source is newer than the programs built from it. */
function isStale() {
  const built = statSync(join(dist, "cli.js"), { throwIfNoEntry: false })?.mtimeMs;
  return (
    built === undefined || newest(join(root, "src")) > built || newest(join(root, "package.json")) > built
  );
}

function newest(path) {
  const stat = statSync(path);
  if (!stat.isDirectory()) return stat.mtimeMs;
  return Math.max(0, ...readdirSync(path).map((name) => newest(join(path, name))));
}
