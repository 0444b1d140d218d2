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
  if (isNamed(ref.key)) return ref.name;
  const alike = db
    .query("select id, key, name from projects where name = $name or substr(name, -length($end)) = $end")
    .all({ name: ref.name, end: `/${ref.name}` }) as Project[];
  if (alike.length === 0) return ref.name;
  for (const other of alike) {
    if (other.name !== ref.name || isNamed(other.key)) continue;
    db.query("update projects set name = ? where id = ?").run(qualified(db, other.key), other.id);
  }
  return qualified(db, ref.key);
}

/** The directory with its parent, or with as many more as no other project's name has. */
function qualified(db: Db, key: string): string {
  const parts = key.split(/[/\\]/).filter(Boolean);
  for (let depth = 2; depth <= parts.length; depth += 1) {
    const name = parts.slice(-depth).join("/");
    if (findProjectsByName(db, name).length === 0) return name;
  }
  return key;
}

function isNamed(key: string): boolean {
  return key.startsWith("name:");
}

export type ProjectCount = { name: string; key: string; observations: number; lastAt: number };

/** Every project that something is remembered of, the one worked on last first. */
export function projectCounts(db: Db): ProjectCount[] {
  return db
    .query(
      `select p.name, p.key, count(*) as observations, max(o.created_at) as lastAt
       from projects p join observations o on o.project_id = p.id
       group by p.id order by lastAt desc, p.id desc`,
    )
    .all() as ProjectCount[];
}
