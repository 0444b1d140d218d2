/** What a run of tests, a build or a linter said. Recognised by the lines such programs print, whatever they are. */
import { cutText, oneLine } from "../../core/text.ts";

export type Verdict = {
  result: "pass" | "fail" | "unknown";
  /** Such as `12 passed, 1 failed`; "" where no numbers were printed. */
  numbers: string;
  /** Names of failing tests, in order. */
  failing: string[];
  /** The lines that say what is wrong. */
  errors: string[];
};

const LINE_MAX = 400;
const LINES_MAX = 4_000;
const NAMES_MAX = 12;
const ERRORS_MAX = 6;

const FAILING: readonly RegExp[] = [
  /^\s*--- FAIL: (\S+)/,
  /^\s*=== FAIL: (\S+ \S+)/,
  /^FAILED (\S+)/,
  /^ERROR (\S+\.py\S*)/,
  /^\(fail\) (.+?)(?: \[[\d.]+ ?m?s\])?$/,
  /^\s*(?:✕|✗|×|✘)\s+(.+?)(?: \(?[\d.]+ ?m?s\)?)?$/,
  /^\s*● (.+ › .+)$/,
  /^\s*FAIL\s+(.+ > .+)$/,
  /^test (\S+) \.\.\. FAILED$/,
  /^not ok \d+ - (.+?)(?: # .*)?$/,
  /^rspec \S+ # (.+)$/,
  /^\s{2,}\d+\) (.{3,160})$/,
  /^\s*\[FAIL\] (.+)$/,
];

const ERRORS: readonly RegExp[] = [
  /\berror TS\d+: /,
  /^\s*error(?:\[\w+\])?: (?!could not compile|aborting|process|script|test run|test failed)/i,
  /^\S*?[\w./-]+\.\w{1,5}:\d+(?::\d+)?:? /,
  /^\s+\d+:\d+\s+error\s/,
  /^(?:E {2,})?\w*(?:Error|Exception|Panic)\b(?:\[\w+\])?: /,
  /^\s*(?:panic|fatal|FATAL|fatal error|ERR!|npm ERR!|npm error|thread '.*' panicked)\b:? /,
  /^\s*(?:undefined: |cannot find |Cannot find |could not |Could not |No such |command not found)/,
  /command not found|: not found$|No such file or directory/,
];

/** Reads the output; `failed` is the exit code's word, `hidden` that the exit code may be another program's. */
export function verdictOf(output: string, failed: boolean, hidden: boolean): Verdict {
  const lines = output
    .slice(0, 80_000)
    .replace(/\u001b\[[\d;]*[A-Za-z]/g, "")
    .split(/\r?\n/, LINES_MAX);
  const failing: string[] = [];
  const errors: string[] = [];
  let red = false;
  const isError = hidden || failed ? /^(?:FAIL|FAILED|ERROR)\b/ : /^(?:FAIL|FAILED)\b/;
  for (const line of lines) {
    if (line.length > LINE_MAX) continue;
    const name = failingName(line);
    if (name && failing.length < NAMES_MAX) addOnce(failing, cutText(oneLine(name), 120));
    else if (ERRORS.some((rule) => rule.test(line)) && !isWarning(line) && !/: : # |^# /.test(line))
      addOnce(errors, cutText(oneLine(line), 200));
    red ||= isError.test(line) || /^\s*✖ \d+ problems? \([1-9]/.test(line);
  }
  const counts = countsOf(lines);
  const broke = failing.length > 0 || counts.failed > 0 || red;
  // Where the exit code is another program's, printed errors tell, unless the runner counts what passed.
  const looksBroken = broke || (hidden && errors.length > 0 && counts.passed === 0);
  const silent = output.trim() === "";
  const passed =
    !hidden ||
    silent ||
    counts.passed > 0 ||
    /^(?:PASS|ok|OK)\b|\b(?:0 errors|no issues|0 issues|all checks passed|built in|success)/im.test(output);
  return {
    result: failed || looksBroken ? "fail" : passed ? "pass" : "unknown",
    numbers: counts.text,
    failing: withoutParents(failing),
    errors: errors.slice(0, ERRORS_MAX),
  };
}

function failingName(line: string): string {
  for (const rule of FAILING) {
    const name = rule.exec(line)?.[1];
    if (name) return name;
  }
  return "";
}

function isWarning(line: string): boolean {
  return /\bwarn(?:ing)?\b/i.test(line) && !/\berror\b/i.test(line);
}

function addOnce(list: string[], item: string): void {
  if (item !== "" && !list.includes(item)) list.push(item);
}

/** A failing subtest makes its parent fail: the parent says nothing more. */
function withoutParents(names: readonly string[]): string[] {
  return names.filter((name) => !names.some((other) => other.startsWith(`${name}/`)));
}

/** In small letters only: in capitals they are levels of a log. */
const COUNT =
  /(?<![\d:.-])(\d{1,7}) (tests? )?(passed|passing|pass|failed|failing|fail|failures?|skipped|ignored|errors?|problems?|issues?|warnings?)\b/g;
const FAILED_WORDS = /^(?:fail|error|problem|issue)/i;

/** The last number printed for each word: the total comes after the parts. */
function countsOf(lines: readonly string[]): { text: string; passed: number; failed: number } {
  const found = new Map<string, number>();
  let packages = 0;
  for (const line of lines) {
    if (line.length > LINE_MAX) continue;
    if (/^ok\s+\S+\s+(?:\(cached\)|[\d.]+s)/.test(line)) packages += 1;
    const tap = /^#\s+(pass|fail)\s+(\d+)/.exec(line);
    if (tap?.[1] && tap[2]) found.set(`${tap[1]}ed`.replace("faile", "faile"), Number(tap[2]));
    const named = /^Test Files\b/.test(line.trim()) || /^Test Suites:/.test(line) ? [] : line.matchAll(COUNT);
    for (const [, count, , word] of named) found.set(wordOf(word ?? ""), Number(count));
  }
  const get = (word: string) => found.get(word) ?? 0;
  const failed = get("failed") + get("errors") + get("problems") + get("issues");
  const shown = ["passed", "failed", "errors", "problems", "issues", "skipped"].filter(
    (word) => get(word) > 0,
  );
  const text = shown.map(
    (word) =>
      `${get(word)} ${get(word) === 1 ? word.replace(/([orm])s$/, "$1").replace(/issues/, "issue") : word}`,
  );
  if (text.length === 0 && packages > 0) text.push(`${packages} package${packages === 1 ? "" : "s"} ok`);
  return { text: text.join(", "), passed: get("passed") + packages, failed };
}

function wordOf(word: string): string {
  if (/^pass/i.test(word)) return "passed";
  if (/^(?:failed|failing|fail|failures?)$/i.test(word)) return "failed";
  if (/^(?:skipped|ignored)$/i.test(word)) return "skipped";
  const plural = word.toLowerCase().replace(/s?$/, "s");
  return FAILED_WORDS.test(plural) ? plural : "warnings";
}

const SAYS_NOTHING = /^(?:Exit code \d+|Command failed.*|exit status \d+|Error: Exit code \d+)$/i;

/** The line of an output that best says what went wrong, on one line; "" where none does. */
export function errorLine(output: string, verdict?: Verdict): string {
  if (verdict?.errors[0]) return bare(verdict.errors[0]);
  const lines = output.split(/\r?\n|\r/, LINES_MAX).map((line) => line.trim());
  const telling = lines.filter((line) => line !== "" && line.length <= LINE_MAX && !SAYS_NOTHING.test(line));
  const named = telling.find((line) =>
    /\b(?:\w*Error|\w*Exception|fatal|error|denied|rejected|refused|failed|not found|cannot|invalid)\b/i.test(
      line,
    ),
  );
  return cutText(oneLine(bare(named ?? telling[0] ?? "")), 200);
}

function bare(line: string): string {
  return line
    .replace(
      /^(?:Exit code \d+:?\s*|Error: (?=\w+ )|(?:error|fatal): |npm (?:ERR!|error)\s+|E {2,}|<tool_use_error>)/,
      "",
    )
    .replace(/<\/tool_use_error>$/, "");
}
