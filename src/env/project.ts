/** One resolver for every door: which project a directory belongs to. Reads `.git`, never starts git. */
import { readFileSync, realpathSync, statSync } from "node:fs";
import { basename, dirname, isAbsolute, join, resolve, sep } from "node:path";
import type { ProjectRef } from "../core/event.ts";
import { homeOf, tempDirOf } from "./home.ts";
import type { Env } from "./paths.ts";

/** A user's own name for a project, in a file at its top or above the directory. */
const NAME_FILE = ".throughline";
const OFF_FILE = ".throughline-off";

export type Resolved = {
  project: ProjectRef | null;
  /** A `.throughline-off` marker stands in the directory or above it, up to the project's top. */
  off: boolean;
  /** A `.throughline` marker stands there. */
  marked: boolean;
};

/**
 * The project of `dir`: the git common directory's top level, else the directory itself. `null` for home, `/`,
 * temporary directories and the directories in `own` (ours and the host's). A missing directory is keyed by its
 * path alone.
 */
export function resolveProject(dir: string, env: Env, own: readonly string[] = []): Resolved {
  const real = realPath(dir);
  const home = realPath(homeOf(env));
  const never = new Set([
    home,
    realPath(tempDirOf(env)),
    realPath("/tmp"),
    realPath("/var/tmp"),
    resolve("/"),
  ]);
  const found = walkUp(real, never);
  const top = found.git?.top ?? real;
  const named = env.CLAUDE_MEM_PROJECT?.trim() || found.name;
  const isOwn = own.some((path) => isInside(real, realPath(path)));
  if (isOwn || (never.has(top) && !named)) return { project: null, off: found.off, marked: found.marked };
  const key = named ? `name:${named}` : (found.git?.key ?? top);
  const project: ProjectRef = {
    key,
    name: named || basename(found.git?.key ?? top) || top,
    worktree: found.git?.worktree ?? null,
    root: top,
  };
  return { project, off: found.off, marked: found.marked };
}

type Walk = {
  git: { top: string; key: string; worktree: string | null } | null;
  name: string | null;
  off: boolean;
  marked: boolean;
};

/** Climbs to the nearest `.git`, stopping before a directory that is never a project. */
function walkUp(start: string, never: Set<string>): Walk {
  const walk: Walk = { git: null, name: null, off: false, marked: false };
  for (let dir = start; ; dir = dirname(dir)) {
    if (never.has(dir) && dir !== start) break;
    if (exists(join(dir, OFF_FILE))) walk.off = true;
    if (!walk.marked) {
      const name = nameIn(dir);
      if (name !== null) {
        walk.marked = true;
        walk.name = name || null;
      }
    }
    if (never.has(dir)) break;
    walk.git = gitAt(dir);
    if (walk.git || dirname(dir) === dir) break;
  }
  return walk;
}

/** The first line of a `.throughline` file; "" for an empty one; `null` where there is none. */
function nameIn(dir: string): string | null {
  const path = join(dir, NAME_FILE);
  if (!statSync(path, { throwIfNoEntry: false })?.isFile()) return null;
  try {
    return (readFileSync(path, "utf8").slice(0, 400).split("\n")[0] ?? "").trim().slice(0, 100);
  } catch {
    return "";
  }
}

function gitAt(dir: string): Walk["git"] {
  const dotGit = join(dir, ".git");
  const stat = statSync(dotGit, { throwIfNoEntry: false });
  if (stat?.isDirectory()) return { top: dir, key: dir, worktree: null };
  if (!stat?.isFile()) return null;
  const gitDir = pointer(dotGit, dir);
  if (!gitDir) return null;
  const common = commonDir(gitDir);
  // Without a commondir file it is a submodule (or a moved git directory): a project of its own.
  if (!common) return { top: dir, key: dir, worktree: null };
  const key = basename(common) === ".git" ? dirname(common) : common;
  return { top: dir, key, worktree: basename(dir) };
}

function pointer(file: string, base: string): string | null {
  try {
    const target = /^gitdir:\s*(.+?)\s*$/m.exec(readFileSync(file, "utf8"))?.[1];
    return target ? resolve(base, target) : null;
  } catch {
    return null;
  }
}

function commonDir(gitDir: string): string | null {
  try {
    const text = readFileSync(join(gitDir, "commondir"), "utf8").trim();
    return text ? realPath(isAbsolute(text) ? text : resolve(gitDir, text)) : null;
  } catch {
    return null;
  }
}

/** Symbolic links resolved, and the true case on a file system that ignores it; the path itself where missing. */
export function realPath(path: string): string {
  try {
    return realpathSync.native(path);
  } catch {
    const parent = dirname(path);
    return parent === path ? path : join(realPath(parent), basename(path));
  }
}

function exists(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false }) !== undefined;
}

/** Whether `path` is `parent` or lies below it. Both absolute and resolved. */
export function isInside(path: string, parent: string): boolean {
  return path === parent || path.startsWith(parent.endsWith(sep) ? parent : parent + sep);
}
