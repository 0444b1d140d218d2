/** One observation for every file a turn changed. */
import type { ObservationDraft } from "../../core/observation.ts";
import { cutText, oneLine } from "../../core/text.ts";
import type { Turn } from "../../core/turn.ts";
import { type Aim, aimOf } from "./aim.ts";
import { agentOf, type Call, draftOf, fileOf } from "./call.ts";
import { type Change, changeOf, type FileChange } from "./changes.ts";
import { EDIT_TOOLS, patchOf } from "./patch.ts";
import { classOf, shortPath } from "./paths.ts";
import { counted, listed, TITLE_MAX, titleOf } from "./words.ts";

/** A file's edits in the turn: the draft and what later steps weigh it by. */
export type EditDraft = { path: string; change: FileChange; draft: ObservationDraft };

/** In order of the first edit. Calls of subagents count as the turn's own. */
export function editDrafts(turn: Turn, calls: readonly Call[]): EditDraft[] {
  const byFile = new Map<string, Call[]>();
  for (const call of calls) {
    if (call.failed || !EDIT_TOOLS.test(call.tool)) continue;
    const path = fileOf(call, turn.root);
    if (path === "") continue;
    byFile.set(path, [...(byFile.get(path) ?? []), call]);
  }
  const aim = aimOf(turn.prompt);
  return [...byFile].map(([path, edits]) => {
    const change = changeOf(path, edits.map(patchOf));
    const type = typeOf(path, change, aim);
    const draft = draftOf(`edit:${path}`, edits, {
      type,
      title: editTitle(path, change),
      facts: factsOf(change, edits.length),
      concepts: type === "bugfix" ? ["what-changed", "problem-solution"] : ["what-changed"],
      filesModified: [path],
      ...agentOf(edits),
    });
    return { path, change, draft };
  });
}

function typeOf(path: string, change: FileChange, aim: Aim): string {
  if (classOf(path) !== "source") return "change";
  if (aim === "fix") return "bugfix";
  const added = change.names.filter((name) => name.state === "added" && name.kind === "definition");
  if (aim === "refactor" && !added.some((name) => name.exported)) return "refactor";
  return change.created || added.length > 0 ? "feature" : "change";
}

const ROOM_FOR_NAMES = 3;

/** Names what changed as far as it fits on one line. */
export function editTitle(path: string, change: FileChange): string {
  for (const shown of [ROOM_FOR_NAMES, 2, 1]) {
    const title = titleWith(path, change, shown);
    if (title.length <= TITLE_MAX) return titleOf(title);
  }
  return titleOf(titleWith(shortPath(path, 48), change, 1));
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
  const came = tellingLine(change.plus.filter((line) => !change.minus.includes(line)));
  if (came) return `Edited ${path}: ${came}`;
  const went = tellingLine(change.minus);
  if (went) return `Edited ${path}: removed ${went}`;
  return change.added + change.removed > 0
    ? `Edited ${path} (+${change.added} −${change.removed})`
    : `Edited ${path}`;
}

function tellingLine(lines: readonly string[]): string {
  const rated = lines.map((line) => ({
    line,
    rate: Math.min(line.length, 60) + (/[=(:]/.test(line) ? 10 : 0),
  }));
  const best = rated.reduce((top, one) => (one.rate > top.rate ? one : top), { line: "", rate: 0 });
  return cutText(oneLine(best.line), 60);
}

/** A change this small (lines) is told word for word. */
const SMALL = 2;

function factsOf(change: FileChange, edits: number): string[] {
  const facts = [`+${change.added} −${change.removed} lines in ${counted(edits, "edit")}`];
  for (const [state, label] of [
    ["added", "Added"],
    ["removed", "Removed"],
    ["changed", "Changed"],
  ] as const) {
    const names = change.names.filter((name) => name.state === state).map((name) => name.name);
    if (names.length > 0) facts.push(cutText(`${label}: ${names.join(", ")}`, 300));
  }
  const { plus, minus } = change;
  if (change.created || plus.length > SMALL || minus.length > SMALL || plus.length + minus.length === 0)
    return facts;
  const [before, after] = [cutText(minus.join(" "), 160), cutText(plus.join(" "), 160)];
  facts.push(before && after ? `${before} → ${after}` : after ? `New: ${after}` : `Gone: ${before}`);
  return facts;
}

const LEFT_OUT_MAX = 30;

/** One draft for the files whose changes matter least. */
export function foldEdits(edits: readonly EditDraft[]): ObservationDraft {
  const paths = edits.map((edit) => edit.path);
  const drafts = edits.map((edit) => edit.draft);
  const evidence = [...new Set(drafts.flatMap((draft) => draft.evidence))].sort((one, other) => one - other);
  return {
    ...draftOf("edit:*", [], {
      type: "change",
      title: titleOf(
        `Changed ${counted(paths.length, "more file")}: ${listed(
          paths.map((path) => shortPath(path, 30)),
          3,
        )}`,
      ),
      facts: edits.slice(0, LEFT_OUT_MAX).map((edit) => cutText(edit.draft.title, 160)),
      concepts: ["what-changed"],
      filesModified: paths,
    }),
    evidence,
    at: Math.max(...drafts.map((draft) => draft.at)),
  };
}

/** What an edit weighs against others: source before tests before the rest, then size. */
export function weightOf(edit: EditDraft): number {
  const kind = { source: 1_000, test: 400, config: 200, docs: 200 }[classOf(edit.path)];
  return kind + (edit.change.created ? 300 : 0) + Math.min(edit.change.added + edit.change.removed, 500);
}
