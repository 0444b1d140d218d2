/** By what an observation is found again. */
import type { Note, Subject } from "../../store/links.ts";
import { failedCheck, isEdit, isPass, isPlan, isUserDecision, passedChecks } from "../note-kinds.ts";
import { hash48, type Terms, termsOf } from "../terms.ts";
import { rivalsIn } from "./rivals.ts";

/** Of its title, so many terms: notes that share most of their words share most of these too. */
const TERMS_MAX = 8;

/** The subjects of a note; see `Subject` for odd and even. */
export function subjectsOf(note: Note): Subject[] {
  const found = new Set(ownSubjects(note).map((name) => 2 * Math.floor(hash48(name) / 2)));
  for (const term of tellingTerms(note)) found.add(2 * Math.floor(hash48(`word ${term}`) / 2) + 1);
  return [...found];
}

/** What alone makes two notes worth comparing. */
function ownSubjects(note: Note): string[] {
  const names: string[] = [];
  if (/^[a-z]+:./.test(note.unit) && !note.unit.endsWith("*") && !isPass(note))
    names.push(`unit ${note.unit}`);
  const failed = failedCheck(note);
  if (failed) names.push(`check ${failed.kind}`);
  for (const check of passedChecks(note)) names.push(`check ${check.kind}`);
  if (isUserDecision(note)) {
    names.push("decision");
    for (const { group } of rivalsIn(textOf(note))) names.push(`rivals ${group}`);
  }
  for (const hash of commitsIn(note)) names.push(`commit ${hash}`);
  if (note.unit === "run:git") names.push(`git ${note.sessionRowId}`);
  if (isPlan(note)) names.push(`plan ${note.sessionRowId}`);
  if (undoes(note)) for (const path of note.filesModified.slice(0, 8)) names.push(`unit edit:${path}`);
  return names;
}

const UNDOES = /^(?:reverted|discarded|restored|undid|undone|threw away)\b/i;

/** Whether it notes that changes to files were taken back. */
export function undoes(note: Note): boolean {
  return !isEdit(note) && note.origin === "tool" && UNDOES.test(note.title);
}

/** The note's own words: of a decision all of them, of others the title. */
export function textOf(note: Note): string {
  return note.type === "decision" && note.narrative ? note.narrative : note.title;
}

/** Abbreviated hashes of the commits a note of git names. */
export function commitsIn(note: Note): string[] {
  if (note.unit !== "run:git") return [];
  const named = [note.title, ...note.facts].join("\n");
  return [...named.matchAll(/\b(?:commit|reverted) ([0-9a-f]{7})[0-9a-f]*\b/gi)].map(
    ([, hash]) => hash ?? "",
  );
}

/** The terms of the note's own words. */
export function ownTerms(note: Note): Terms {
  return termsOf(textOf(note));
}

/**
 * The heaviest terms, of equals those with the smallest hash: the same choice for whoever has the same words. Of an
 * edit its file says enough.
 */
function tellingTerms(note: Note): string[] {
  if (isEdit(note) || isPass(note)) return [];
  return [...ownTerms(note)]
    .sort(([one, weight], [other, heavy]) => heavy - weight || hash48(one) - hash48(other))
    .slice(0, TERMS_MAX)
    .map(([term]) => term);
}
