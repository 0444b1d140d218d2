/** What a session left to do. */
import type { Observation, Summary } from "../../core/observation.ts";
import { cutText, sentencesOf } from "../../core/text.ts";
import { isPlan, openItems } from "../note-kinds.ts";
import { heldIn, type Terms, termsOf } from "../terms.ts";
import { isLeftFailing } from "./done.ts";

const NEXT_MAX = 240;
const STEP_MAX = 130;
/** So much of a step's words in what was asked or done later, and it was taken up. */
const TAKEN_UP = 0.5;
/** Of its own turn's deeds nearly all: "add tests for x" is not done by what added x. */
const DONE_ALREADY = 0.8;
/** Told again from the failures themselves. */
const STILL_FAILS = /still fails\b/;
/** Announces a list or asks. */
const NO_STEP = /[:?？：]\.?$/;

/** Failing checks first, then steps named and not taken up by a later turn, the latest first. */
export function openSteps(turns: readonly Summary[], notes: readonly Observation[]): string {
  const steps = [...failing(notes), ...namedOpen(turns, notes)];
  const kept: string[] = [];
  let room = NEXT_MAX;
  for (const step of steps) {
    const text = cutText(step, STEP_MAX);
    const known = kept.some((one) => heldIn(termsOf(text), termsOf(one)) > 0.7);
    if (known || text.length + 1 > room) continue;
    kept.push(text);
    room -= text.length + 1;
  }
  return kept.map((text) => (/[.!?。！？…]$/.test(text) ? text : `${text}.`)).join(" ");
}

function failing(notes: readonly Observation[]): string[] {
  return notes
    .filter((note) => isLeftFailing(note, notes))
    .slice(-2)
    .reverse()
    .map((note) => note.title);
}

type Named = { at: number; turn: number | null; steps: string[]; happened: string[] };

/** Steps that nothing later took up, those named last first. */
function namedOpen(turns: readonly Summary[], notes: readonly Observation[]): string[] {
  const named = [...turns.map(inTurn), ...notes.map(inNote)].sort((a, b) => b.at - a.at);
  const since: Terms = new Map();
  const found: string[] = [];
  for (let at = 0; at < named.length; ) {
    const now = named.filter((one) => one.at === named[at]?.at);
    for (const { turn, steps } of now) {
      const own = steps.length > 0 ? deedsOf(turn, notes) : since;
      const isOpen = (terms: Terms) => heldIn(terms, since) < TAKEN_UP && heldIn(terms, own) < DONE_ALREADY;
      found.push(...steps.filter((step) => isOpen(termsOf(step))));
    }
    for (const text of now.flatMap((one) => one.happened)) addTerms(since, text);
    at += now.length;
  }
  return found;
}

/** What was done in the turn that names a step: a list of tasks is often not ticked. */
function deedsOf(turn: number | null, notes: readonly Observation[]): Terms {
  const terms: Terms = new Map();
  for (const note of notes) {
    if (note.promptNumber !== turn || note.origin !== "tool" || isPlan(note)) continue;
    for (const text of [note.title, ...note.facts]) addTerms(terms, text);
  }
  return terms;
}

function addTerms(terms: Terms, text: string): void {
  for (const [term, weight] of termsOf(text)) terms.set(term, weight);
}

function inTurn(turn: Summary): Named {
  const steps = sentencesOf(turn.nextSteps).filter((step) => !STILL_FAILS.test(step) && !NO_STEP.test(step));
  return { at: turn.at, turn: turn.promptNumber, steps, happened: [turn.request, turn.completed] };
}

/** A plan's open items are steps; what else was noted happened. */
function inNote(note: Observation): Named {
  const open = openItems(note);
  const steps = note.supersededBy === null ? open : [];
  const happened = isPlan(note) ? [] : [note.title, ...note.facts];
  return { at: note.at, turn: note.promptNumber, steps, happened };
}
