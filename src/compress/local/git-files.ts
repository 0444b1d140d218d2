/** Which files git says were committed, moved or changed. */
import type { Run } from "./bash.ts";
import { ownPath } from "./paths.ts";
import type { ShellCommand } from "./shell.ts";
import { unique } from "./words.ts";
import { writingOf } from "./writes.ts";

const FILES_MAX = 100;
const LINES_MAX = 2_000;
const MODE = /^ (?:create|delete) mode \d+ (.+)$/;
const RENAME = /^ rename (.+) \(\d+%\)$/;
const LONG = /^\t(?:modified|new file|deleted|renamed|typechange):\s+(.+)$/;
const SHORT = /^(?:[MADRCT][MADRCT ]| [MADRCT]) (.+)$/;
const STAT = /^ (\S.*?)\s+\|\s+(?:\d+|Bin)\b/;

/** Files git moved or removed, and those of the turn's commits. */
export function filesOfGit(runs: readonly Run[], root: string | null): string[] {
  const moved = runs.flatMap((run) => {
    const parts = run.call.failed || !run.isFirst ? [] : run.command.parts;
    return parts.flatMap((part) => {
      if (part.words[0] !== "git" || !/^(?:mv|rm)$/.test(part.words[1] ?? "")) return [];
      return writingOf(part, (path) => ownPath(path, root, run.call.cwd))?.files ?? [];
    });
  });
  return unique([...moved, ...committedFiles(runs, root)]);
}

/** Files of the turn's commits: added by name, listed by the commit, or by the status read before it. */
function committedFiles(runs: readonly Run[], root: string | null): string[] {
  const found: string[] = [];
  let changed: string[] = [];
  let all = false;
  for (const run of runs) {
    if (run.call.failed) continue;
    for (const part of run.command.parts) {
      if (part.words[0] !== "git") continue;
      const verb = verbOf(part);
      const shown = (path: string) => ownPath(path, root, run.call.cwd);
      if (/^(?:status|diff)$/.test(verb)) changed = listedBy(part, run.call.output).map(shown);
      else if (verb === "add") {
        found.push(...namesOf(part).filter(isPlain).map(shown));
        all ||= part.words.some((word) => /^(?:-A|--all|-u|-[a-z]*A|\.|:\/)$/.test(word));
      } else if (verb === "commit") {
        all ||= part.words.some((word) => /^(?:-[a-zA-Z]*a[a-zA-Z]*|--all)$/.test(word));
        found.push(...(all ? changed : []), ...printedBy(run.call.output).map(shown));
      }
    }
  }
  return hasCommit(runs) ? unique(found.filter((path) => path !== "")).slice(0, FILES_MAX) : [];
}

function hasCommit(runs: readonly Run[]): boolean {
  return runs.some(
    (run) =>
      !run.call.failed &&
      run.command.parts.some((part) => part.words[0] === "git" && verbOf(part) === "commit"),
  );
}

function verbOf(part: ShellCommand): string {
  return part.words.slice(1).find((word, at, words) => !word.startsWith("-") && words[at - 1] !== "-C") ?? "";
}

function namesOf(part: ShellCommand): string[] {
  const at = part.words.indexOf(verbOf(part));
  return part.words.slice(at + 1).filter((word) => !word.startsWith("-"));
}

function isPlain(name: string): boolean {
  return /[\w)\]]$/.test(name) && !/[*?$`{]/.test(name) && /[./]/.test(name.replace(/^\.+\/?/, ""));
}

function printedBy(output: string): string[] {
  return output.split("\n", LINES_MAX).flatMap((line) => {
    const rename = RENAME.exec(line)?.[1];
    const path = MODE.exec(line)?.[1];
    return rename ? renamed(rename) : path ? [path] : [];
  });
}

function listedBy(part: ShellCommand, output: string): string[] {
  const names = part.words.includes("--name-only");
  return output.split("\n", LINES_MAX).flatMap((line) => {
    if (line.length > 400) return [];
    const path = LONG.exec(line)?.[1] ?? SHORT.exec(line)?.[1] ?? STAT.exec(line)?.[1];
    if (path) return renamed(path);
    return names && /^[\w./-]+\.\w+$/.test(line) ? [line] : [];
  });
}

/** `a -> b`, `a => b` and `dir/{a => b}/c` as the new path. */
function renamed(path: string): string[] {
  const braces = /^(.*)\{(.*) => (.*)\}(.*)$/.exec(path);
  if (braces) return [`${braces[1]}${braces[3]}${braces[4]}`.replaceAll("//", "/")];
  return [
    path
      .split(/ (?:->|=>) /)
      .at(-1)
      ?.trim() ?? path,
  ].filter((name) => !name.startsWith("..."));
}
