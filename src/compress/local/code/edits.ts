/** One observation for every file a turn changed. */
import type { ObservationDraft } from "../../../core/observation.ts";
import { cutText } from "../../../core/text.ts";
import type { Turn } from "../../../core/turn.ts";
import { agentOf, type Call, draftOf } from "../call.ts";
import { baseName, classOf, shortPath } from "../paths.ts";
import type { Aim } from "../talk/aim.ts";
import { counted, listed, titleOf } from "../words.ts";
import { changeOf, type FileChange } from "./changes.ts";
import { editTitle } from "./edit-title.ts";
import { editsByFile } from "./patch.ts";

/** A file's edits in the turn: the draft and what later steps weigh it by. */
export type EditDraft = {
  path: string;
  /** All files it tells of: more where edits belong together. */
  paths: string[];
  /** Unix milliseconds of its first edit. */
  firstAt: number;
  change: FileChange;
  draft: ObservationDraft;
};

/**
 * In order of the first edit. Calls of subagents count as the turn's own. `faults` are sentences that say what was
 * wrong: they make a mending of the edits they name, or of the only one, not of all that the turn did.
 */
export function editDrafts(
  turn: Turn,
  calls: readonly Call[],
  aim: Aim,
  faults: readonly string[] = [],
): EditDraft[] {
  const files = editsByFile(calls, turn.root);
  const only = files.filter((file) => classOf(file.path) === "source").length === 1;
  return files.map((file) => {
    const { path } = file;
    const change = changeOf(path, file.patches);
    const mends = faults.some((fault) => only || isNamed(fault, path, change));
    const type = typeOf(path, change, mends ? "fix" : aim);
    const draft = draftOf(`edit:${path}`, file.calls, {
      type,
      title: editTitle(path, change),
      facts: factsOf(change, file.calls.length),
      concepts: type === "bugfix" ? ["what-changed", "problem-solution"] : ["what-changed"],
      filesModified: [path],
      ...agentOf(file.calls),
    });
    return { path, paths: [path], firstAt: file.calls[0]?.at ?? 0, change, draft };
  });
}

function isNamed(sentence: string, path: string, change: FileChange): boolean {
  const names = change.names.filter((name) => name.kind !== "key").map((name) => name.name);
  return [baseName(path), ...names].some((name) => name.length > 3 && sentence.includes(name));
}

function typeOf(path: string, change: FileChange, aim: Aim): string {
  if (classOf(path) !== "source") return "change";
  if (change.only !== null || change.plus.length + change.minus.length === 0) return "change";
  if (aim === "fix") return "bugfix";
  const added = change.names.filter((name) => name.state === "added" && name.kind === "definition");
  if (aim === "refactor" && !added.some((name) => name.exported)) return "refactor";
  return change.created || added.length > 0 ? "feature" : "change";
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
  const [before, after] = aroundDifference(minus.join(" "), plus.join(" "), FACT_SIDE_MAX);
  facts.push(before && after ? `${before} → ${after}` : after ? `New: ${after}` : `Gone: ${before}`);
  return facts;
}

const FACT_SIDE_MAX = 160;
/** What is kept before a difference that begins late (UTF-16 units). */
const BEFORE = 40;

/** Both texts cut so that what differs is seen. */
function aroundDifference(before: string, after: string, max: number): [string, string] {
  let same = 0;
  while (same < before.length && before[same] === after[same]) same += 1;
  const skipped =
    Math.max(before.length, after.length) > max && same > BEFORE
      ? before.lastIndexOf(" ", same - BEFORE) + 1
      : 0;
  const side = (text: string) => cutText(`${skipped > 0 ? "…" : ""}${text.slice(skipped)}`, max);
  return before === "" || after === ""
    ? [cutText(before, max), cutText(after, max)]
    : [side(before), side(after)];
}

const LEFT_OUT_MAX = 30;

/** One draft for the files whose changes matter least. */
export function foldEdits(edits: readonly EditDraft[]): ObservationDraft {
  const paths = edits.flatMap((edit) => edit.paths);
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
