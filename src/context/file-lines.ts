/** Many file names in few characters, one line a directory: `- src/: a{,.test}.ts ×3, b.ts`. */
import { testedBy, type WorkedFile, withTest } from "./files.ts";
import { neutral } from "./neutral.ts";
import type { Room } from "./room.ts";

const PATH_MAX = 160;

type Item = { name: string; sessions: number };

/** The lines for as many of the files as find room, best first; directories in the order of their best file. */
export function fileLines(files: readonly WorkedFile[], room: Room): string[] {
  const dirs = new Map<string, { items: Item[]; line: string }>();
  for (const file of files) {
    const path = neutral(file.path);
    // What cannot be spelled in this form, or would look like a part of it.
    if (path.length > PATH_MAX || /[{},:]|\s/.test(path)) continue;
    const slash = path.lastIndexOf("/") + 1;
    const dir = path.slice(0, slash);
    const known = dirs.get(dir);
    const items = [...(known?.items ?? []), { name: path.slice(slash), sessions: file.sessions }];
    const line = lineOf(dir, items);
    if (!(known ? room.swap(known.line, line) : room.take(line))) continue;
    dirs.set(dir, { items, line });
  }
  return [...dirs.values()].map((dir) => dir.line);
}

/** Paths in one line, in brace form where several share a directory; at most `max` UTF-16 units, with how many are left out. */
export function pathsInLine(paths: readonly string[], max: number): string {
  let shown = "";
  for (let count = 1; count <= paths.length; count += 1) {
    const left = paths.length - count;
    const line = braced(paths.slice(0, count)) + (left > 0 ? ` and ${left} more` : "");
    if (line.length > max) break;
    shown = line;
  }
  return shown;
}

function braced(paths: readonly string[]): string {
  const dirs = new Map<string, string[]>();
  for (const path of paths) {
    const slash = path.lastIndexOf("/") + 1;
    const names = dirs.get(path.slice(0, slash));
    if (names) names.push(path.slice(slash));
    else dirs.set(path.slice(0, slash), [path.slice(slash)]);
  }
  const parts = [...dirs].map(([dir, names]) =>
    names.length > 1 && dir !== ""
      ? `${dir}{${names.join(",")}}`
      : names.map((name) => dir + name).join(", "),
  );
  return neutral(parts.join(", "));
}

function lineOf(dir: string, items: readonly Item[]): string {
  const shown = paired(items).map(({ name, sessions }) => (sessions > 1 ? `${name} ×${sessions}` : name));
  return `- ${dir || "./"}: ${shown.join(", ")}`;
}

/** `a.ts` and `a.test.ts` become one item. */
function paired(items: readonly Item[]): Item[] {
  const byName = new Map(items.map((item) => [item.name, item]));
  const merged = new Map<string, Item>();
  const gone = new Set<string>();
  for (const test of items) {
    const source = byName.get(testedBy(test.name)?.source ?? "");
    if (!source || merged.has(source.name)) continue;
    gone.add(test.name);
    const sessions = Math.max(test.sessions, source.sessions);
    merged.set(source.name, { name: withTest(source.name, [test.name]), sessions });
  }
  return items.flatMap((item) => (gone.has(item.name) ? [] : [merged.get(item.name) ?? item]));
}
