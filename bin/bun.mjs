#!/usr/bin/env node
// Runs the Bun that npm installed, with the words given. Its own shim has no binary after `npm ci --ignore-scripts`.
import { spawnSync } from "node:child_process";
import { findBun } from "./find-bun.mjs";

const bun = findBun();
if (!bun) {
  console.error("The Bun runtime is missing: run npm ci again, without --omit=optional.");
  process.exit(1);
}
const { status, signal } = spawnSync(bun, process.argv.slice(2), { stdio: "inherit", windowsHide: true });
process.exit(signal ? 1 : (status ?? 1));
