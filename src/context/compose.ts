/** Laying out what is told: item by item into the room there is, the best first. Pure. */
import type { Summary } from "../core/observation.ts";
import { cutText } from "../core/text.ts";
import { fileLines, pathsInLine } from "./file-lines.ts";
import { isInProject } from "./files.ts";
import type { Material } from "./material.ts";
import { neutral } from "./neutral.ts";
import type { Plan } from "./plan.ts";
import { observationLine, pinnedLine, sessionLines } from "./render.ts";
import type { Room } from "./room.ts";
import { areTwins, dayOf, wordsOf } from "./select.ts";
import { openTimeline } from "./timeline.ts";
import { WEIGHTS } from "./weights.ts";

export type Page = { lines: string[]; told: Set<number> };

/** A part of the page under way: where its lines go, what room they have, which notes they tell. */
type Part = { heading: string; lines: string[]; room: Room; told: Set<number> };

const FILES_HEADING = "## Other files worked on lately (×N: in N sessions)";
/** Of a line of many paths (UTF-16 units). */
const PATHS_MAX = 500;
const COMMITS_MAX = 4;
/** Beyond these a file is hardly likelier to be touched than any other. */
const FILES_MAX = 100;

/** Fills the room with what is worth most, part by part, in the order a reader needs it. */
export function compose(material: Material, plan: Plan, room: Room): Page {
  const told = new Set<number>();
  const part = (heading: string): Part => ({ heading, lines: [], room, told });
  const pinned = part("## Pinned");
  for (const note of material.pinned) add(pinned, pinnedLine(note), note.id);
  const before = part(headingOf(material, plan));
  if (plan.sessions > 0 && material.before) addSession(before, material, material.before, plan);
  const unfinished = part("## Unfinished");
  addUnfinished(unfinished, material);

  const timeline = openTimeline(material, plan, room, told);
  const keep = plan.continues || plan.all ? 0 : WEIGHTS.filesShare;
  timeline.fill(keep);
  const above = [pinned, before, unfinished].flatMap((each) =>
    each.lines.length > 0 ? [each.heading, ...each.lines] : [],
  );
  if (keep === 0) return { lines: [...above, ...timeline.lines()], told };
  const named = namesIn([...above, ...timeline.lines()]);
  const others = material.files.filter((file) => !named.has(file.path)).slice(0, FILES_MAX);
  const files = others.length > 0 && room.take(FILES_HEADING) ? fileLines(others, room) : [];
  timeline.fill(0);
  return {
    lines: [...above, ...timeline.lines(), ...(files.length > 0 ? [FILES_HEADING, ...files] : [])],
    told,
  };
}

function add(part: Part, line: string, id?: number): void {
  const cost = part.lines.length === 0 ? `${part.heading}\n${line}` : line;
  if (!part.room.take(cost)) return;
  part.lines.push(line);
  if (id !== undefined) part.told.add(id);
}

function headingOf(material: Material, plan: Plan): string {
  if (!material.before) return "";
  if (plan.continues === "compact") return "## This session so far";
  if (plan.continues === "clear") return "## The session before this one";
  const branch = material.branchOf(material.before.sessionRowId);
  return `## Last session (${dayOf(material.before.at)}${branch ? `, branch ${cutText(neutral(branch), 80)}` : ""})`;
}

function addSession(part: Part, material: Material, session: Summary, plan: Plan): void {
  for (const line of sessionLines(session)) add(part, line);
  if (!plan.continues) return;
  const own = material.notes.filter((note) => note.sessionRowId === session.sessionRowId);
  for (const note of own) if (note.type === "decision") add(part, observationLine(note), note.id);
  const changed = pathsInLine(session.filesEdited.filter(isInProject), PATHS_MAX);
  if (changed) add(part, `- Changed in it: ${changed}`);
}

function addUnfinished(part: Part, material: Material): void {
  for (const note of material.red) {
    const title = cutText(neutral(note.title), 160);
    add(part, `- Failed when last run (${dayOf(note.at)}): ${title} (#${note.id})`, note.id);
  }
  const red = material.red.map((note) => wordsOf(note.title));
  for (const { at, text, session } of material.steps) {
    if (red.some((words) => areTwins(words, wordsOf(text)))) continue;
    const from = session === material.before ? "" : ` (${dayOf(at)})`;
    add(part, `- Next${from}: ${cutText(neutral(text), 240)}`);
  }
  const uncommitted = pathsInLine(material.uncommitted, PATHS_MAX);
  if (uncommitted) add(part, `- Uncommitted here: ${uncommitted}`);
  const subjects = material.commits.slice(0, COMMITS_MAX).map(({ subject }) => cutText(neutral(subject), 80));
  if (subjects.length > 0) add(part, `- Committed since the last session: ${subjects.join("; ")}`);
}

/** All that stands between spaces and punctuation: among it the paths that are spelled in full. */
function namesIn(lines: readonly string[]): Set<string> {
  return new Set(lines.join("\n").split(/[\s,;()[\]`"'“”]+|:(?:\s|$)/));
}
