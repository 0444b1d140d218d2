/** When what was left, a failure or a plan, is over. */
import type { Note } from "../../store/links.ts";
import {
  type Check,
  failedCheck,
  failingNames,
  isFailure,
  isOpenFailure,
  isPlan,
  openItems,
  passedChecks,
  planItems,
} from "../note-kinds.ts";

/** Whether `newer` shows that what failed in `older` works by now. */
export function isSettledBy(older: Note, newer: Note): boolean {
  if (isPlan(older))
    return continuesPlan(older, newer) && openItems(older).every((item) => !openItems(newer).includes(item));
  if (!isOpenFailure(older)) return false;
  const failed = failedCheck(older);
  if (failed && !isFailure(newer)) return passedChecks(newer).some((check) => covers(check, failed, older));
  if (!isFailure(newer) || isOpenFailure(newer)) return false;
  if (!failed) return older.unit === newer.unit;
  const mended = failedCheck(newer);
  if (mended?.kind !== failed.kind) return false;
  const [names, fixed] = [failingNames(older), new Set(failingNames(newer))];
  if (names.length > 0 && names.every((name) => fixed.has(name))) return true;
  return covers(mended, failed, older);
}

/** Most of a plan's items in the later plan, and it is that plan further on. */
const SAME_PLAN = 0.6;

export function continuesPlan(older: Note, newer: Note): boolean {
  const [before, after] = [planItems(older), new Set(planItems(newer))];
  return before.length > 0 && before.filter((item) => after.has(item)).length >= before.length * SAME_PLAN;
}

const PART = /\s(?:-run|-k|-t|-g|--grep|--filter|--test-name-pattern)\b|::/;

/** Whether a run of `check` runs what failed: the same command, a broader one, or one that names the failing tests. */
function covers(check: Check, failed: Check, older: Note): boolean {
  if (check.kind !== failed.kind) return false;
  if (check.text === failed.text) return true;
  const names = failingNames(older).map((name) => name.split(/[/\s]/)[0] ?? name);
  if (names.length > 0 && names.every((name) => check.text.includes(name))) return true;
  // With rules or a configuration of its own it was another check.
  if (failed.kind === "lint" && /\s(?:-c|--config|--enable\S*|--select|--rule)\b/.test(failed.text))
    return false;
  if (PART.test(check.text) || check.text.endsWith("…")) return false;
  // Without arguments, or on everything, it is the whole.
  const isWhole = check.text === check.family || /\s\.\/\.\.\.(?:\s|$)/.test(check.text);
  return isWhole || failed.text.startsWith(`${check.text} `);
}
