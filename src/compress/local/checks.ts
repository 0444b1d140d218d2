/** Runs of tests, builds and linters: what broke, what mended it, and what passes in the end. */
import type { ObservationDraft } from "../../core/observation.ts";
import { cutText, oneLine } from "../../core/text.ts";
import type { Run } from "./bash.ts";
import { agentOf, draftOf } from "./call.ts";
import { isCheck } from "./commands.ts";
import type { EditDraft } from "./edits.ts";
import { classOf, shortPath } from "./paths.ts";
import { errorLine } from "./verdict.ts";
import { listed, TITLE_MAX, titleOf } from "./words.ts";

export type Failure = {
  runs: Run[];
  /** The run that passed at last. */
  mended: Run | null;
};

/** Failing checks of a turn, each kind's failures in a row as one. */
export function checkFailures(runs: readonly Run[]): Failure[] {
  const all: Failure[] = [];
  for (const run of runs) {
    if (!isCheck(run.command.kind)) continue;
    const open = all.filter((failure) => failure.mended === null);
    if (run.verdict.result === "fail") {
      const same = open.find((failure) => isSameCheck(failure, run));
      if (same) same.runs.push(run);
      else all.push({ runs: [run], mended: null });
    } else if (run.verdict.result === "pass") {
      for (const failure of open) if (isMendedBy(failure, run)) failure.mended = run;
    }
  }
  return all;
}

function isSameCheck(failure: Failure, run: Run): boolean {
  return failure.runs.some((one) => one.command.kind === run.command.kind);
}

/** Whether the passing run covers what failed: the same command, a broader one, or the failing tests by name. */
function isMendedBy(failure: Failure, run: Run): boolean {
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
  const [mine, theirs] = [targetsOf(run), targetsOf(last)];
  return family === failed.family && mine === theirs && !/\s(?:-run|-k|-t|--grep|--filter)\b/.test(text);
}

/** A runner's script without arguments runs everything. */
function isWhole(run: Run): boolean {
  return run.command.text === run.command.family && !/^(?:jest|vitest)$/.test(run.command.family);
}

function targetsOf(run: Run): string {
  return run.command.main.words.filter((word) => !word.startsWith("-")).join(" ");
}

/** One observation for each failure. */
export function failureDrafts(
  failures: readonly Failure[],
  edits: readonly EditDraft[],
  eventAt: Map<number, number>,
): ObservationDraft[] {
  return failures.flatMap((failure) => {
    const [first] = failure.runs;
    if (!first) return [];
    const telling = tellingRun(failure);
    const wrong = wrongWith(telling);
    const unit = `failure:${first.command.kind}:${cutText(first.command.text, 120)}`;
    if (!failure.mended) return [openDraft(unit, failure, telling, wrong)];
    const files = filesBetween(edits, first.call.at, failure.mended.call.at, eventAt);
    return [mendedDraft(unit, failure, telling, wrong, files)];
  });
}

/** The last failure names what had to be mended longest; one with test names says most. */
function tellingRun(failure: Failure): Run {
  const named = failure.runs.findLast((run) => run.verdict.failing.length > 0);
  const last = failure.runs.at(-1);
  if (!last) throw new RangeError("a failure has a run");
  return named ?? failure.runs.findLast((run) => run.verdict.errors.length > 0) ?? last;
}

/** Failing tests by name, or the error, or the numbers. */
export function wrongWith(run: Run): string {
  const { failing, numbers } = run.verdict;
  if (failing.length > 0)
    return listed(
      failing.map((name) => cutText(name, 60)),
      2,
    );
  return atBase(
    run.verdict.errors[0] ? errorLine("", run.verdict) : numbers || errorLine(run.call.output, run.verdict),
  );
}

/** `a/long/path.ts:3:5: message` with the file's name alone. */
function atBase(line: string): string {
  return line.replace(/^(?:[\w.@-]*\/)+([\w.-]+\.\w+)/, "$1");
}

function openDraft(unit: string, failure: Failure, telling: Run, wrong: string): ObservationDraft {
  const command = shownCode(telling);
  return draftOf(unit, evidenceOf(failure), {
    type: "discovery",
    title: titleOf(`${command} fails${wrong ? `: ${wrong}` : ""}`),
    subtitle: telling.verdict.numbers,
    narrative: oneLine(
      `${command} still failed when this turn ended. ${errorLine(telling.call.output, telling.verdict)}`,
    ),
    facts: factsOf(telling),
    concepts: ["gotcha"],
    ...agentOf(failure.runs.map((run) => run.call)),
  });
}

function mendedDraft(
  unit: string,
  failure: Failure,
  telling: Run,
  wrong: string,
  files: readonly string[],
): ObservationDraft {
  const command = shownCode(telling);
  const how =
    files.length > 0
      ? `passes after changing ${listed(
          files.map((file) => shortPath(file, 40)),
          2,
        )}`
      : "passes on a later run";
  const kind = telling.command.kind;
  const worthy = kind !== "lint" && files.some((file) => classOf(file) === "source");
  const base = `${files.length > 0 ? "Fixed " : ""}${command}${files.length > 0 ? "" : " failed"}: ${wrong || "it failed"}`;
  const whole = `${base} — ${how}`;
  return draftOf(unit, evidenceOf(failure), {
    type: worthy ? "bugfix" : files.length > 0 ? "change" : "discovery",
    title: titleOf(whole.length <= TITLE_MAX ? whole : base),
    subtitle: how,
    narrative: oneLine(
      `${command} failed${wrong ? `: ${wrong}` : ""}. It ${how}${failure.mended?.verdict.numbers ? ` (${failure.mended.verdict.numbers})` : ""}.`,
    ),
    facts: factsOf(telling),
    concepts: ["problem-solution"],
    filesModified: [...files],
    ...agentOf(failure.runs.map((run) => run.call)),
  });
}

function evidenceOf(failure: Failure): { id: number; at: number }[] {
  return [...failure.runs, ...(failure.mended ? [failure.mended] : [])].map((run) => run.call);
}

function factsOf(run: Run): string[] {
  const { failing, errors, numbers } = run.verdict;
  const facts = numbers ? [numbers] : [];
  if (failing.length > 0) facts.push(cutText(`Failing: ${failing.join(", ")}`, 400));
  return [...facts, ...errors.slice(0, 4)];
}

export function shownCode(run: Run): string {
  return `\`${cutText(run.command.text, 48)}\``;
}

/** Files edited after the first failure and before the run that passed. */
export function filesBetween(
  edits: readonly EditDraft[],
  from: number,
  to: number,
  eventAt: Map<number, number>,
): string[] {
  const inside = (id: number) => {
    const at = eventAt.get(id) ?? 0;
    return at >= from && at <= to;
  };
  return edits.filter((edit) => edit.draft.evidence.some(inside)).map((edit) => edit.path);
}
