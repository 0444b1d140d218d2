/** Which files the next session is likely to work on. Pure. */
import type { SessionFiles } from "../store/candidates.ts";
import { COMMON_BRANCHES, WEIGHTS } from "./weights.ts";

export type WorkedFile = {
  /** Relative to the project's top. */
  path: string;
  /** How many of the sessions looked at edited it. */
  sessions: number;
  score: number;
};

export type Signals = {
  branch: string | null;
  uncommitted: ReadonlySet<string>;
  /** Text that may name files: the next steps still open. */
  open: string;
};

/** The files that sessions worked on, the likeliest first; those outside the project are left out. */
export function rankFiles(sessions: readonly SessionFiles[], signals: Signals): WorkedFile[] {
  const { quick, slow, read, readHalfLife, branch, uncommitted, named } = WEIGHTS.files;
  const files = new Map<string, WorkedFile>();
  const fileOf = (path: string) => {
    const known = files.get(path) ?? { path, sessions: 0, score: 0 };
    files.set(path, known);
    return known;
  };
  for (const session of sessions) {
    const { rank } = session;
    const here = isSameBranch(session.branch, signals.branch) ? branch : 1;
    const edit = quick.share * 0.5 ** (rank / quick.halfLife) + slow.share * 0.5 ** (rank / slow.halfLife);
    for (const path of session.edited) {
      if (!isInProject(path)) continue;
      const file = fileOf(path);
      file.sessions += 1;
      file.score += edit * here;
    }
    for (const path of session.read) {
      if (isInProject(path)) fileOf(path).score += read * 0.5 ** (rank / readHalfLife) * here;
    }
  }
  for (const file of files.values()) {
    if (signals.uncommitted.has(file.path)) file.score += uncommitted;
    if (signals.open.includes(baseName(file.path))) file.score += named;
  }
  return [...files.values()].sort((a, b) => b.score - a.score || (a.path < b.path ? -1 : 1));
}

/** Whether work on one branch goes on with that on the other; common branches tell nothing. */
export function isSameBranch(one: string | null, other: string | null): boolean {
  return one !== null && one === other && !COMMON_BRANCHES.test(one);
}

export function baseName(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}

/** Whether a path of a note is one of the project's own. */
export function isInProject(path: string): boolean {
  return path !== "" && !/^(?:\/|\.\.\/|~|[A-Za-z]:[\\/])/.test(path);
}

/** Of a file and its test, which stand side by side: the part by which their names differ. */
const TEST_PART = /^(.+?)([._-](?:test|spec))(\.[A-Za-z0-9]+)$/;

/** The file a test stands beside and the part of its name that says so; `null` for what is no such test. */
export function testedBy(path: string): { source: string; part: string } | null {
  if (!/test|spec/.test(path)) return null;
  const [, stem, part, end] = TEST_PART.exec(path) ?? [];
  return stem && part && end ? { source: stem + end, part } : null;
}

/** The file a path is about: itself, or the one it is the test of. */
export function sourceOf(path: string): string {
  return testedBy(path)?.source ?? path;
}

/** `a.ts`, or `a{,.test}.ts` where its test is among `paths` too, as a shell would read it. */
export function withTest(source: string, paths: readonly string[]): string {
  const part = paths.map(testedBy).find((test) => test?.source === source)?.part;
  const dot = source.lastIndexOf(".");
  return part ? `${source.slice(0, dot)}{,${part}}${source.slice(dot)}` : source;
}
