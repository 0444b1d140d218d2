/** What in the data directory is the product's, by name: the folder may have been somebody's before. */
import {
  existsSync,
  lstatSync,
  readdirSync,
  realpathSync,
  rmdirSync,
  rmSync,
  statSync,
  unlinkSync,
} from "node:fs";
import { dirname, join, relative } from "node:path";
import type { Paths } from "../env/paths.ts";

type Owned = { folder: string; names: RegExp };

/** A file that is being replaced has such an ending for a moment, and keeps it after a crash. */
const TEMPORARY = /\.\d+\.tmp$/;

const programs = (paths: Paths): Owned[] => [
  {
    folder: paths.app.root,
    names:
      /^(installed\.json|bunfig\.toml|(cli|hook|mcp|memory|outlines|worker)\.js(\.jsc)?|[a-z-]+\.wasm\.zst)$/,
  },
  { folder: dirname(paths.runtime), names: /^bun(\.exe)?(\.\d+\.old)?$/ },
];

const memory = (paths: Paths): Owned[] => [
  { folder: paths.backups, names: /^before-migration-\d+\.db(-wal|-shm|-journal)?$/ },
  { folder: paths.logs, names: /^(hook|worker|mcp)-\d{4}-\d\d-\d\d\.log(\.1)?$/ },
  { folder: paths.spool.root, names: /^(tmp|new|bad)$/ },
  {
    folder: paths.state.root,
    names: /^(install\.json|worker[.-].*|hook-failures\.json.*|CAPTURE_BROKEN.*|private|passed-over)$/,
  },
  { folder: paths.plugin.marketplace, names: /^(\.claude-plugin|throughline)$/ },
  { folder: join(paths.data, "run"), names: /^worker\.sock$/ },
];

/** Takes the placed programs and their runtime away, and their folders where nothing else is in them. */
export function removePrograms(paths: Paths): void {
  for (const { folder, names } of programs(paths)) {
    for (const name of namesIn(folder))
      if (isOwn(name, names)) rmSync(join(folder, name), { recursive: true, force: true });
    if (existsSync(folder) && namesIn(folder).length === 0) removeFolder(folder);
  }
}

/**
 * What is not the product's though it lies in a folder of its name, or is a file that another program beside it reads
 * as well; relative to the data directory. Deleting the folders would delete it too.
 */
export function foreignIn(paths: Paths): string[] {
  const inFolders = [...programs(paths), ...memory(paths)].flatMap(({ folder, names }) =>
    namesIn(folder)
      .filter((name) => !isOwn(name, names))
      .map((name) => relative(paths.data, join(folder, name))),
  );
  const shared = existsSync(join(paths.data, "claude-mem.db")) && existsSync(paths.settings);
  return shared ? [...inFolders, relative(paths.data, paths.settings)] : inFolders;
}

/**
 * Deletes the product's own files and folders of the data directory, and the directory where nothing else is in it.
 * Answers what was left, by name. A data directory behind a link is emptied where it really is.
 */
export function purge(paths: Paths): string[] {
  if (!existsSync(paths.data)) return [];
  const real = realpathSync(paths.data);
  const own = [
    paths.settings,
    ...[paths.store, paths.outlines].flatMap((file) =>
      ["", "-wal", "-shm", "-journal"].map((suffix) => file + suffix),
    ),
    paths.backups,
    paths.spool.root,
    paths.logs,
    paths.state.root,
    paths.pid,
    paths.port,
    paths.token,
    paths.app.root,
    dirname(paths.runtime),
    paths.plugin.marketplace,
    join(paths.data, "run"),
  ];
  for (const path of own) rmSync(path, { recursive: true, force: true });
  if (process.platform !== "win32") rmSync(paths.socket, { force: true });
  const left = readdirSync(real);
  if (left.length > 0) return left;
  // A link to the directory is the user's; what it leads to was ours.
  rmdirSync(real);
  return [];
}

/** Takes away a link that leads nowhere now: no directory can be made behind one. */
export function removeDeadLink(path: string): void {
  const isLink = lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true;
  if (isLink && !existsSync(path)) unlinkSync(path);
}

function isOwn(name: string, names: RegExp): boolean {
  return names.test(name.replace(TEMPORARY, ""));
}

function namesIn(folder: string): string[] {
  return statSync(folder, { throwIfNoEntry: false })?.isDirectory() ? readdirSync(folder) : [];
}

function removeFolder(folder: string): void {
  if (lstatSync(folder).isSymbolicLink()) unlinkSync(folder);
  else rmdirSync(folder);
}
