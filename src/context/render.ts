/** The words a starting session reads. */
import type { Observation, Summary } from "../core/observation.ts";
import { cutText } from "../core/text.ts";
import type { Candidate } from "../store/candidates.ts";
import { baseName, withTest } from "./files.ts";
import { neutral } from "./neutral.ts";
import type { Entry } from "./select.ts";

export const OPEN = "<throughline-context>";
export const CLOSE = "</throughline-context>";

const TITLE_MAX = 160;
/** Of several notes in one line so many can be asked for by their ids. */
export const IDS_TOLD = 3;

export function heading(project: string, today: string, branch: string | null): string[] {
  const where = branch ? `, branch ${cutText(neutral(branch), 80)}` : "";
  return [
    `# Memory of ${neutral(project)} (${today} UTC${where})`,
    "Dated notes from earlier sessions, kept by Throughline. They tell what was seen then, not what to do: check against the code before relying on them.",
  ];
}

export function firstTime(project: string): string {
  return [
    OPEN,
    `Throughline keeps memory of ${neutral(project)} from this session on; nothing earlier is known yet.`,
    CLOSE,
  ].join("\n");
}

/** One line: id, type, title, and the files the title does not name. */
export function observationLine(note: Candidate | Observation): string {
  const title = cutText(neutral(note.title), TITLE_MAX);
  const files = [...note.filesModified, ...(note.filesModified.length > 0 ? [] : note.filesRead)]
    .filter((path) => !title.includes(baseName(path)))
    .slice(0, 3)
    .map((path) => cutText(neutral(path), 80));
  const marks = [note.hypothesis ? "unconfirmed" : "", note.times > 1 ? `noted ${note.times} times` : ""];
  const mark = marks.filter((one) => one !== "").join(", ");
  return `- #${note.id} ${neutral(note.type)}${mark ? ` (${mark})` : ""}: ${title}${files.length > 0 ? ` [${files.join(", ")}]` : ""}`;
}

/** The line with narrative and facts below it. */
export function observationInFull(observation: Observation): string {
  const lines = [observationLine(observation)];
  if (observation.narrative) lines.push(`  ${cutText(neutral(observation.narrative), 500)}`);
  for (const fact of observation.facts.slice(0, 6)) lines.push(`  - ${cutText(neutral(fact), 200)}`);
  return lines.join("\n");
}

/** Several notes on one file: the two best in words, of the others the ids. */
export function fileEntryLine(entry: Entry, path: string): string {
  const { notes } = entry;
  const name = withTest(
    path,
    notes.flatMap((note) => note.filesModified),
  );
  const base = baseName(path);
  const best = titleWithout(notes[0].title, base);
  const other = notes
    .slice(1, 4)
    .map((note) => titleWithout(note.title, base))
    .find((title) => title !== best);
  const titles = [best, ...(other ? [other] : [])].map((title) => cutText(neutral(title), 110));
  const ids = notes.slice(0, IDS_TOLD).map((note) => `#${note.id}`);
  const more = notes.length > IDS_TOLD ? ", …" : "";
  return `- ${cutText(neutral(name), TITLE_MAX)}: ${titles.join("; ")} (${notes.length} notes ${ids.join(", ")}${more})`;
}

/** The title without the file that the line begins with, however much of its path it spells. */
function titleWithout(title: string, base: string): string {
  const at = title.indexOf(base);
  if (at < 0 || /[\w.-]/.test(title.charAt(at + base.length)) || /[\w.-]/.test(title.charAt(at - 1)))
    return title;
  let start = at;
  while (start > 0 && /[\w./@…-]/.test(title.charAt(start - 1))) start -= 1;
  const before = title.slice(0, start);
  const after = title.slice(at + base.length);
  // "a.ts now calls …", "Edited a.ts: …": what follows is what there is to say.
  if (before === "" || (/^\S+\s$/.test(before) && after.startsWith(": ")))
    return after.replace(/^:\s*/, "").trim() || title;
  const trimmed = before.replace(/\s+(?:in|to|from|of|on)\s+$/, "");
  return trimmed === before ? title : (trimmed + after).trim();
}

/** A pinned or manual memory: the words themselves, since they were chosen to be kept. */
export function pinnedLine(observation: Observation): string {
  const words = observation.narrative || observation.title;
  return `- #${observation.id} ${neutral(observation.type)}: ${cutText(neutral(words), 600)}`;
}

/** What a session was about, a line for each part that has something to say; what it left open is told apart. */
export function sessionLines(session: Summary): string[] {
  const parts: [string, string, number][] = [
    ["Asked", session.request, 400],
    ["Done", session.completed, 500],
    ["Learned", session.learned, 500],
    // What was looked into says something only where nothing came of it.
    ["Looked into", session.completed || session.learned ? "" : session.investigated, 250],
    ["Note", session.notes, 200],
  ];
  return parts
    .filter(([, text]) => text.trim() !== "")
    .map(([name, text, max]) => `- ${name}: ${cutText(neutral(text), max)}`);
}

export function sessionLine(session: Summary): string {
  const done = session.completed || session.learned;
  return `- session: ${cutText(neutral(session.request), 120)}${done ? ` → ${cutText(neutral(done), 140)}` : ""}`;
}

/** How many were left out, and how to get them; "" where none were. `orMore`: they were not counted to the end. */
export function leftOut(count: number, orMore = false): string {
  if (count <= 0) return "";
  const many = `${orMore ? "over " : ""}${count} more note${count === 1 ? "" : "s"}`;
  return `${many} not shown. Any #id in full: get_observations(ids) of the mem server; everything: \`npx throughline context --all\`.`;
}
