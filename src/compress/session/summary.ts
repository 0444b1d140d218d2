/** A session told as one. Pure: from what its turns left. */
import type { Observation, Summary, SummaryDraft } from "../../core/observation.ts";
import { cutText } from "../../core/text.ts";
import { areasOf, completedInSession, isUndone } from "./done.ts";
import { learnedInSession } from "./learned.ts";
import { openSteps } from "./open-steps.ts";
import { requestOfSession } from "./request.ts";

/** UTF-16 units of each part; about 1,200 in all, what a reader takes in at a glance. */
export const PART_MAX = {
  request: 240,
  investigated: 130,
  learned: 330,
  completed: 330,
  nextSteps: 240,
  notes: 120,
};
const FILES_MAX = 100;

/**
 * `turns` and `observations` of one session, in any order. What is superseded by another note of the session is
 * left out; later sessions do not change what this one was. `null` where no turn has a summary.
 */
export function summarizeSession(
  turns: readonly Summary[],
  observations: readonly Observation[],
): SummaryDraft | null {
  const inTime = [...turns].sort((a, b) => a.at - b.at || (a.promptNumber ?? 0) - (b.promptNumber ?? 0));
  const last = inTime.at(-1);
  if (!last) return null;
  const notes = [...observations].sort((a, b) => a.at - b.at || a.id - b.id);
  const filesEdited = editedFiles(inTime, notes);
  const edited = new Set(filesEdited);
  const filesRead = byCount(inTime.flatMap((turn) => turn.filesRead)).filter((path) => !edited.has(path));
  return {
    request: requestOfSession(inTime, notes),
    investigated: investigated(filesRead, edited.size > 0),
    learned: learnedInSession(inTime, notes),
    completed: completedInSession(inTime, notes, filesEdited),
    nextSteps: openSteps(inTime, notes),
    notes: cutText(last.notes, PART_MAX.notes),
    filesRead: filesRead.slice(0, FILES_MAX),
    filesEdited: filesEdited.slice(0, FILES_MAX),
    at: last.at,
  };
}

/** Files changed, but for those whose changes were all taken back. */
function editedFiles(turns: readonly Summary[], notes: readonly Observation[]): string[] {
  const undone = new Set<string>();
  const standing = new Set<string>();
  for (const note of notes) {
    for (const path of note.filesModified) (isUndone(note, notes) ? undone : standing).add(path);
  }
  const all = new Set([...turns.flatMap((turn) => turn.filesEdited), ...standing]);
  return [...all].filter((path) => !undone.has(path) || standing.has(path));
}

/** The files read most, by area where they are many. What was changed is told as done. */
function investigated(read: readonly string[], hasEdited: boolean): string {
  if (read.length === 0) return "";
  const lead = hasEdited ? "Also read" : "Read";
  const whole = `${lead} ${read.join(", ")}`;
  if (whole.length <= PART_MAX.investigated) return whole;
  return cutText(`${lead} ${read.length} files: ${areasOf(read, 3)}`, PART_MAX.investigated);
}

function byCount(items: readonly string[]): string[] {
  const counts = new Map<string, number>();
  for (const item of items) counts.set(item, (counts.get(item) ?? 0) + 1);
  return [...counts].sort((a, b) => b[1] - a[1]).map(([item]) => item);
}
