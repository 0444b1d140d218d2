/** A made-up user for one bench: own home, own data directory, programs built from this checkout. */
import { cpSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Paths, pathsOf } from "../src/env/paths.ts";
import { stopWorker } from "../src/process/lifecycle.ts";
import type { Programs } from "../src/process/spawn.ts";
import { endProcessesOfHome } from "../test/e2e/driver/strays.ts";

const CHECKOUT = join(import.meta.dir, "..");

export type Scratch = {
  root: string;
  home: string;
  /** A directory that counts as a project, with files in it. */
  project: string;
  paths: Paths;
  programs: Programs;
  /** All that a program of this bench inherits. */
  env: Record<string, string>;
  /** The paths of one more data directory of this user. */
  another: (name: string) => Paths;
  /** Stops the workers of every data directory, ends what is left of this home, removes it all. */
  dispose: () => Promise<void>;
};

/** Files that made-up observations and events speak of. */
export const FILES = Array.from({ length: 240 }, (_, at) => {
  const folder = ["src/store", "src/server", "src/http/routes", "test", "docs"][at % 5] ?? "src";
  return `${folder}/module-${String(at).padStart(3, "0")}.ts`;
});

export function makeScratch(name: string): Scratch {
  // The real path: projects are known by it, and /tmp is a link on macOS.
  const root = realpathSync(mkdtempSync(join(tmpdir(), `bench-${name}-`)));
  const home = join(root, "home");
  const project = join(root, "work", "shop");
  mkdirSync(home);
  mkdirSync(join(project, ".git"), { recursive: true });
  for (const file of FILES) {
    mkdirSync(join(project, file, ".."), { recursive: true });
    writeFileSync(join(project, file), `// ${file}\nexport const at = 1;\n`.repeat(40));
  }
  const data = [pathsOf(join(root, "data"))];
  const paths = data[0] as Paths;
  return {
    root,
    home,
    project,
    paths,
    programs: build(root),
    env: {
      PATH: "/usr/local/bin:/usr/bin:/bin",
      LANG: "C.UTF-8",
      HOME: home,
      TMPDIR: tmpdir(),
      CLAUDE_MEM_DATA_DIR: paths.data,
      CLAUDE_MEM_WORKER_PORT: "0",
    },
    another: (other) => {
      const more = pathsOf(join(root, other));
      data.push(more);
      return more;
    },
    dispose: async () => {
      for (const each of data) await stopWorker(each, 2_000).catch(() => undefined);
      await endProcessesOfHome(home);
      rmSync(root, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

/** The programs as the build script makes them, built aside: `dist` may be in use by others. */
function build(root: string): Programs {
  const copy = join(root, "checkout");
  mkdirSync(copy);
  for (const part of ["src", "scripts", "package.json", "tsconfig.json"])
    cpSync(join(CHECKOUT, part), join(copy, part), { recursive: true });
  symlinkSync(join(CHECKOUT, "node_modules"), join(copy, "node_modules"));
  const built = Bun.spawnSync([process.execPath, join(copy, "scripts", "build.ts")], {
    cwd: copy,
    stderr: "pipe",
  });
  if (built.exitCode !== 0) throw new Error(`The programs could not be built:\n${built.stderr}`);
  const dir = join(copy, "dist");
  writeFileSync(join(dir, "empty.js"), "");
  return { runtime: process.execPath, dir };
}

/** The same programs, but a worker that ends at once: it can never be started. */
export function withoutWorker(programs: Programs, dir: string): Programs {
  cpSync(programs.dir, dir, { recursive: true });
  rmSync(join(dir, "worker.js.jsc"), { force: true });
  writeFileSync(join(dir, "worker.js"), "process.exit(1);\n");
  return { ...programs, dir };
}
