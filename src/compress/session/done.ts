/** What stands at a session's end: its net effect. */
import type { Observation, Summary } from "../../core/observation.ts";
import { cutText, sentencesOf } from "../../core/text.ts";
import { passWords } from "../note-kinds.ts";
import { heldIn, termsOf } from "../terms.ts";

const COMPLETED_MAX = 330;
const OWN_MAX = 150;

/** Taken back within the session. */
export function isUndone(note: Observation, notes: readonly Observation[]): boolean {
  return note.supersededHow === "corrected" && notes.some((other) => other.id === note.supersededBy);
}

/** The assistant's sentence about the largest piece of work, commits, files by area, the last verdict. */
export function completedInSession(
  turns: readonly Summary[],
  notes: readonly Observation[],
  filesEdited: readonly string[],
): string {
  const commits = commitsOf(notes);
  const deeds = [commitWords(commits), deedWords(notes)].filter((text) => text !== "");
  const inProject = filesEdited.filter((path) => !/^[~/]/.test(path));
  const files = inProject.length > 0 ? `Changed ${shownFiles(inProject)}.` : "";
  const verdict = verdictOf(notes);
  const fixed = COMPLETED_MAX - [...deeds, files, verdict].join(" ").length;
  const own = fixed > 60 ? ownSentence(turns, notes, Math.min(OWN_MAX, fixed - 1)) : "";
  const edits = own === "" && commits.length === 0 ? editTitles(notes, fixed) : "";
  if (edits !== "" && inProject.length <= 2)
    return cutText([edits, ...deeds, verdict].join(" ").trim(), COMPLETED_MAX);
  return cutText(
    [own || edits, ...deeds, files, verdict].filter((text) => text !== "").join(" "),
    COMPLETED_MAX,
  );
}

const EDIT_RANK = ["feature", "bugfix", "refactor", "change"];

/** The weightiest edits that stand, as their titles tell them. */
function editTitles(notes: readonly Observation[], room: number): string {
  const rank = (note: Observation) =>
    EDIT_RANK.indexOf(note.type) +
    (/(?:^|[/._-])(?:tests?|spec|__tests__)(?:[/._-]|$)/i.test(note.unit) ? 4 : 0);
  const titles = notes
    .filter((note) => note.unit.startsWith("edit:") && note.supersededBy === null)
    .sort((a, b) => rank(a) - rank(b) || b.at - a.at)
    .slice(0, 2)
    .map((note) => note.title);
  const all = `${titles.join(". ")}.`;
  if (titles.length === 0) return "";
  return all.length <= room ? all : `${cutText(titles[0] ?? "", Math.max(40, room))}.`;
}

/** Subjects of the session's commits that were not taken back, oldest first; an amended one once. */
function commitsOf(notes: readonly Observation[]): string[] {
  const subjects: string[] = [];
  for (const note of notes) {
    if (note.unit !== "run:git" || isUndone(note, notes)) continue;
    const told = note.facts.length > 0 ? note.facts : [note.title];
    for (const [, verb = "", subject = ""] of told
      .join("\n")
      .matchAll(/\b(committed|amended) “([^”\n]+)”?/gi)) {
      if (verb.toLowerCase() === "amended") subjects.pop();
      if (!subjects.includes(subject)) subjects.push(subject);
    }
  }
  return subjects;
}

function commitWords(subjects: readonly string[]): string {
  if (subjects.length === 0) return "";
  const shown = subjects.slice(-3).map((subject) => `“${cutText(subject, 60)}”`);
  const more = subjects.length - shown.length;
  return `Committed ${shown.join(", ")}${more > 0 ? ` and ${more} more` : ""}.`;
}

/** Pull requests and the like; pushes go without saying. */
function deedWords(notes: readonly Observation[]): string {
  const found = notes
    .filter((note) => note.unit === "run:git")
    .flatMap((note) => (note.facts.length > 0 ? note.facts : [note.title]))
    .flatMap((text) => text.match(/\b(?:opened|merged|closed) (?:PR|issue)[^,:]*/gi) ?? []);
  const [last] = found.slice(-1);
  return last ? `${cutText(last.trim(), 70)}.` : "";
}

function shownFiles(files: readonly string[]): string {
  return files.length <= 2 ? files.join(" and ") : `${files.length} files (${areasOf(files, 3)})`;
}

/** Where files lie, the fullest area first: "src/store 4, docs 1". */
export function areasOf(files: readonly string[], shown: number): string {
  const areas = new Map<string, number>();
  for (const file of files) {
    const area = file.split("/").slice(0, -1).join("/") || "top";
    areas.set(area, (areas.get(area) ?? 0) + 1);
  }
  const sorted = [...areas].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1));
  const few = sorted.slice(0, shown).map(([area, count]) => `${shortArea(area)} ${count}`);
  return sorted.length > shown ? `${few.join(", ")}, …` : few.join(", ");
}

function shortArea(area: string): string {
  const parts = area.split("/").filter((part) => part !== "");
  return parts.length <= 3 ? area : `…/${parts.slice(-2).join("/")}`;
}

/** The last word of the checks: what passes, unless something was left failing after it. */
function verdictOf(notes: readonly Observation[]): string {
  const pass = notes.findLast((note) => passWords(note).length > 0);
  if (!pass) return "";
  const isRed = notes.some((note) => isLeftFailing(note, notes) && note.at > pass.at);
  if (isRed) return "";
  const words = (passWords(pass)[0] ?? "").replace(/\s*\([^)]*\)?/g, "").replace(/[;…]/g, ",");
  const verdict = cutText(words.replace(/,\s*$/, ""), 60);
  return `${verdict.charAt(0).toUpperCase()}${verdict.slice(1)}.`;
}

/** A check that failed, and nothing later in the session made it pass. */
export function isLeftFailing(note: Observation, notes: readonly Observation[]): boolean {
  if (!/^failure:(?:test|build|lint|types):/.test(note.unit)) return false;
  if (note.concepts.includes("problem-solution")) return false;
  return !notes.some((other) => other.id === note.supersededBy);
}

/** Lists of the compressor's own making. */
const MADE =
  /^(?:changed|edited|added|removed|renamed|committed|amended|pushed|merged|opened|created branch|tests? pass|build|lint|types)\b.*(?:\d files?|[\w/]+\.\w+|“|pass|clean|and \d)/i;
const MADE_VERDICT = /^(?:tests? pass|build passes|lint is clean|types check)/i;
/** A sentence of fewer terms says that something was done, not what. */
const TELLING_TERMS = 5;

/** What the assistant itself said about the turns in which most was changed. */
function ownSentence(turns: readonly Summary[], notes: readonly Observation[], max: number): string {
  const undone = notes.filter((note) => isUndone(note, notes)).map((note) => termsOf(note.title));
  const said = turns
    .map((turn) => ({ turn, text: sentencesOf(turn.completed)[0] ?? "" }))
    .filter(({ text }) => !MADE.test(text) && !MADE_VERDICT.test(text) && termsOf(text).size >= TELLING_TERMS)
    .filter(({ text }) => !undone.some((gone) => heldIn(gone, termsOf(text)) > 0.6))
    .sort((a, b) => b.turn.filesEdited.length - a.turn.filesEdited.length || b.turn.at - a.turn.at);
  const [best] = said;
  return best ? cutText(best.text, max) : "";
}
