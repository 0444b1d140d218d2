/** Failed calls other than checks: what the next session should not run into again. */
import type { ObservationDraft } from "../../core/observation.ts";
import { cutText, oneLine } from "../../core/text.ts";
import type { Run } from "./bash.ts";
import { isShell } from "./bash.ts";
import { agentOf, type Call, draftOf } from "./call.ts";
import { editsBetween } from "./checks.ts";
import type { EditDraft } from "./code/edits.ts";
import { isCheck } from "./commands.ts";
import { shortPath } from "./paths.ts";
import { errorLine } from "./verdict.ts";
import { listed, TITLE_MAX, titleOf } from "./words.ts";

/** The agent's own slips, mended by the next call, and a person's stop. */
const TRIVIAL =
  /File does not exist|String to replace not found|String not found in file|has not been read yet|has been (?:unexpectedly )?modified since|No changes to make|Found \d+ matches of the string|InputValidationError|EISDIR|exceeds maximum|is too large|doesn't want to (?:proceed|take this action)|tool use was rejected|interrupted by (?:the )?user|\[Request interrupted|Sibling tool call errored|No such tool|Unknown skill|Path does not exist|Cancelled|aborted|timed out/i;
const BLOCKED =
  /\b(?:permission (?:to use \S+ )?(?:has been )?denied|not (?:permitted|allowed)|blocked|denied by|requires approval|hook (?:blocked|error)|operation not permitted|sandbox)\b/i;
const UNINTERESTING_TOOLS =
  /^(?:Read|Grep|Glob|LS|Edit|Write|MultiEdit|NotebookEdit|Task\w+|Todo\w+|AskUserQuestion|ExitPlanMode|EnterPlanMode|ToolSearch|Skill|BashOutput|KillShell|KillBash|Agent|LSP)$/;
/** Trying these out with other arguments is exploration, not a failure mended. */
const EXPLORING = /^(?:curl|gh api|gh|python.*|node|bash|sh|bun|npm|docker|sqlite3|psql)$/;
const DRAFTS_MAX = 4;

type Attempt = { call: Call; name: string; text: string; run: Run | null };

/** At most four, those never mended first. */
export function otherFailures(
  calls: readonly Call[],
  runs: readonly Run[],
  edits: readonly EditDraft[],
  eventAt: Map<number, number>,
): ObservationDraft[] {
  const attempts = attemptsOf(calls, runs);
  const drafts: { draft: ObservationDraft; open: boolean }[] = [];
  const seen = new Set<string>();
  attempts.forEach((attempt, index) => {
    const wrong = attempt.call.failed ? errorLine(attempt.call.output) : "";
    if (!isWorthTelling(attempt, wrong) || seen.has(wrong) || seen.has(attempt.name)) return;
    seen.add(wrong).add(attempt.name);
    const later = attempts.slice(index + 1).filter((one) => one.name === attempt.name);
    const again = later.filter((one) => one.call.failed);
    const worked = later.find((one) => !one.call.failed) ?? null;
    const isExploring = attempt.run === null || EXPLORING.test(attempt.name);
    if (worked && worked.text !== attempt.text && isExploring) return;
    const files = worked
      ? editsBetween(edits, attempt.call.at, worked.call.at, eventAt).flatMap((edit) => edit.paths)
      : [];
    drafts.push({ draft: draftFor(attempt, again, worked, wrong, files), open: worked === null });
  });
  const sorted = [...drafts.filter((one) => one.open), ...drafts.filter((one) => !one.open)];
  return sorted.slice(0, DRAFTS_MAX).map((one) => one.draft);
}

function attemptsOf(calls: readonly Call[], runs: readonly Run[]): Attempt[] {
  const byCall = new Map(runs.map((run) => [run.call.id, run]));
  return calls.flatMap((call): Attempt[] => {
    const run = byCall.get(call.id) ?? null;
    if (isShell(call)) {
      if (!run || isCheck(run.command.kind)) return [];
      return [{ call, name: run.command.family, text: run.command.text, run }];
    }
    return [{ call, name: call.tool, text: JSON.stringify(call.input).slice(0, 2_000), run: null }];
  });
}

function isWorthTelling(attempt: Attempt, wrong: string): boolean {
  const { call, run } = attempt;
  if (!call.failed || call.interrupted || wrong === "" || TRIVIAL.test(call.output)) return false;
  if (run) return run.command.kind !== "noise";
  if (BLOCKED.test(call.output)) return true;
  return call.tool !== "" && !UNINTERESTING_TOOLS.test(call.tool);
}

function draftFor(
  attempt: Attempt,
  again: readonly Attempt[],
  worked: Attempt | null,
  wrong: string,
  files: readonly string[],
): ObservationDraft {
  const name = nameOf(attempt);
  const blocked = BLOCKED.test(attempt.call.output);
  const way = wayOut(attempt, worked, files);
  const fixed = worked !== null && files.length > 0 && worked.text === attempt.text;
  const base = fixed
    ? `Fixed ${name}: ${wrong}`
    : `${name} ${blocked ? "was blocked" : worked ? "failed" : "fails"}: ${wrong}`;
  const whole = way ? `${base} — ${way}` : base;
  const evidence = [attempt, ...again, ...(worked ? [worked] : [])].map((one) => one.call);
  return draftOf(`failure:${cutText(attempt.run ? attempt.text : attempt.name, 120)}`, evidence, {
    type: fixed ? "bugfix" : "discovery",
    title: titleOf(whole.length <= TITLE_MAX ? whole : base),
    subtitle: way,
    narrative: oneLine(
      `${name} failed: ${wrong}. ${way ? `It ${way}.` : "Nothing in this turn made it work."}`,
    ),
    facts: [cutText(oneLine(attempt.call.output), 300)],
    concepts: worked ? ["gotcha", "problem-solution"] : ["gotcha"],
    filesModified: fixed ? [...files] : [],
    ...agentOf(evidence),
  });
}

function wayOut(attempt: Attempt, worked: Attempt | null, files: readonly string[]): string {
  if (!worked) return "";
  if (worked.text !== attempt.text && worked.run) return `worked as \`${cutText(worked.text, 60)}\``;
  if (worked.text !== attempt.text) return "worked with other input";
  if (files.length > 0)
    return `works after changing ${listed(
      files.map((file) => shortPath(file, 40)),
      2,
    )}`;
  return "worked when tried again";
}

function nameOf(attempt: Attempt): string {
  if (attempt.run) return `\`${cutText(attempt.text, 48)}\``;
  const { url, query } = attempt.call.input;
  const target = typeof url === "string" ? url : typeof query === "string" ? query : "";
  return `${toolName(attempt.call.tool)}${target ? ` of ${cutText(target, 60)}` : ""}`;
}

/** `mcp__linear-server__create_issue` as `linear-server create issue`. */
function toolName(tool: string): string {
  const parts = /^mcp__(.+?)__(.+)$/.exec(tool);
  return parts
    ? `${(parts[1] ?? "").replace(/^plugin_/, "")} ${(parts[2] ?? "").replaceAll("_", " ")}`
    : tool;
}
