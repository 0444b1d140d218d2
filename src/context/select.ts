/** Which memories are worth their place at the start of a session, and which of them are one line. Pure. */
import type { Candidate } from "../store/candidates.ts";
import { sourceOf } from "./files.ts";
import { WEIGHTS } from "./weights.ts";

export const DAY_MS = 86_400_000;

/** Several notes on one file stand in one line: `notes` are in the order of their worth. */
export type Entry = { score: number; at: number; notes: [Candidate, ...Candidate[]]; path: string | null };

export type Surroundings = {
  /** Start of the day, Unix ms, so that the order does not move within it. */
  today: number;
  /** Whether the session with this row was on the branch that is checked out now. */
  isHere: (sessionRow: number | null) => boolean;
  /** How much the file is worked on, 0 to 1. */
  heat: (path: string) => number;
};

/** What a note is worth by itself. */
export function worthOf(note: Candidate, around: Surroundings): number {
  const kind = (WEIGHTS.type[note.type] ?? 1) * (note.unit === "run:checks" ? WEIGHTS.checks : 1);
  const sure = note.hypothesis || /[?？]$/.test(note.title) ? WEIGHTS.hypothesis : 1;
  const again = 1 + WEIGHTS.repeated * Math.min(note.times - 1, 5);
  const here = around.isHere(note.sessionRowId) ? WEIGHTS.branch : 1;
  const heat = note.filesModified.reduce((most, path) => Math.max(most, around.heat(path)), 0);
  return kind * sure * again * here * fade(note.at, around.today) + WEIGHTS.file * heat;
}

/** What is left of a worth with age: one from today counts in full. */
export function fade(at: number, today: number): number {
  const days = Math.max(0, Math.floor((today - at) / DAY_MS) + 1);
  return 0.5 ** (days / WEIGHTS.halfLifeDays);
}

/** The notes as entries, best first; ties by the newer, then by id. Notes on one file become one entry. */
export function rankForStart(notes: readonly Candidate[], around: Surroundings): Entry[] {
  const groups = new Map<string, Weighed[]>();
  for (const note of notes) {
    const key = subjectOf(note);
    const member = { note, score: worthOf(note, around) };
    const known = groups.get(key);
    if (known) known.push(member);
    else groups.set(key, [member]);
  }
  const entries: Entry[] = [];
  for (const [key, members] of groups) {
    if (members.length > 1) members.sort((a, b) => b.score - a.score || newerFirst(a.note, b.note));
    const [best, ...others] = members;
    if (!best) continue;
    entries.push({
      score: best.score,
      at: members.reduce((newest, { note }) => Math.max(newest, note.at), 0),
      notes: [best.note, ...others.map(({ note }) => note)],
      path: key.startsWith("file:") ? key.slice("file:".length) : null,
    });
  }
  return spread(entries);
}

type Weighed = { note: Candidate; score: number };

/**
 * What the note is about, so that many notes on it are one line: the one file it changed, its test counted with it;
 * or, of checks, that they are checks. What was decided or found stands by itself.
 */
function subjectOf(note: Candidate): string {
  if (note.unit === "run:checks") return "checks";
  if (/^(?:decision|discovery|security_|sensitive)/.test(note.type)) return `#${note.id}`;
  const [first, ...others] = note.filesModified;
  if (first === undefined) return `#${note.id}`;
  if (others.length === 0) return `file:${first}`;
  const only = sourceOf(first);
  return others.every((path) => sourceOf(path) === only) ? `file:${only}` : `#${note.id}`;
}

/** Lowers each further entry of a session, so that a long one does not fill the page; answers them in order. */
function spread(entries: Entry[]): Entry[] {
  const order = (a: Entry, b: Entry) => b.score - a.score || newerFirst(a.notes[0], b.notes[0]);
  const seen = new Map<number | null, number>();
  for (const entry of entries.sort(order)) {
    const session = entry.notes[0].sessionRowId;
    const before = seen.get(session) ?? 0;
    seen.set(session, before + 1);
    entry.score *= WEIGHTS.sameSession ** before;
  }
  return entries.sort(order);
}

function newerFirst(a: Candidate, b: Candidate): number {
  return b.at - a.at || b.id - a.id;
}

/** What stands between words. Spelled out: classes by property take longer to prepare than all the texts to split. */
const BETWEEN = /[\s\u0000-\u002f\u003a-\u0040\u005b-\u005e\u0060\u007b-\u00bf\u2000-\u206f\u3000-\u303f]+/;

/** The words of a text that tell it from another. */
export function wordsOf(text: string): Set<string> {
  return new Set(
    text
      .toLowerCase()
      .split(BETWEEN)
      .filter((word) => word.length > 2 || /^\d/.test(word)),
  );
}

/** How much of the smaller of two sets of words the other has, 0 to 1. */
export function overlap(one: ReadonlySet<string>, other: ReadonlySet<string>): number {
  const [small, large] = one.size <= other.size ? [one, other] : [other, one];
  if (small.size === 0) return 0;
  let both = 0;
  for (const word of small) if (large.has(word)) both += 1;
  return both / small.size;
}

/** Two texts that share so much of their words say the same; fewer words than that agree by chance. */
const SAME = 0.85;
const TELLING_WORDS = 4;

/** Whether two texts, given by their words, say the same: another number makes it something else. */
export function areTwins(one: ReadonlySet<string>, other: ReadonlySet<string>): boolean {
  if (Math.min(one.size, other.size) < TELLING_WORDS || overlap(one, other) < SAME) return false;
  return holdsNumbers(one, other) && holdsNumbers(other, one);
}

function holdsNumbers(words: ReadonlySet<string>, of: ReadonlySet<string>): boolean {
  for (const word of of) if (/\d/.test(word) && !words.has(word)) return false;
  return true;
}

/**
 * The day a moment belongs to, `YYYY-MM-DD` in UTC. Asking for the local day would load the time zones, which takes
 * longer than all the rest of the telling.
 */
export function dayOf(at: number): string {
  return new Date(at).toISOString().slice(0, 10);
}

/** The beginning of the day of `at`, Unix ms. */
export function startOfDay(at: number): number {
  return at - (at % DAY_MS);
}
