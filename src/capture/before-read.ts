/** Before a file is read: what is remembered about it, and perhaps that instead of the file. */
import type { Json, ProjectRef } from "../core/event.ts";
import type { Answer, HostEvent } from "../hosts/host.ts";
import type { Shown } from "./shown.ts";

/** What the store tells of a file; see `context/file.ts`. */
export type History = { text: string; newest: number; sessions: number };

export type ReadParts = {
  /** Asks the store; `null` where there is nothing to say. */
  historyOf: (project: ProjectRef, path: string, cwd: string | null) => History | null;
  shown: Shown;
  /** Answer the first read of a well-remembered file from memory. */
  gate: boolean;
};

/** Sessions that changed the file; with fewer the history is no stand-in for it. */
const WELL_REMEMBERED = 3;

/** Told once per session and file, unless there is something newer. A second read always passes. */
export function beforeRead(event: HostEvent, project: ProjectRef | null, parts: ReadParts): Answer {
  const input = fieldsOf(event.body.input);
  const path = input.file_path;
  if (event.body.tool !== "Read" || !project || typeof path !== "string" || path === "") return {};
  const seen = parts.shown.file(event.sessionId, path);
  const history = parts.historyOf(project, path, event.cwd);
  if (!history || (seen !== null && history.newest <= seen)) return {};
  parts.shown.noteFile(event.sessionId, path, history.newest);
  const isWhole = input.offset === undefined && input.limit === undefined;
  const gated = parts.gate && seen === null && isWhole && history.sessions >= WELL_REMEMBERED;
  if (!gated || parts.shown.wasEdited(event.sessionId, path)) return { context: history.text };
  return {
    refusal: `${history.text}\nThis file is unchanged and well remembered; the notes above may be all you need. Reading it again gives the file itself.`,
  };
}

/** The file that a call changes or tries to change, "" for any other: from then on its reads are never held up. */
export function editedPath(event: HostEvent): string {
  if (!/^(?:Edit|Write|MultiEdit|NotebookEdit)$/.test(event.body.tool ?? "")) return "";
  const { file_path: file, notebook_path: notebook } = fieldsOf(event.body.input);
  return typeof file === "string" ? file : typeof notebook === "string" ? notebook : "";
}

function fieldsOf(input: Json | undefined): { [key: string]: Json } {
  return typeof input === "object" && input !== null && !Array.isArray(input) ? input : {};
}
