/** What earlier sessions left to do, as far as nothing later shows that it was done. Pure. */
import type { Summary } from "../core/observation.ts";
import { sentencesOf } from "../core/text.ts";
import type { Candidate } from "../store/candidates.ts";
import { DAY_MS, overlap, wordsOf } from "./select.ts";

export type OpenStep = { at: number; text: string; session: Summary };

/** A step named longer ago was done elsewhere, or is not wanted any more. */
const STEP_DAYS = 14;
/** A check that failed longer ago says nothing about the code of today. */
const RED_DAYS = 7;
const STEPS_MAX = 6;
const RED_MAX = 3;
/** So much of a step's words in what was done later, and it is done. */
const DONE = 0.6;
const SAME = 0.7;
/** Fewer words than these agree by chance. */
const TELLING_WORDS = 3;

/**
 * The next steps of `sessions` (newest first) that no later session, note or commit took up, newest first; each told
 * once. `done` gives what was done after a moment, `today` is the start of the day (Unix ms).
 */
export function openSteps(
  sessions: readonly Summary[],
  done: (since: number) => readonly { at: number; text: string }[],
  today: number,
): OpenStep[] {
  const left = sessions.filter((one) => one.nextSteps !== "" && one.at >= today - STEP_DAYS * DAY_MS);
  const oldest = left.at(-1);
  if (!oldest) return [];
  const since = done(oldest.at);
  const found: (OpenStep & { words: Set<string> })[] = [];
  for (const session of left) {
    for (const text of sentencesOf(session.nextSteps)) {
      const words = wordsOf(text);
      if (words.size < TELLING_WORDS) continue;
      if (found.some((other) => overlap(words, other.words) >= SAME)) continue;
      if (since.some((one) => one.at > session.at && heldIn(words, one.text) >= DONE)) continue;
      found.push({ at: session.at, text, session, words });
    }
  }
  return found.slice(0, STEPS_MAX);
}

/** What sessions, notes and commits say was done after `since`, in lower case: what a step may have become. */
export function doneSince(
  since: number,
  sessions: readonly Summary[],
  notes: readonly Candidate[],
  commits: readonly { at: number; subject: string }[],
): { at: number; text: string }[] {
  const found: { at: number; text: string }[] = [];
  const note = (at: number, text: string) => {
    if (at > since) found.push({ at, text: text.toLowerCase() });
  };
  for (const { at, request, completed } of sessions) note(at, `${request} ${completed}`);
  for (const one of notes) {
    if (one.at > since && one.filesModified.length > 0 && !isRed(one)) note(one.at, one.title);
  }
  for (const { at, subject } of commits) note(at, subject);
  return found;
}

/** Checks that failed when their turn ended and that nothing has settled since, newest first. */
export function leftRed(notes: readonly Candidate[], today: number): Candidate[] {
  return notes.filter((note) => isRed(note) && note.at > today - RED_DAYS * DAY_MS).slice(0, RED_MAX);
}

/** A failure without its fix. */
export function isRed(note: Candidate): boolean {
  return /^failure:(?:test|build|lint|types):/.test(note.unit) && !note.solved;
}

/** The share of the words that the text (in lower case) holds. */
function heldIn(words: ReadonlySet<string>, text: string): number {
  let held = 0;
  for (const word of words) if (text.includes(word)) held += 1;
  return held / words.size;
}
