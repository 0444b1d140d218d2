/** Deleting what the product keeps, and nothing else that may stand beside it. */
import { existsSync, readdirSync, realpathSync, rmdirSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Paths } from "../env/paths.ts";

/**
 * Deletes the product's own files and folders of the data directory, and the directory where nothing else is in it.
 * Answers what was left, by name. A data directory behind a link is emptied where it really is.
 */
export function purge(paths: Paths): string[] {
  if (!existsSync(paths.data)) return [];
  const real = realpathSync(paths.data);
  const own = [
    paths.settings,
    ...["", "-wal", "-shm", "-journal"].map((suffix) => paths.store + suffix),
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
