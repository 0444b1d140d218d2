/** The programs under test, as they are shipped. */
import { existsSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";

const root = join(import.meta.dir, "..", "..");
export const DIST = join(root, "dist");

let built: Promise<void> | undefined;

/** Builds `dist` once, where a source is newer than it. */
export function ensureBuilt(): Promise<void> {
  built ??= build();
  return built;
}

async function build(): Promise<void> {
  const made = existsSync(join(DIST, "bunfig.toml")) ? statSync(join(DIST, "bunfig.toml")).mtimeMs : 0;
  if (newest(join(root, "src")) <= made && newest(join(root, "package.json")) <= made) return;
  const child = Bun.spawn([process.execPath, join(root, "scripts", "build.ts")], {
    cwd: root,
    stdio: ["ignore", "inherit", "inherit"],
  });
  if ((await child.exited) !== 0) throw new Error("The programs could not be built.");
}

function newest(path: string): number {
  const stat = statSync(path);
  if (!stat.isDirectory()) return stat.mtimeMs;
  return Math.max(0, ...readdirSync(path).map((name) => newest(join(path, name))));
}
