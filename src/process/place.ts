/** Putting the programs and their runtime where they outlive the checkout they came from. */
import {
  chmodSync,
  constants,
  copyFileSync,
  existsSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { ensureDir, readJsonObject, writeAtomic } from "../env/files.ts";
import type { Paths } from "../env/paths.ts";
import type { Programs } from "./spawn.ts";

/** What a build leaves: bundles, their bytecode, packed grammars, and the empty Bun configuration. */
const PROGRAM_FILE = /\.(?:js|jsc|toml|wasm\.zst)$/;

/**
 * Copies the bundles and the runtime into the data directory. Each file is replaced in one step, at a name that
 * stays the same over versions: a session that runs while an update comes goes on with the new file. Answers the
 * programs as placed.
 */
export function placePrograms(paths: Paths, from: Programs, version: string): Programs {
  ensureDir(paths.app.root);
  ensureDir(dirname(paths.runtime));
  if (!isSame(from.dir, paths.app.root)) {
    for (const name of readdirSync(from.dir)
      .filter((file) => PROGRAM_FILE.test(file))
      .sort()
      .reverse()) {
      writeAtomic(join(paths.app.root, name), readFileSync(join(from.dir, name)));
    }
  }
  if (!isSame(from.runtime, paths.runtime) && !isSameBuild(paths, from.runtime))
    copyRuntime(from.runtime, paths.runtime);
  writeAtomic(paths.app.marker, `${JSON.stringify({ version, runtime: Bun.version })}\n`);
  return { runtime: paths.runtime, dir: paths.app.root };
}

/** The version whose programs are placed; `null` where none are. */
export function placedVersion(paths: Paths): string | null {
  const marker = readJsonObject(paths.app.marker);
  return typeof marker?.version === "string" ? marker.version : null;
}

function isSameBuild(paths: Paths, runtime: string): boolean {
  const placed = statSync(paths.runtime, { throwIfNoEntry: false });
  return placed?.size === statSync(runtime).size && readJsonObject(paths.app.marker)?.runtime === Bun.version;
}

/** A copy, not a link: the package manager may rewrite its own file. Shares the blocks where the system can. */
function copyRuntime(from: string, to: string): void {
  const temporary = `${to}.${process.pid}.tmp`;
  copyFileSync(from, temporary, constants.COPYFILE_FICLONE);
  chmodSync(temporary, 0o700);
  // A running program's file cannot be replaced on Windows, but it can be moved aside.
  if (process.platform === "win32" && existsSync(to)) {
    const aside = `${to}.${Date.now()}.old`;
    renameSync(to, aside);
    try {
      rmSync(aside, { force: true });
    } catch {
      // Still running; the next installation removes it.
    }
  }
  renameSync(temporary, to);
}

function isSame(a: string, b: string): boolean {
  try {
    return realpathSync(a) === realpathSync(b);
  } catch {
    return false;
  }
}
