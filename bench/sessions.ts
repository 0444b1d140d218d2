/** Recorded sessions of a data folder, as the transcripts a host would have left. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { completeEvent } from "../src/capture/complete.ts";
import type { SessionEvent } from "../src/core/event.ts";
import { claudeTranscript } from "../src/hosts/claude-code/transcript.ts";

export type RecordedSession = {
  /** As in the folder's indexes. */
  id: string;
  /** File name within the folder. */
  file: string;
  /** Unix milliseconds. */
  startedAt: number;
};

/** The folder's sessions in order of time. */
export function recordedSessions(data: string): RecordedSession[] {
  const listed = readJson(join(data, "sessions.json")) as {
    file: string;
    session_id: string;
    first_timestamp: string;
  }[];
  return listed
    .map((one) => ({ id: one.session_id, file: one.file, startedAt: Date.parse(one.first_timestamp) }))
    .sort((one, other) => one.startedAt - other.startedAt || (one.file < other.file ? -1 : 1));
}

/** The transcript's text, unpacked. */
export function transcriptOf(data: string, session: RecordedSession): string {
  const bytes = readFileSync(join(data, "sessions", session.file));
  return new TextDecoder().decode(Bun.gunzipSync(new Uint8Array(bytes)));
}

/** Where the recorded developers' checkouts are taken to be: they worked in several places on one repository. */
export const PROJECT = { key: "/srv/repo", name: "repo", worktree: null, root: "/srv/repo" };

/** Everything a transcript shows, as stored events; paths of the developers' checkouts are moved to `PROJECT`. */
export function eventsOf(data: string, session: RecordedSession): SessionEvent[] {
  const text = moved(transcriptOf(data, session));
  const file = { path: session.file, sessionId: session.id, agentId: null, agentType: null };
  const reader = claudeTranscript.createReader(file, null, () => null);
  const found = text.split("\n").flatMap((line, at) => {
    try {
      return reader.take(JSON.parse(line), { offset: at, length: line.length });
    } catch {
      return [];
    }
  });
  return [...found, ...reader.finish()].map(({ at, recordId: _, branch: _b, ...happened }) =>
    completeEvent(
      { ...happened, sessionId: session.id },
      { host: "claude-code", at, project: PROJECT, hostPid: null, via: "transcript" },
    ),
  );
}

/** The checkouts' directories in a transcript are written as `PROJECT.root`, so that all are one project. */
export function moved(text: string): string {
  const roots = new Set<string>();
  for (const [, cwd] of text.matchAll(/"cwd":"([^"]+)"/g)) if (cwd) roots.add(rootOf(cwd));
  let result = text;
  for (const root of [...roots].sort((one, other) => other.length - one.length)) {
    if (root.length > 4) result = result.replaceAll(root, PROJECT.root);
  }
  return result;
}

/** A checkout's top: what stands before the repository's own folders. */
function rootOf(cwd: string): string {
  return cwd.replace(/\/(?:cmd|docs|internal|scripts|\.claude|\.git|e2e|test|tests)(?:\/.*)?$/, "");
}

/** The files each session touched, by session id: from the checkpoints made during it. */
export function touchedFiles(data: string): Map<string, string[]> {
  const points = readJson(join(data, "checkpoints.json")) as {
    session_id: string;
    files_touched: string[] | null;
  }[];
  const files = new Map<string, Set<string>>();
  for (const point of points) {
    const known = files.get(point.session_id) ?? new Set();
    for (const file of point.files_touched ?? []) known.add(file);
    files.set(point.session_id, known);
  }
  return new Map([...files].map(([id, set]) => [id, [...set].sort()]));
}

/** The subjects of each session's commits, by session id. */
export function commitSubjects(data: string): Map<string, string[]> {
  const points = readJson(join(data, "checkpoints.json")) as { checkpoint: string; session_id: string }[];
  const sessionOf = new Map(points.map((point) => [point.checkpoint, point.session_id]));
  const commits = readJson(join(data, "commits.json")) as { subject: string; checkpoints: string[] }[];
  const subjects = new Map<string, string[]>();
  for (const commit of commits) {
    for (const checkpoint of commit.checkpoints) {
      const id = sessionOf.get(checkpoint);
      if (id) subjects.set(id, [...(subjects.get(id) ?? []), commit.subject]);
    }
  }
  return subjects;
}

function readJson(path: string): unknown {
  return JSON.parse(readFileSync(path, "utf8"));
}

/** The file or folder named by `--data`; `null` where none is named, with a line that says so. */
export function dataFolder(words: readonly string[] = process.argv): string | null {
  const folder = words[words.indexOf("--data") + 1];
  if (words.includes("--data") && folder) return folder;
  console.log("Skipped: data is needed (--data FILE_OR_FOLDER).");
  return null;
}
