/** What git's own files tell of a checkout, read without starting git. Nothing here throws or writes. */
import { closeSync, fstatSync, lstatSync, openSync, readFileSync, readSync, statSync } from "node:fs";
import { isAbsolute, join, resolve } from "node:path";
import { type IndexEntry, readIndex } from "./git-index.ts";

export type GitState = {
  /** The branch checked out; `null` where there is none (detached, no repository). */
  branch: string | null;
  /** Commits made in this checkout, newest first, as far as the end of its reflog tells. */
  commits: { at: number; subject: string }[];
  /**
   * Those of `paths` (relative to the checkout's top) that differ from the last commit, as far as it can be told
   * without reading objects: changed or removed since git last looked, added to the index since, or new and not ignored.
   */
  uncommitted: (paths: readonly string[]) => string[];
};

/** Some forty thousand files. Beyond, going through the index takes longer than a start may (100,000 files: 10 to 30 ms). */
const INDEX_MAX = 4 * 1024 * 1024;
/** The end of the reflog: some hundred entries. */
const REFLOG_TAIL = 16 * 1024;
/** So many files are asked for their state; each costs a look at the disk. */
const PATHS_MAX = 200;

export const NO_GIT: GitState = { branch: null, commits: [], uncommitted: () => [] };

/** The state of the checkout whose top is `root`; `NO_GIT` where there is no repository. */
export function readGitState(root: string): GitState {
  const dir = gitDirOf(root);
  if (!dir) return NO_GIT;
  const log = reflog(dir);
  return {
    branch: branchOf(dir),
    commits: log.commits,
    uncommitted: (paths) => {
      try {
        return uncommitted(root, dir, paths.slice(0, PATHS_MAX), log.movedAt);
      } catch {
        return [];
      }
    },
  };
}

/** The directory with this checkout's own HEAD and index; for a linked worktree not the repository's. */
function gitDirOf(root: string): string | null {
  const path = join(root, ".git");
  try {
    if (statSync(path).isDirectory()) return path;
    const target = /^gitdir:\s*(.+?)\s*$/m.exec(readFileSync(path, "utf8").slice(0, 4_096))?.[1];
    return target ? resolve(root, target) : null;
  } catch {
    return null;
  }
}

function branchOf(dir: string): string | null {
  const name = /^ref:\s*refs\/heads\/(.+?)\s*$/.exec(textOf(join(dir, "HEAD"), 1_024))?.[1] ?? null;
  // What a repository with another kind of ref store writes there.
  return name === ".invalid" ? null : name;
}

/** `movedAt`: when HEAD last moved (Unix ms), by a commit or by taking files from one. */
function reflog(dir: string): { commits: GitState["commits"]; movedAt: number } {
  const lines = textOf(join(dir, "logs", "HEAD"), REFLOG_TAIL, "end").split("\n");
  const found = lines.flatMap((line) => {
    const parts = /^[0-9a-f]{40,64} [0-9a-f]{40,64} .* (\d{6,12}) [+-]\d{4}\t(.*)$/.exec(line);
    return parts ? [{ at: Number(parts[1]) * 1_000, what: parts[2] ?? "" }] : [];
  });
  const commits = found.flatMap(({ at, what }) => {
    const subject = /^commit(?: \((?:initial|amend|merge)\))?: (.+)$/.exec(what)?.[1];
    return subject ? [{ at, subject }] : [];
  });
  return { commits: commits.reverse(), movedAt: found.at(-1)?.at ?? 0 };
}

function uncommitted(root: string, dir: string, paths: readonly string[], movedAt: number): string[] {
  const wanted = paths.filter((path) => path !== "" && !isAbsolute(path) && !path.startsWith("../"));
  const file = join(dir, "index");
  const size = statSync(file, { throwIfNoEntry: false })?.size ?? 0;
  if (wanted.length === 0 || size === 0 || size > INDEX_MAX) return [];
  const index = readIndex(readFileSync(file), wanted, isSha256(dir) ? 32 : 20);
  if (!index) return [];
  const ignored = ignoredBy(root, dir);
  return wanted.filter((path) => {
    const entry = index.entries.get(path);
    const disk = lstatSync(join(root, path), { throwIfNoEntry: false, bigint: true });
    if (!entry) return disk?.isFile() === true && !ignored(path);
    if (entry.skipped) return false;
    if (!disk || entry.unsettled) return true;
    if (!disk.isFile() && !disk.isSymbolicLink()) return false;
    if (isChanged(entry, disk)) return true;
    // Staged: newer than what HEAD last brought, in a directory of which no commit has been made since.
    return entry.seconds * 1_000 > movedAt + 999 && index.isStale(path);
  });
}

function isChanged(entry: IndexEntry, disk: { size: bigint; mtimeNs: bigint }): boolean {
  if (Number(disk.size % 0x1_0000_0000n) !== entry.size) return true;
  if (Number((disk.mtimeNs / 1_000_000_000n) % 0x1_0000_0000n) !== entry.seconds) return true;
  // Some programs write whole seconds, or milliseconds, into the index.
  const nanos = Number(disk.mtimeNs % 1_000_000_000n);
  return entry.nanos !== 0 && Math.floor(nanos / 1e6) !== Math.floor(entry.nanos / 1e6);
}

function isSha256(dir: string): boolean {
  return /objectformat\s*=\s*sha256/i.test(textOf(join(commonOf(dir), "config"), 16_384));
}

function commonOf(dir: string): string {
  const common = textOf(join(dir, "commondir"), 4_096).trim();
  return common ? resolve(dir, common) : dir;
}

/** By the ignore files at the top alone, their plain patterns; enough to keep build output out. */
function ignoredBy(root: string, dir: string): (path: string) => boolean {
  const files = [join(root, ".gitignore"), join(commonOf(dir), "info", "exclude")];
  const patterns = files
    .flatMap((file) => textOf(file, 32_768).split("\n"))
    .map((line) => line.trim())
    .filter((line) => line !== "" && !/^[#!]/.test(line))
    .map((line) => line.replace(/\/+$/, ""))
    .map((line) => (line.includes("/") ? line.replace(/^\//, "") : `**/${line}`))
    .flatMap((line) => [new Bun.Glob(line), new Bun.Glob(`${line}/**`)]);
  return (path) => patterns.some((pattern) => pattern.match(path));
}

/** At most `max` bytes of a file, from its start or its end, as text; "" where it cannot be read. */
function textOf(path: string, max: number, from: "start" | "end" = "start"): string {
  let fd: number;
  try {
    fd = openSync(path, "r");
  } catch {
    return "";
  }
  try {
    const { size } = fstatSync(fd);
    const buffer = Buffer.alloc(Math.min(size, max));
    const read = readSync(fd, buffer, 0, buffer.length, from === "end" ? Math.max(0, size - max) : 0);
    return buffer.toString("utf8", 0, read);
  } catch {
    return "";
  } finally {
    closeSync(fd);
  }
}
