/** The checks that pass when a turn ends. */
import type { ObservationDraft } from "../../core/observation.ts";
import type { Run } from "./bash.ts";
import { agentOf, draftOf } from "./call.ts";
import { type Failure, shownCode } from "./checks.ts";
import { type CheckKind, isCheck } from "./commands.ts";
import { TITLE_MAX, titleOf, unique } from "./words.ts";

const SAYING: Record<CheckKind, string> = {
  test: "tests pass",
  build: "build passes",
  types: "types check",
  lint: "lint is clean",
};

/** One observation for the checks whose last run passed; `null` where there are none, or a mended failure tells it. */
export function passDraft(runs: readonly Run[], failures: readonly Failure[]): ObservationDraft | null {
  const last = new Map<string, Run>();
  for (const run of runs) {
    if (isCheck(run.command.kind) && run.verdict.result !== "unknown") last.set(run.command.kind, run);
  }
  const passed = [...last.values()].filter((run) => run.verdict.result === "pass");
  const stillRed = failures.some((failure) => failure.mended === null);
  const told = failures.flatMap((failure) => (failure.mended ? [failure.mended] : []));
  if (passed.length === 0 || stillRed || passed.every((run) => told.includes(run))) return null;
  const parts = passed.map((run) => {
    const { kind } = run.command;
    const numbers = run.verdict.numbers ? `, ${run.verdict.numbers}` : "";
    return isCheck(kind) ? `${SAYING[kind]} (${shownCode(run)}${numbers})` : "";
  });
  const title = parts.join("; ");
  const short = passed.map((run) => (isCheck(run.command.kind) ? SAYING[run.command.kind] : "")).join(", ");
  return draftOf(
    "run:checks",
    passed.map((run) => run.call),
    {
      type: "discovery",
      title: titleOf(title.length <= TITLE_MAX ? title : short),
      facts: unique(parts),
      concepts: ["what-changed"],
      ...agentOf(passed.map((run) => run.call)),
    },
  );
}
