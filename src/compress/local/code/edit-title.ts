/** A file's changes in one line, as a colleague would tell them. */
import { cutText, oneLine } from "../../../core/text.ts";
import { shortPath } from "../paths.ts";
import { listed, TITLE_MAX, titleOf } from "../words.ts";
import type { Change, FileChange } from "./changes.ts";
import { newsOf, tellingLine } from "./news.ts";
import type { Swap } from "./swap.ts";

const ROOM_FOR_NAMES = 3;
/** Shorter remnants of a line tell nothing. */
const DETAIL_MIN = 30;

/** Names what changed as far as it fits on one line; the path is shortened before names are left out. */
export function editTitle(path: string, change: FileChange): string {
  for (const [max, shown] of [
    [200, ROOM_FOR_NAMES],
    [44, ROOM_FOR_NAMES],
    [44, 2],
    [32, 2],
    [32, 1],
  ] as const) {
    const title = titleWith(shortPath(path, max), change, shown);
    if (title.length <= TITLE_MAX) return titleOf(title);
  }
  const tests = testsTitle(path, change);
  if (tests !== "") return titleOf(tests);
  for (const max of [44, 32, 24]) {
    const names = change.names.map((name) => ({ ...name, name: cutText(name.name, max) }));
    const title = titleWith(shortPath(path, max), { ...change, names }, 1);
    if (title.length <= TITLE_MAX || max === 24) return titleOf(title);
  }
  return titleOf(`Edited ${path}`);
}

/** For files of tests, whose names are long: how many, and the first. */
function testsTitle(path: string, change: FileChange): string {
  const { names } = change;
  if (names.length < 2 || !names.every((name) => name.kind === "test") || change.created || change.wrote)
    return "";
  const parts = (["added", "removed", "changed"] as const).flatMap((state) => {
    const count = names.filter((name) => name.state === state).length;
    return count > 0 ? [`${state} ${count}`] : [];
  });
  const [first = "", ...others] = parts;
  const counts = [first.replace(/$/, first.endsWith(" 1") ? " test" : " tests"), ...others].join(", ");
  const title = `${counts} in ${shortPath(path, 44)}: ${names[0]?.name ?? ""}, …`;
  return title.length <= TITLE_MAX ? title : `${counts} in ${shortPath(path, 32)}`;
}

function titleWith(path: string, change: FileChange, shown: number): string {
  const names = change.names;
  const of = (state: Change["state"]) => names.filter((name) => name.state === state && !name.from);
  if (change.created || change.wrote)
    return `${change.created ? "Created" : "Wrote"} ${path}${inBrackets(names, shown)}`;
  const sections = names.filter((name) => name.kind === "section");
  if (sections.length > 0) return sectionTitle(path, sections, shown, change);
  const renamed = names.filter((name) => name.from).map((name) => `${name.from} to ${name.name}`);
  if (change.swap && renamed.length === 0) return swapTitle(path, change, change.swap);
  const parts: [string, string[], string][] = [
    ["Added", shownNames(of("added")), "to"],
    ["Renamed", renamed, "in"],
    ["Removed", shownNames(of("removed")), "from"],
    ["Changed", shownNames(of("changed")), "in"],
  ];
  const full = parts.filter(([, list]) => list.length > 0);
  const [only] = full;
  if (!only) return plainTitle(path, change);
  const [verb, list, where] = only;
  if (full.length > 1) {
    const few = full
      .slice(0, shown > 1 ? 3 : 2)
      .map(([other, some]) => `${other.toLowerCase()} ${listed(some, Math.max(1, shown - 1))}`);
    return `${few.join(", ")} in ${path}`.replace(/^./, (letter) => letter.toUpperCase());
  }
  const title = `${verb} ${listed(list, shown)} ${where} ${path}`;
  return verb === "Changed" ? withDetail(title, change) : title;
}

/** What is new inside, where there is room for it. */
function withDetail(title: string, change: FileChange): string {
  const names = change.names.map((name) => name.name);
  const room = TITLE_MAX - title.length - 2;
  const news = newsOf(change, names);
  if (news !== "" && news.length <= room) return `${title}: ${news}`;
  if (change.plus.length > 3 || room < DETAIL_MIN) return title;
  const line = tellingLine(change.plus.length > 0 ? change.plus : change.minus, Math.min(60, room - 12));
  if (line === "" || /^[\W\d]*$/.test(line)) return title;
  return change.plus.length > 0 ? `${title}: \`${line}\`` : `${title}: without \`${line}\``;
}

function swapTitle(path: string, change: FileChange, swap: Swap): string {
  const inside = change.names.filter((name) => name.kind !== "key" && !name.from);
  const [one] = inside;
  const where =
    one && inside.length === 1 && one.name !== swap.to && one.name !== swap.from
      ? `${one.name} (${path})`
      : path;
  return `${swapWords(swap)} in ${where}`;
}

const NAME = /^[\p{L}_$][\p{L}\p{N}_$]*$/u;

/** `Renamed a to b` for a name at several places, else `Changed …`. */
export function swapWords({ from, to, lines }: Swap): string {
  return lines > 1 && NAME.test(from) && NAME.test(to)
    ? `Renamed ${from} to ${to}`
    : `Changed \`${from}\` to \`${to}\``;
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

function sectionTitle(path: string, sections: readonly Change[], shown: number, change: FileChange): string {
  const all = sections.map((section) => cutText(section.name, 50));
  const added = sections.every((section) => section.state === "added");
  const removed = sections.every((section) => section.state === "removed");
  const noun = sections.length === 1 ? "section" : "sections";
  const verb = added ? "Added to" : removed ? "Removed from" : "Edited";
  const title = `${verb} ${path}: ${noun} ${listed(all, shown)}`;
  if (verb !== "Edited" || sections.length > 1) return title;
  const line = tellingProse(change.plus.filter((text) => !change.minus.includes(text)));
  const room = TITLE_MAX - title.length - 5;
  return line !== "" && room >= 24 ? `${title} (“${cutText(line, Math.min(60, room))}”)` : title;
}

/** For changes inside something that neither the patch nor anything read names. */
function plainTitle(path: string, change: FileChange): string {
  if (change.only === "imports") return importTitle(path, change);
  if (change.only === "comments") return commentTitle(path, change);
  const keys = change.names.filter((name) => name.kind === "key").map((name) => name.name);
  const news = newsOf(change, keys);
  if (news !== "") return `${path} ${news}`;
  const came = tellingLine(change.plus.filter((line) => !change.minus.includes(line)));
  if (came) return `Edited ${path}: \`${came}\``;
  const went = tellingLine(change.minus);
  if (went) return `Edited ${path}: removed \`${went}\``;
  return change.added + change.removed > 0
    ? `Edited ${path} (+${change.added} −${change.removed})`
    : `Edited ${path}`;
}

function importTitle(path: string, change: FileChange): string {
  const of = (lines: readonly string[], others: readonly string[]) =>
    lines
      .filter((line) => !others.includes(line))
      .map((line) => /["']([^"']+)["']/.exec(line)?.[1] ?? line)
      .map((name) => `\`${cutText(name.replaceAll("`", "'"), 40)}\``);
  const [came, went] = [of(change.plus, change.minus), of(change.minus, change.plus)];
  if (came.length > 0) return `Imported ${listed(came, 2)} in ${path}`;
  return went.length > 0 ? `Dropped import ${listed(went, 2)} from ${path}` : `Changed imports in ${path}`;
}

function commentTitle(path: string, change: FileChange): string {
  const line = tellingProse(change.plus.filter((text) => !change.minus.includes(text)));
  const gone = tellingProse(change.minus);
  if (line !== "") return `Commented in ${path}: “${cutText(line, 60)}”`;
  return gone !== ""
    ? `Removed a comment from ${path}: “${cutText(gone, 50)}”`
    : `Reworded comments in ${path}`;
}

/** The first line of words, without its marks. */
function tellingProse(lines: readonly string[]): string {
  const bare = lines.map((line) =>
    oneLine(line.replace(/^[\s/*#<!>|-]+|[\s*/>|-]+$/g, "").replace(/\*\*|`/g, "")),
  );
  return bare.find((line) => /\p{L}+\s+\p{L}+/u.test(line)) ?? "";
}
