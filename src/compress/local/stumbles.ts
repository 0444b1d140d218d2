/** Own slips: checks that broke on the turn's own edits and passed before it ended. They belong to the edits' story. */
import { cutText, oneLine } from "../../core/text.ts";
import { editsBetween, shownCode, wrongWith } from "./checks.ts";
import type { EditDraft } from "./code/edits.ts";
import type { Failure } from "./mending.ts";

/** Broken more often than this, it was a problem of its own. */
const RUNS_MAX = 2;
/** The prompt is about what fails. */
const ABOUT_CHECKS =
  /\b(?:lint\w*|tests?|ci|builds?|compil\w+|errors?|fail(?:s|ed|ing|ures?)?|broken|crash\w*|bugs?|types?|fehler\w*|erreurs?|errores?|erros?|errori)\b|错误|失败|エラー|失敗|오류|실패|ошибк/i;

/** Whether the check broke on what this very turn had edited, and passes again. */
export function isStumble(failure: Failure, edits: readonly EditDraft[], prompt: string): boolean {
  const [first] = failure.runs;
  if (!first || failure.mended === null) return false;
  const before = edits.filter((edit) => edit.firstAt < first.call.at);
  const asked = prompt.slice(0, 8_000);
  const { failing } = first.verdict;
  // `a.ts:3` and `a.ts(3,1)` alike.
  const [line = "", place = ""] = /([\w.-]+\.\w+)[:(]\d+/.exec(wrongWith(first)) ?? [];
  if (before.length === 0 || [line, ...failing].some((name) => name !== "" && asked.includes(name)))
    return false;
  // It does not compile, or a linter objects, where the turn had just written.
  if (failing.length === 0 && before.some((edit) => edit.path.endsWith(place) && place !== "")) return true;
  const isLasting = first.command.kind === "test" && failure.runs.length > RUNS_MAX;
  return !isLasting && !ABOUT_CHECKS.test(asked.slice(0, 300));
}

const MISTYPED =
  /unknown (?:flag|option|command|argument)|unrecognized (?:option|argument)|usage:|command not found/i;

export type StumbleNote = { path: string; words: string; evidence: number[] };

/** What is noted with the edit that mended it: where, and in which words. */
export function stumbleNotes(
  stumbles: readonly Failure[],
  edits: readonly EditDraft[],
  eventAt: Map<number, number>,
): StumbleNote[] {
  return stumbles.flatMap((failure) => {
    const [first] = failure.runs;
    const { mended } = failure;
    // A command that was typed wrong teaches nothing about the files.
    if (!first || !mended || MISTYPED.test(wrongWith(first))) return [];
    const [mending] = editsBetween(edits, first.call.at, mended.call.at, eventAt);
    const path = mending?.path ?? edits[0]?.path ?? "";
    const words = `On the way ${shownCode(first)} failed: ${oneLine(wrongWith(first)) || "no reason given"}; mended`;
    const evidence = [...failure.runs, mended].map((run) => run.call.id);
    return [{ path, words: cutText(words, 240), evidence }];
  });
}
