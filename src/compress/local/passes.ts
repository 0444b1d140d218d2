/** The checks that pass when a turn ends. */
import type { ObservationDraft } from "../../core/observation.ts";
import type { Run } from "./bash.ts";
import { agentOf, draftOf } from "./call.ts";
import { shownCode } from "./checks.ts";
import { type CheckKind, isCheck } from "./commands.ts";
import type { Failure } from "./mending.ts";
import { capital, TITLE_MAX, titleOf, unique } from "./words.ts";

const SAYING: Record<CheckKind, string> = {
  test: "tests pass",
  build: "build passes",
  types: "types check",
  lint: "lint is clean",
};
/** A fact with which other work says that it was checked opens so; the commands stand in it as code. */
const VERIFIED = "Verified: ";

export type Passed = { words: string[]; short: string; runs: Run[] };

/** The checks whose last run passed; `null` where there are none, or one is still red. */
export function passedChecks(runs: readonly Run[], failures: readonly Failure[]): Passed | null {
  const last = new Map<string, Run>();
  for (const run of runs) {
    if (isCheck(run.command.kind) && run.verdict.result !== "unknown") last.set(run.command.kind, run);
  }
  const passed = [...last.values()].filter((run) => run.verdict.result === "pass");
  if (passed.length === 0 || failures.some((failure) => failure.mended === null)) return null;
  return { words: unique(passed.map(wordsOf)), short: unique(passed.map(sayingOf)).join(", "), runs: passed };
}

function sayingOf(run: Run): string {
  return isCheck(run.command.kind) ? SAYING[run.command.kind] : "";
}

function wordsOf(run: Run): string {
  const numbers = run.verdict.numbers ? `, ${run.verdict.numbers}` : "";
  return `${sayingOf(run)} (${shownCode(run)}${numbers})`;
}

/** What the work that the checks verify says of them. */
export function verifiedFact(passed: Passed): string {
  return VERIFIED + passed.words.join("; ");
}

/** One observation for them, where no other work tells it. */
export function passDraft(passed: Passed): ObservationDraft {
  const title = passed.words.join("; ");
  return draftOf(
    "run:checks",
    passed.runs.map((run) => run.call),
    {
      type: "discovery",
      title: titleOf(title.length <= TITLE_MAX ? title : passed.short),
      facts: passed.words.map(capital),
      concepts: ["what-changed"],
      ...agentOf(passed.runs.map((run) => run.call)),
    },
  );
}
