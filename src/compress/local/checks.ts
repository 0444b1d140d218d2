/** Runs of tests, builds and linters: what broke, what mended it, and what passes in the end. */
import type { ObservationDraft } from "../../core/observation.ts";
import { cutText, oneLine } from "../../core/text.ts";
import type { Run } from "./bash.ts";
import { agentOf, draftOf } from "./call.ts";
import type { EditDraft } from "./code/edits.ts";
import { isCheck } from "./commands.ts";
import { type Failure, isMendedBy, isSameCheck } from "./mending.ts";
import { baseName, classOf, shortPath } from "./paths.ts";
import { errorLine } from "./verdict.ts";
import { listed, TITLE_MAX, titleOf } from "./words.ts";

const NARRATIVE_MAX = 900;

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

/** One observation for each failure. `causes` are the assistant's sentences that say why something broke. */
export function failureDrafts(
  failures: readonly Failure[],
  edits: readonly EditDraft[],
  eventAt: Map<number, number>,
  causes: readonly string[] = [],
): ObservationDraft[] {
  return failures.flatMap((failure) => {
    const [first] = failure.runs;
    if (!first) return [];
    const telling = tellingRun(failure);
    const wrong = wrongWith(telling);
    const unit = `failure:${first.command.kind}:${cutText(first.command.text, 120)}`;
    if (!failure.mended) return [openDraft(unit, failure, telling, wrong)];
    const between = editsBetween(edits, first.call.at, failure.mended.call.at, eventAt);
    // A linter or compiler that passes later without an edit was asked something else.
    if (between.length === 0 && first.command.kind !== "test") return [];
    return [mendedDraft(unit, failure, telling, wrong, between, causes)];
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
  between: readonly EditDraft[],
  causes: readonly string[],
): ObservationDraft {
  const command = shownCode(telling);
  const files = between.flatMap((edit) => edit.paths);
  const how = files.length > 0 ? `passes after changing ${changedWhat(between)}` : "passes on a later run";
  const kind = telling.command.kind;
  const worthy = kind !== "lint" && files.some((file) => classOf(file) === "source");
  const base = `${files.length > 0 ? "Fixed " : ""}${command}${files.length > 0 ? "" : " failed"}: ${wrong || "it failed"}`;
  const whole = `${base} — ${how}`;
  const cause = causeOf(causes, telling, between);
  const times = failure.runs.length > 1 ? ` ${failure.runs.length} times` : "";
  const fix = between.map((edit) => edit.draft.title).slice(0, 3);
  const numbers = failure.mended?.verdict.numbers ? ` (${failure.mended.verdict.numbers})` : "";
  return draftOf(unit, evidenceOf(failure), {
    type: worthy ? "bugfix" : files.length > 0 ? "change" : "discovery",
    title: titleOf(whole.length <= TITLE_MAX ? whole : base),
    subtitle: how,
    narrative: cutText(
      oneLine(
        `Problem: ${command} failed${times}${wrong ? `: ${wrong.replace(/[.:]+$/, "")}` : ""}. ${cause ? `Cause: ${cause} ` : ""}${
          fix.length > 0 ? `Fix: ${fix.join("; ")}. ` : ""
        }It ${how}${numbers}.`,
      ),
      NARRATIVE_MAX,
    ),
    facts: factsOf(telling),
    concepts: ["problem-solution"],
    filesModified: files,
    ...agentOf(failure.runs.map((run) => run.call)),
  });
}

/** The sentence that has a name of the failure's or of its mending in it: another one explains something else. */
function causeOf(causes: readonly string[], telling: Run, between: readonly EditDraft[]): string {
  const said = [...telling.verdict.failing, ...telling.verdict.errors].join(" ");
  const ofCode = said.match(/\b(?:\w+\.\w{1,5}|\w*[a-z]\w*[A-Z]\w*|[A-Za-z]+_\w+|[A-Z][a-z]\w+)\b/g) ?? [];
  const ofEdits = between.flatMap((edit) => [
    ...edit.paths.map((path) => baseName(path).replace(/\.\w+$/, "")),
    ...edit.change.names.map((name) => name.name),
  ]);
  const names = [...ofCode, ...ofEdits].filter(
    (name) => name.length > 3 && !/^(?:Error|FAIL\w*)$/.test(name),
  );
  return causes.find((cause) => names.some((name) => cause.includes(name))) ?? "";
}

/** Names and files, as far as one line holds them. */
function changedWhat(between: readonly EditDraft[]): string {
  const [only] = between;
  const names = only?.change.names.filter((name) => name.kind !== "key").map((name) => name.name) ?? [];
  if (only && between.length === 1 && names.length === 1) return `${names[0]} in ${baseName(only.path)}`;
  return listed(
    between.map((edit) => shortPath(edit.path, 40)),
    2,
  );
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

/** Edits made after the first failure and before the run that passed. */
export function editsBetween(
  edits: readonly EditDraft[],
  from: number,
  to: number,
  eventAt: Map<number, number>,
): EditDraft[] {
  const inside = (id: number) => {
    const at = eventAt.get(id) ?? 0;
    return at >= from && at <= to;
  };
  return edits.filter((edit) => edit.draft.evidence.some(inside));
}
