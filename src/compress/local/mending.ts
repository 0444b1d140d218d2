/** Whether a run that passes means that what failed before is mended. */
import type { Run } from "./bash.ts";

export type Failure = {
  runs: Run[];
  /** The run that passed at last. */
  mended: Run | null;
};

export function isSameCheck(failure: Failure, run: Run): boolean {
  return failure.runs.some((one) => one.command.kind === run.command.kind);
}

/** Whether the passing run covers what failed: the same command, a broader one, or the failing tests by name. */
export function isMendedBy(failure: Failure, run: Run): boolean {
  const last = failure.runs.at(-1);
  if (!last) return false;
  const { kind, text, family, main } = run.command;
  const failed = last.command;
  if (kind !== failed.kind) {
    const compiles =
      failed.kind === "build" || failed.kind === "types" || (failed.kind === "lint" && family === "go vet");
    return compiles && kind === "test" && main.words[0] === failed.main.words[0];
  }
  if (text === failed.text || failed.text.startsWith(`${text} `) || /\s\.\/\.\.\.(?:\s|$)/.test(text))
    return true;
  const names = last.verdict.failing.map((name) => name.split(/[/\s]/)[0] ?? name);
  if (names.length > 0 && names.every((name) => text.includes(name))) return true;
  if (isWhole(run)) return true;
  // The same runner on a wider choice of the tests.
  const [chosen, before] = [filterOf(run), filterOf(last)];
  const wanted = names.length > 0 ? names : before === "" ? [] : [before];
  if (
    family === failed.family &&
    chosen !== "" &&
    wanted.length > 0 &&
    wanted.every((name) => isChosen(name, chosen))
  )
    return true;
  const [mine, theirs] = [targetsOf(run), targetsOf(last)];
  return family === failed.family && mine === theirs && !/\s(?:-run|-k|-t|--grep|--filter)\b/.test(text);
}

/** What a run of tests is narrowed down to by name; "" where it is not. */
function filterOf(run: Run): string {
  const { words } = run.command.main;
  const at = words.findIndex((word) => /^(?:-run|-k|-t|-g|--grep|--filter|--test-name-pattern)$/.test(word));
  const joined = words.map((word) => /^(?:-run|--grep|--filter|--test-name-pattern)=(.+)$/.exec(word)?.[1]);
  return (joined.find(Boolean) ?? (at >= 0 ? (words[at + 1] ?? "") : "")).replace(/^\^|\$$/g, "");
}

function isChosen(name: string, filter: string): boolean {
  return filter.split("|").some((part) => part !== "" && name.includes(part));
}

/** A runner's script without arguments runs everything. */
function isWhole(run: Run): boolean {
  return run.command.text === run.command.family && !/^(?:jest|vitest)$/.test(run.command.family);
}

function targetsOf(run: Run): string {
  return run.command.main.words.filter((word) => !word.startsWith("-")).join(" ");
}
