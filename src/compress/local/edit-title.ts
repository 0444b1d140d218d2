/** A file's changes in one line, as a colleague would tell them. */
import { cutText, oneLine } from "../../core/text.ts";
import type { Change, FileChange } from "./changes.ts";
import { shortPath } from "./paths.ts";
import { isComment, isImport } from "./symbols.ts";
import { listed, TITLE_MAX, titleOf } from "./words.ts";

const ROOM_FOR_NAMES = 3;

/** Names what changed as far as it fits on one line. */
export function editTitle(path: string, change: FileChange): string {
  for (const shown of [ROOM_FOR_NAMES, 2, 1]) {
    const title = titleWith(path, change, shown);
    if (title.length <= TITLE_MAX) return titleOf(title);
  }
  const shorter = titleWith(shortPath(path, 48), change, 1);
  if (shorter.length <= TITLE_MAX) return titleOf(shorter);
  const short = { ...change, names: change.names.map((name) => ({ ...name, name: cutText(name.name, 44) })) };
  return titleOf(titleWith(shortPath(path, 24), short, 1));
}

function titleWith(path: string, change: FileChange, shown: number): string {
  const names = change.names;
  const of = (state: Change["state"]) => names.filter((name) => name.state === state && !name.from);
  if (change.created) return `Created ${path}${inBrackets(names, shown)}`;
  const sections = names.filter((name) => name.kind === "section");
  if (sections.length > 0) return sectionTitle(path, sections, shown);
  const renamed = names.filter((name) => name.from).map((name) => `${name.from} to ${name.name}`);
  const parts: [string, string[], string][] = [
    ["Added", shownNames(of("added")), "to"],
    ["Renamed", renamed, "in"],
    ["Removed", shownNames(of("removed")), "from"],
    ["Changed", shownNames(of("changed")), "in"],
  ];
  const full = parts.filter(([, list]) => list.length > 0);
  const [only] = full;
  if (!only) return plainTitle(path, change);
  if (full.length === 1) return `${only[0]} ${listed(only[1], shown)} ${only[2]} ${path}`;
  const few = full
    .slice(0, 3)
    .map(([verb, list]) => `${verb.toLowerCase()} ${listed(list, Math.max(1, shown - 1))}`);
  return `${few.join(", ")} in ${path}`.replace(/^./, (letter) => letter.toUpperCase());
}

/** Names visible outside first; tests in quotes, since their names are sentences. */
function shownNames(names: readonly Change[]): string[] {
  const sorted = [...names].sort((one, other) => Number(other.exported) - Number(one.exported));
  return sorted.map((name) =>
    name.kind === "test" && /\s/.test(name.name) ? `test “${cutText(name.name, 60)}”` : name.name,
  );
}

function inBrackets(names: readonly Change[], shown: number): string {
  const sections = names.filter((name) => name.kind === "section");
  if (sections[0]) return `: ${cutText(sections[0].name, 50)}`;
  const defined = names.filter((name) => name.kind !== "key");
  if (defined.length === 0) return "";
  const few = shownNames(defined);
  return ` (${few.slice(0, shown).join(", ")}${few.length > shown ? ", …" : ""})`;
}

function sectionTitle(path: string, sections: readonly Change[], shown: number): string {
  const all = sections.map((section) => cutText(section.name, 50));
  const added = sections.every((section) => section.state === "added");
  const removed = sections.every((section) => section.state === "removed");
  const noun = sections.length === 1 ? "section" : "sections";
  const verb = added ? "Added to" : removed ? "Removed from" : "Edited";
  return `${verb} ${path}: ${noun} ${listed(all, shown)}`;
}

/** For changes inside something the patch does not name: the most telling line. */
function plainTitle(path: string, change: FileChange): string {
  if (change.only === "imports") return `Changed imports in ${path}`;
  if (change.only === "comments") return `Reworded comments in ${path}`;
  const swap = swapOf(change);
  if (swap) return `Changed ${swap} in ${path}`;
  const came = tellingLine(change.plus.filter((line) => !change.minus.includes(line)));
  if (came) return `Edited ${path}: \`${came}\``;
  const went = tellingLine(change.minus);
  if (went) return `Edited ${path}: removed \`${went}\``;
  return change.added + change.removed > 0
    ? `Edited ${path} (+${change.added} −${change.removed})`
    : `Edited ${path}`;
}

/** The first line that does something; a line in the middle of a text says little. */
function tellingLine(lines: readonly string[]): string {
  const found =
    lines.find((line) => line.length > 8 && /[=(:{]|=>/.test(line) && !isComment(line) && !isImport(line)) ??
    lines.find((line) => line.length > 8 && !isComment(line) && !isImport(line)) ??
    lines[0] ??
    "";
  return cutText(oneLine(found.replaceAll("`", "'").replace(/[,;{([\s]+$/, "")), 60);
}

const SWAP_MAX = 36;

/** For one line that changed in one place: `old` to `new`; "" otherwise. */
function swapOf(change: FileChange): string {
  const [before, after] = [change.minus[0] ?? "", change.plus[0] ?? ""];
  if (change.minus.length !== 1 || change.plus.length !== 1) return "";
  const [old, now] = [before.split(/\s+/), after.split(/\s+/)];
  let head = 0;
  while (head < old.length && head < now.length && old[head] === now[head]) head += 1;
  let tail = 0;
  while (tail < old.length - head && tail < now.length - head && old.at(-1 - tail) === now.at(-1 - tail))
    tail += 1;
  const [gone, come] = [
    old.slice(head, old.length - tail).join(" "),
    now.slice(head, now.length - tail).join(" "),
  ];
  const telling = /[\p{L}\p{N}]/u;
  if (gone === come) return "";
  if (gone.length > SWAP_MAX || come.length > SWAP_MAX || !telling.test(gone) || !telling.test(come))
    return "";
  const [from, to] = withoutCommonMarks(gone, come);
  return `\`${from}\` to \`${to}\``;
}

/** Quotes, brackets and commas that both have at an end say nothing. */
function withoutCommonMarks(before: string, after: string): [string, string] {
  let [from, to] = [before, after];
  while (
    from.length > 1 &&
    to.length > 1 &&
    from.at(-1) === to.at(-1) &&
    /[^\p{L}\p{N}]/u.test(from.at(-1) ?? "")
  ) {
    [from, to] = [from.slice(0, -1), to.slice(0, -1)];
  }
  while (from.length > 1 && to.length > 1 && from[0] === to[0] && /[^\p{L}\p{N}]/u.test(from[0] ?? "")) {
    [from, to] = [from.slice(1), to.slice(1)];
  }
  return [from.replaceAll("`", "'").toWellFormed(), to.replaceAll("`", "'").toWellFormed()];
}
