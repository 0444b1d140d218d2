/** The files of a workspace that somebody wrote: what git would not ignore, links not followed. */
import { type Dirent, existsSync, readdirSync, statSync } from "node:fs";
import { dirname, join, relative, sep } from "node:path";
import ignore, { type Ignore } from "ignore";
import { readText } from "../env/files.ts";

export type WalkedFile = { path: string; mtime: number; size: number; isExecutable: boolean };

const SKIPPED_DIRS = new Set(
  "node_modules bower_components jspm_packages __pycache__ venv site-packages __pypackages__".split(" "),
);
/** Of the directories with a point before their name, the ones people write in. */
const DOT_DIRS = new Set([".github", ".claude", ".storybook", ".vscode"]);
const DEPTH_MAX = 50;
/** A larger rules file is none. */
const RULES_MAX = 200_000;

/** The rules of one `.gitignore`, for what lies below `base` (absolute). */
type Layer = { base: string; rules: Ignore };

/**
 * Every file below `start` (absolute, real), which is `root` or lies in it; paths are from `root`, with `/`. Rules
 * of `.gitignore` files from the repository's top down hold, the deeper before the higher, and its
 * `info/exclude`. What cannot be read is passed over.
 */
export function* walkFiles(root: string, start: string): Generator<WalkedFile> {
  yield* walkDir(root, start, layersAbove(start), 0);
}

function* walkDir(root: string, dir: string, above: readonly Layer[], depth: number): Generator<WalkedFile> {
  if (depth > DEPTH_MAX) return;
  const entries = entriesOf(dir);
  const own = entries.some(({ name }) => name === ".gitignore")
    ? layerOf(dir, join(dir, ".gitignore"))
    : null;
  const layers = own ? [...above, own] : above;
  for (const entry of entries) {
    const path = join(dir, entry.name);
    if (entry.isDirectory()) {
      if (!isWanted(entry.name) || isIgnored(path, true, layers)) continue;
      // A deeper file may bring a directory back that a higher one leaves out; in there the higher is silent.
      const inside = layers.filter((layer) => !test(layer, path, true).ignored);
      yield* walkDir(root, path, inside, depth + 1);
    } else if (entry.isFile() && !isIgnored(path, false, layers)) {
      const stat = statSync(path, { throwIfNoEntry: false });
      if (stat?.isFile()) {
        const isExecutable = (stat.mode & 0o100) !== 0;
        yield { path: posix(relative(root, path)), mtime: stat.mtimeMs, size: stat.size, isExecutable };
      }
    }
  }
}

function isWanted(name: string): boolean {
  return !SKIPPED_DIRS.has(name) && (!name.startsWith(".") || DOT_DIRS.has(name));
}

function entriesOf(dir: string): Dirent[] {
  try {
    return readdirSync(dir, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1));
  } catch {
    return [];
  }
}

/** Rules that hold for `start` from further up, the repository's top first. */
function layersAbove(start: string): Layer[] {
  const dirs: string[] = [];
  let top: string | null = null;
  for (let dir = start; ; dir = dirname(dir)) {
    dirs.unshift(dir);
    if (existsSync(join(dir, ".git"))) top = dir;
    if (top || dirname(dir) === dir) break;
  }
  if (!top) return [];
  const exclude = layerOf(top, join(top, ".git", "info", "exclude"));
  const above = dirs.slice(0, -1).flatMap((dir) => layerOf(dir, join(dir, ".gitignore")) ?? []);
  // Who works in an ignored directory wants to find what is in it.
  return [...(exclude ? [exclude] : []), ...above].filter((layer) => !test(layer, start, true).ignored);
}

function layerOf(base: string, file: string): Layer | null {
  const text = existsSync(file) ? readText(file) : null;
  return text && text.length <= RULES_MAX ? { base, rules: ignore().add(text) } : null;
}

function isIgnored(path: string, isDir: boolean, layers: readonly Layer[]): boolean {
  for (let at = layers.length - 1; at >= 0; at -= 1) {
    const layer = layers[at];
    if (!layer) continue;
    const { ignored, unignored } = test(layer, path, isDir);
    if (ignored || unignored) return ignored;
  }
  return false;
}

function test(
  { base, rules }: Layer,
  path: string,
  isDir: boolean,
): { ignored: boolean; unignored: boolean } {
  const below = posix(relative(base, path));
  if (!ignore.isPathValid(below)) return { ignored: false, unignored: false };
  return rules.test(isDir ? `${below}/` : below);
}

function posix(path: string): string {
  return sep === "/" ? path : path.split(sep).join("/");
}
