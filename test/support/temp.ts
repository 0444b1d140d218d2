/** A made-up user for a test: own home, own data directory, a project; all of it gone afterwards. */
import { afterAll, setDefaultTimeout } from "bun:test";
import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Paths, pathsOf } from "../../src/env/paths.ts";
import { writeRecord } from "../../src/process/record.ts";
import { endProcessesOfHome } from "../e2e/driver/strays.ts";

export type Place = {
  root: string;
  home: string;
  /** A directory that counts as a project (it has a `.git`). */
  project: string;
  paths: Paths;
};

/**
 * Gives the calling test file a maker of places. When the file's tests are over, every process whose HOME is one
 * of them is ended and the directories are removed.
 */
export function usePlaces(): (name?: string) => Place {
  const made: Place[] = [];
  // Nothing here waits long; a machine under load may.
  setDefaultTimeout(30_000);
  afterAll(async () => {
    await Promise.all(made.map((place) => endProcessesOfHome(place.home)));
    for (const place of made) rmSync(place.root, { recursive: true, force: true, maxRetries: 5 });
  });
  return (name = "place") => {
    // The real path: projects are known by it, and /tmp is a link on macOS.
    const root = realpathSync(mkdtempSync(join(tmpdir(), `throughline-test-${name}-`)));
    const home = join(root, "home");
    const project = join(root, "code", "shop");
    mkdirSync(home);
    mkdirSync(join(project, ".git"), { recursive: true });
    const place = { root, home, project, paths: pathsOf(join(home, ".throughline")) };
    made.push(place);
    return place;
  };
}

/** A place at which no hook starts a worker: this very process counts as one, of a version newer than any. */
export function withoutWorker(place: Place): Place {
  mkdirSync(place.paths.data, { mode: 0o700, recursive: true });
  writeRecord(place.paths, "999.0.0");
  return place;
}

/** Lets another user's process through to the place, for tests that give up being root. */
export function openToAll(place: Place): void {
  chmodSync(place.root, 0o755);
  chmodSync(place.home, 0o755);
}
