/** Bringing a store to this version: numbered steps, one transaction each, a copy of the file before. */
import type { Database } from "bun:sqlite";
import { readdirSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { ensureDir } from "../env/files.ts";

const COPIES_KEPT = 3;

/**
 * Runs the steps the store does not have yet. The store's `user_version` is the number of steps it has, raised in
 * the same transaction as the step, so that a kill at any moment leaves a store between two steps.
 */
export function migrate(
  db: Database,
  steps: readonly { name: string; sql: string }[],
  at: { path: string; backups: string },
): void {
  const version = () => (db.query("pragma user_version").get() as { user_version: number }).user_version;
  const from = version();
  if (from >= steps.length) return;
  if (from > 0) copyStore(db, at.backups, from);
  for (let number = from; number < steps.length; number += 1) {
    const step = steps[number];
    if (!step) continue;
    db.transaction(() => {
      // Two programs may start at once: whoever waited for the lock finds the step done.
      if (version() !== number) return;
      db.run(step.sql);
      db.run(`pragma user_version = ${number + 1}`);
    }).immediate();
  }
}

/** A consistent copy, whatever the journal mode; written under a name of this process's own first, and kept three versions long. */
function copyStore(db: Database, backups: string, version: number): void {
  ensureDir(backups);
  const name = `before-migration-${String(version).padStart(3, "0")}.db`;
  const made = join(backups, `${name}.${process.pid}.tmp`);
  rmSync(made, { force: true });
  const umask = process.umask(0o077);
  try {
    db.query("vacuum into ?").run(made);
    renameSync(made, join(backups, name));
  } finally {
    process.umask(umask);
  }
  const copies = readdirSync(backups).filter((file) => /^before-migration-\d+\.db$/.test(file));
  for (const old of copies.sort().slice(0, -COPIES_KEPT)) rmSync(join(backups, old), { force: true });
}
