import type { ProjectRef } from "../core/event.ts";
import type { Db } from "./open.ts";

export type Project = { id: number; key: string; name: string };

/** The project's row id, made on first sight. */
export function upsertProject(db: Db, ref: ProjectRef, now: number): number {
  const found = findProject(db, ref.key);
  if (found) return found.id;
  const row = db
    .query("insert into projects (key, name, created_at) values (?, ?, ?) returning id")
    .get(ref.key, uniqueName(db, ref), now) as { id: number };
  return row.id;
}

export function findProject(db: Db, key: string): Project | null {
  return db.query("select id, key, name from projects where key = ?").get(key) as Project | null;
}

/** Projects whose shown name is `name`. */
export function findProjectsByName(db: Db, name: string): Project[] {
  return db.query("select id, key, name from projects where name = ?").all(name) as Project[];
}

/** Two directories called `api` are shown as `a/api` and `b/api`: the one that was first is renamed with it. */
function uniqueName(db: Db, ref: ProjectRef): string {
  const same = findProjectsByName(db, ref.name);
  if (same.length === 0 || ref.key.startsWith("name:")) return ref.name;
  for (const other of same) {
    db.query("update projects set name = ? where id = ?").run(qualified(other.key, other.name), other.id);
  }
  return qualified(ref.key, ref.name);
}

/** The name with as much of its path before it as the key gives: its parent's name. */
function qualified(key: string, name: string): string {
  const parts = key.split(/[/\\]/).filter(Boolean);
  return parts.length > 1 && !key.startsWith("name:") ? parts.slice(-2).join("/") : name;
}
