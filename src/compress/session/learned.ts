/** The strongest distinct things a session found out. */
import type { Observation, Summary } from "../../core/observation.ts";
import { cutText, sentencesOf } from "../../core/text.ts";
import { isPlan } from "../note-kinds.ts";
import { heldIn, isCodeTerm, likeness, type Terms, termsOf } from "../terms.ts";

const LEARNED_MAX = 330;
const SENTENCES_MAX = 3;
/** A sentence that leaves no room for a second is cut. */
const SENTENCE_MAX = 200;
/** Names neither a cause nor a thing: said in passing. */
const WEIGHT_MIN = 1.2;

const CAUSE =
  /\b(?:root cause|turns out|the (?:actual |real )?(?:problem|issue|bug|reason|cause|culprit|difference) (?:is|was)|caused by|because|ursache|weil|grund|porque|causa|parce que|cause)\b|因为|原因|根本|ため|から/iu;
const GUESS = /\(unconfirmed\)/;
const ABOUT_WORK = /^(?:i|we|i've|let me|all tests|tests|lint)\b/i;
/** Speaks of something said before it: poor alone. */
const POINTS_BACK =
  /^(?:this|that|these|those|it|he|she|they|so|or|and|but|then|here)\b(?! (?:pr|branch|function|file)\b)/i;
const IS_CODE = /[{};=]\s*\S*[{};=]/;

type Saying = { text: string; at: number; terms: Terms; weight: number };

/** In order of time. Nothing that was corrected, and of what says the same only one. */
export function learnedInSession(turns: readonly Summary[], notes: readonly Observation[]): string {
  const sayings = [
    ...notes.filter((note) => tellsFinding(note) && !standsFor(note, notes)).map(sayingOfNote),
    ...turns.flatMap((turn) => sentencesOf(turn.learned).map((text) => sayingOf(text, turn.at, 0))),
  ].filter(({ text }) => text.length > 20);
  const standing = withoutTakenBack(sayings, notes);
  const chosen: Saying[] = [];
  for (const saying of [...standing].sort((a, b) => b.weight - a.weight || b.at - a.at)) {
    const isNew = chosen.every(
      (one) => likeness(one.terms, saying.terms) < 0.4 && heldIn(saying.terms, one.terms) < 0.6,
    );
    if (isNew && saying.weight >= WEIGHT_MIN && chosen.length < SENTENCES_MAX) chosen.push(saying);
  }
  const parts: string[] = [];
  let room = LEARNED_MAX;
  for (const saying of chosen) {
    const text = cutText(saying.text, SENTENCE_MAX);
    if (text.length + 1 > room) continue;
    parts.push(text);
    room -= text.length + 1;
  }
  const kept = chosen.filter((saying) => parts.includes(cutText(saying.text, SENTENCE_MAX)));
  return kept
    .sort((a, b) => a.at - b.at)
    .map((saying) => stopped(cutText(saying.text, SENTENCE_MAX)))
    .join(" ");
}

/** The note of this session that stands for this one. */
function standsFor(note: Observation, notes: readonly Observation[]): Observation | undefined {
  return note.supersededBy === null ? undefined : notes.find((other) => other.id === note.supersededBy);
}

/** Without what says the same as a note that was corrected later; what corrects it may name it. */
function withoutTakenBack(sayings: readonly Saying[], notes: readonly Observation[]): Saying[] {
  const gone = notes.flatMap((note) => {
    const newer = note.supersededHow === "repeated" ? undefined : standsFor(note, notes);
    return newer ? [{ terms: termsOf(note.title), until: newer.at }] : [];
  });
  return sayings.filter(
    (saying) => !gone.some(({ terms, until }) => saying.at < until && heldIn(terms, saying.terms) > 0.6),
  );
}

function tellsFinding(note: Observation): boolean {
  if (note.type === "decision" || note.unit.startsWith("edit:") || isPlan(note)) return false;
  // That code compiles again is no news.
  if (/^failure:(?:build|lint|types):/.test(note.unit)) return false;
  return note.origin === "assistant" || (note.type === "bugfix" && note.unit.startsWith("failure:"));
}

/** A title that was cut is told in full where the narrative begins with it. */
function sayingOfNote(note: Observation): Saying {
  const start = note.title.replace(/(?:…)?(?: \(unconfirmed\))?$/, "");
  const whole = sentencesOf(note.narrative).find((sentence) => sentence.includes(start.slice(1)));
  const isProse = whole !== undefined && whole.length <= SENTENCE_MAX && !whole.includes("; ");
  const text = note.title.includes("…") && isProse ? whole : note.title;
  const bonus = note.agentId === null ? 1 : 0;
  return sayingOf(
    GUESS.test(note.title) && !GUESS.test(text) ? `${text} (unconfirmed)` : text,
    note.at,
    bonus,
  );
}

function sayingOf(text: string, at: number, bonus: number): Saying {
  const terms = termsOf(text);
  const names = [...terms.values()].filter(isCodeTerm).length;
  const weight =
    bonus +
    (CAUSE.test(text) ? 2 : 0) +
    Math.min(names, 3) * 0.7 +
    (terms.size < 4 ? -2 : 0) -
    (GUESS.test(text) ? 1 : 0) -
    (ABOUT_WORK.test(text) ? 1 : 0) -
    (POINTS_BACK.test(text) ? 1.5 : 0) -
    (IS_CODE.test(text) ? 2 : 0) -
    (text.length > SENTENCE_MAX ? 1 : 0);
  return { text, at, terms, weight };
}

function stopped(text: string): string {
  return /[.!?。！？…)]$/.test(text) ? text : `${text}.`;
}
