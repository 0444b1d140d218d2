/** The day-by-day part of what is told: notes and sessions, taken in the order of their worth. */
import type { Summary } from "../core/observation.ts";
import { cameToAnything, type Material } from "./material.ts";
import type { Plan } from "./plan.ts";
import { fileEntryLine, IDS_TOLD, observationInFull, observationLine, sessionLine } from "./render.ts";
import type { Room } from "./room.ts";
import { areTwins, dayOf, type Entry, fade, startOfDay, wordsOf } from "./select.ts";
import { WEIGHTS } from "./weights.ts";

export type Timeline = {
  /** Takes what finds room, the best first, and leaves `keep` (share of the whole) free; goes on where it stopped. */
  fill: (keep: number) => void;
  /** The heading and all lines; [] where nothing was taken. */
  lines: () => string[];
};

type Item = { score: number; at: number; id: number } & (
  | { session: Summary; entry: null }
  | { session: null; entry: Entry }
);
type Placed = { at: number; id: number; line: string };

const HEADING = "## Timeline, newest first";
/** So many that found no room, and there is none left worth looking for. */
const MISSES_MAX = 12;
/** What belongs to the session under way comes before all else. */
const OWN = 10;

/** A timeline that has taken nothing yet. The ids of the notes it tells are added to `told`. */
export function openTimeline(material: Material, plan: Plan, room: Room, told: Set<number>): Timeline {
  const waiting = itemsOf(material, plan);
  const days = new Map<string, Placed[]>();
  const said = openSaid();
  if (plan.sessions > 0 && material.before) said.add(sessionItem(material.before, 0));
  const left = { notes: plan.notes, sessions: plan.sessions - 1, full: plan.full };
  const isInFull = () => plan.all || left.full > 0;

  const lineOf = (item: Item): string | null => {
    if (!plan.all && said.has(item)) return null;
    if (item.session) return left.sessions > 0 ? sessionLine(item.session) : null;
    if (left.notes <= 0 || item.entry.notes.every((note) => told.has(note.id))) return null;
    const whole = isInFull() ? plan.inFull(item.entry.notes[0].id) : undefined;
    return whole ? observationInFull(whole) : entryLine(item.entry);
  };
  const count = (item: Item): void => {
    said.add(item);
    if (item.session) {
      left.sessions -= 1;
      return;
    }
    for (const note of item.entry.notes.slice(0, isInFull() ? 1 : IDS_TOLD)) told.add(note.id);
    left.notes -= 1;
    left.full -= 1;
  };
  const fill = (keep: number): void => {
    const over: Item[] = [];
    while (over.length < MISSES_MAX) {
      const item = waiting.shift();
      if (!item) break;
      const line = lineOf(item);
      if (line === null) continue;
      if (place(days, item, line, room, keep)) count(item);
      else over.push(item);
    }
    waiting.unshift(...over);
  };
  return { fill, lines: () => (days.size > 0 ? [HEADING, ...inOrder(days)] : []) };
}

function place(days: Map<string, Placed[]>, item: Item, line: string, room: Room, keep: number): boolean {
  const day = dayOf(item.at);
  const known = days.get(day);
  const cost = known ? line : `### ${day}\n${line}`;
  if (!room.take(days.size === 0 ? `${HEADING}\n${cost}` : cost, keep)) return false;
  const placed = { at: item.at, id: item.id, line };
  if (known) known.push(placed);
  else days.set(day, [placed]);
  return true;
}

function textOf(item: Item): string {
  return item.session ? item.session.request : item.entry.notes[0].title;
}

function entryLine(entry: Entry): string {
  return entry.path !== null && entry.notes.length > 1
    ? fileEntryLine(entry, entry.path)
    : observationLine(entry.notes[0]);
}

function itemsOf(material: Material, plan: Plan): Item[] {
  const today = startOfDay(plan.now);
  const own = plan.continues ? material.before?.sessionRowId : undefined;
  const entries: Entry[] = plan.all
    ? material.notes.map((note) => ({ score: 0, at: note.at, notes: [note], path: null }))
    : material.entries;
  const notes = entries.map((entry): Item => {
    const isOwn = own !== undefined && entry.notes[0].sessionRowId === own;
    const score = entry.score + (isOwn ? OWN : 0);
    return { score, at: entry.at, id: entry.notes[0].id, session: null, entry };
  });
  const sessions = material.sessions.filter(
    (session) => session !== material.before && cameToAnything(session),
  );
  for (const session of sessions) {
    notes.push(sessionItem(session, WEIGHTS.session * fade(session.at, today)));
  }
  return notes.sort((a, b) => b.score - a.score || b.at - a.at || b.id - a.id);
}

function sessionItem(session: Summary, score: number): Item {
  return { score, at: session.at, id: 0, session, entry: null };
}

type Said = { has: (item: Item) => boolean; add: (item: Item) => void };

/** What has been said so far. Only notes on the same files are twins: the same done to another file is something else. */
function openSaid(): Said {
  const known = new Map<string, Set<string>[]>();
  return {
    has: (item) => {
      const near = known.get(subjectOf(item));
      if (!near) return false;
      const words = wordsOf(textOf(item));
      return near.some((other) => areTwins(words, other));
    },
    add: (item) => {
      const subject = subjectOf(item);
      const words = wordsOf(textOf(item));
      const near = known.get(subject);
      if (near) near.push(words);
      else known.set(subject, [words]);
    },
  };
}

function subjectOf(item: Item): string {
  return item.session ? "session" : item.entry.notes[0].filesModified.join(" ");
}

function inOrder(days: ReadonlyMap<string, Placed[]>): string[] {
  return [...days.keys()]
    .sort()
    .reverse()
    .flatMap((day) => [
      `### ${day}`,
      ...(days.get(day) ?? []).sort((a, b) => b.at - a.at || b.id - a.id).map((entry) => entry.line),
    ]);
}
