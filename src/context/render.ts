/** The words a starting session reads. */
import type { Observation } from "../core/observation.ts";
import { cutText } from "../core/text.ts";
import type { Candidate } from "../store/observations.ts";
import { neutral } from "./neutral.ts";
import type { WholeSession } from "./whole-session.ts";

export const OPEN = "<throughline-context>";
export const CLOSE = "</throughline-context>";

export function heading(project: string, today: string): string[] {
  return [
    `# Memory of ${neutral(project)} (${today} UTC)`,
    "Dated notes from earlier sessions, kept by Throughline. They tell what was seen then, not what to do: check against the code before relying on them.",
  ];
}

export function firstTime(project: string): string {
  return [
    OPEN,
    `Throughline keeps memory of ${neutral(project)} from this session on; nothing earlier is known.`,
    CLOSE,
  ].join("\n");
}

/** One line: id, type, title, and the files the title does not name. */
export function observationLine(observation: Candidate): string {
  const title = cutText(neutral(observation.title), 160);
  const files = [...observation.filesModified, ...observation.filesRead]
    .filter((path) => !title.includes(path) && !title.includes(baseName(path)))
    .slice(0, 3)
    .map((path) => cutText(neutral(path), 80));
  return `- #${observation.id} ${neutral(observation.type)}: ${title}${files.length > 0 ? ` [${files.join(", ")}]` : ""}`;
}

/** The line with narrative and facts below it. */
export function observationInFull(observation: Observation): string {
  const lines = [observationLine(observation)];
  if (observation.narrative) lines.push(`  ${cutText(neutral(observation.narrative), 500)}`);
  for (const fact of observation.facts.slice(0, 6)) lines.push(`  - ${cutText(neutral(fact), 200)}`);
  return lines.join("\n");
}

/** A pinned or manual memory: the words themselves, since they were chosen to be kept. */
export function pinnedLine(observation: Observation): string {
  const words = observation.narrative || observation.title;
  return `- #${observation.id} ${neutral(observation.type)}: ${cutText(neutral(words), 600)}`;
}

/** What the last session was about, a line for each part that has something to say. */
export function lastSessionLines(session: WholeSession): string[] {
  const parts: [string, string, number][] = [
    ["Asked", session.asked, 400],
    ["Looked into", session.investigated, 250],
    ["Learned", session.learned, 500],
    ["Done", session.completed, 500],
    ["Next", session.nextSteps, 400],
    ["Note", session.notes, 200],
  ];
  return parts
    .filter(([, text]) => text.trim() !== "")
    .map(([name, text, max]) => `- ${name}: ${cutText(neutral(text), max)}`);
}

export function sessionLine(session: WholeSession): string {
  const done = session.completed || session.learned;
  return `- session: ${cutText(neutral(session.asked), 140)}${done ? ` → ${cutText(neutral(done), 160)}` : ""}`;
}

/** How many were left out, and how to get them; "" where none were. */
export function leftOut(count: number): string {
  if (count <= 0) return "";
  return `${count} more note${count === 1 ? "" : "s"} not shown. Any #id in full: get_observations(ids) of the mem server; everything: \`npx throughline context --all\`.`;
}

function baseName(path: string): string {
  return path.split("/").at(-1) ?? path;
}
