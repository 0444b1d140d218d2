/** What sort of thing an observation notes, read from its unit, and the commands it speaks of. */
import type { Note } from "../store/links.ts";
import { isCheck, readCommands } from "./local/commands.ts";

export type Check = { kind: string; text: string; family: string };

export function isEdit(note: Note): boolean {
  return note.unit.startsWith("edit:");
}

export function isFailure(note: Note): boolean {
  return note.unit.startsWith("failure:");
}

/** Failed, and nothing in its turn made it work. */
export function isOpenFailure(note: Note): boolean {
  return isFailure(note) && !note.concepts.includes("problem-solution");
}

export function isPass(note: Note): boolean {
  return note.unit === "run:checks";
}

/** What the user decided or wants, in the user's words. */
export function isUserDecision(note: Note): boolean {
  return note.type === "decision" && (note.origin === "user" || note.origin === "manual");
}

/** A statement in somebody's words, not a trace of what was done. */
export function isClaim(note: Note): boolean {
  return (note.origin === "assistant" || note.origin === "user") && !isEdit(note) && !isFailure(note);
}

const UNSURE = /\(unconfirmed\)/;

export function isHypothesis(note: Note): boolean {
  return note.hypothesis || UNSURE.test(note.title);
}

/** The check a failure's unit names; `null` for what is none. */
export function failedCheck(note: Note): Check | null {
  const found = /^failure:(test|build|lint|types):([\s\S]+)$/.exec(note.unit);
  const text = found?.[2] ?? "";
  return found ? { kind: found[1] ?? "", text, family: familyOf(text) } : null;
}

/** A fact with which other work says what checked it. */
const VERIFIED = "Verified: ";

/** What a note says of passing checks, in words; [] where it says nothing of them. */
export function passWords(note: Pick<Note, "unit" | "title" | "facts">): string[] {
  if (note.unit === "run:checks") return [note.title, ...note.facts];
  return note.facts.flatMap((fact) => (fact.startsWith(VERIFIED) ? [fact.slice(VERIFIED.length)] : []));
}

/** The checks that passed, from the commands named in the note. */
export function passedChecks(note: Note): Check[] {
  const shown = new Set(passWords(note).flatMap((text) => text.match(/`[^`]+`/g) ?? []));
  return [...shown].flatMap((code) => {
    const text = code.slice(1, -1);
    const [command] = readCommands(text.replace(/…$/, ""));
    return command && isCheck(command.kind) ? [{ kind: command.kind, text, family: command.family }] : [];
  });
}

function familyOf(text: string): string {
  return readCommands(text)[0]?.family ?? "";
}

/** The tests a check named as failing. */
export function failingNames(note: Note): string[] {
  const fact = note.facts.find((one) => one.startsWith("Failing: "));
  return fact ? fact.slice(9).replace(/…$/, "").split(", ") : [];
}

type Named = Pick<Note, "unit" | "facts">;

export function isPlan(note: Named): boolean {
  return note.unit === "plan" || note.unit.startsWith("plan:");
}

/** Items of a plan that are not done yet. */
export function openItems(note: Named): string[] {
  return isPlan(note) ? note.facts.flatMap((fact) => /^Open: (.+)$/.exec(fact)?.[1] ?? []) : [];
}

/** All items of a plan. */
export function planItems(note: Named): string[] {
  return isPlan(note) ? note.facts.map((fact) => fact.replace(/^(?:Open|Done): /, "")) : [];
}
