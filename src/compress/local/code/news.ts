/** What is new inside a change that no name tells: calls made now, calls dropped, words shown to people. */
import { cutText, oneLine } from "../../../core/text.ts";
import { listed } from "../words.ts";
import type { FileChange } from "./changes.ts";
import { isComment, isImport } from "./symbols.ts";

const CALL = /(?<![\w$.])((?:[A-Za-z_$][\w$]*\.){0,3}[A-Za-z_$][\w$]*)\(/g;
/** Printing, formatting, asserting and converting is what every line does. */
const EVERYWHERE =
  /^(?:if|for|while|switch|return|catch|function|func|fn|def|match|with|super|constructor|new|len|cap|append|make|copy|delete|panic|recover|string|int\d*|int|bool|byte|error|float\d*|uint\d*|any|str|list|dict|set|tuple|range|print|println|isinstance|type|typeof|require|import|expect|describe|it|test|assert\w*|Some|Ok|Err|Number|String|Boolean|Array|Object|Error|and|or|not|in)$|^(?:fmt|errors|console|log|t|b|testing|assert|require|strings|sort|json|JSON|Math|Object|Array|String|Number|Promise|os\.Getenv|err|ctx|cmd|self|this|sb|buf|w|it)\.|\.(?:map|filter|push|join|split|trim|includes|forEach|length|toString|slice|replace|Error|Errorf|Fatal|Fatalf|Run|Helper|Parallel|append|format|unwrap|clone|iter|collect|get|set)$/;
const TEXT = /(?:"((?:[^"\\]|\\.){8,160})"|'((?:[^'\\]|\\.){8,160})'|`([^`]{8,160})`)/g;

/** In a few words, such as `now calls checkLimit`; "" where nothing stands out. `known` are names told already. */
export function newsOf(change: FileChange, known: readonly string[]): string {
  const plus = change.plus.filter((line) => !isComment(line) && !isImport(line));
  const minus = change.minus.filter((line) => !isComment(line) && !isImport(line));
  const around = callsIn(change.around);
  const [came, went] = [callsIn(plus), callsIn(minus)];
  const fresh = [...came].filter(
    (name) => !went.has(name) && !around.has(name) && !known.includes(lastOf(name)),
  );
  const gone = [...went].filter(
    (name) => !came.has(name) && !around.has(name) && !known.includes(lastOf(name)),
  );
  if (fresh.length > 0 && gone.length > 0 && fresh.length <= 2)
    return `calls ${listed(fresh, 2)} instead of ${listed(gone, 1)}`;
  if (fresh.length > 0) return `now calls ${listed(fresh, 2)}`;
  const said = shownText(plus, minus);
  if (said !== "") return `now says “${said}”`;
  return gone.length > 0 ? `no longer calls ${listed(gone, 2)}` : "";
}

function lastOf(name: string): string {
  return name.slice(name.lastIndexOf(".") + 1);
}

function callsIn(lines: readonly string[]): Set<string> {
  const found = new Set<string>();
  for (const line of lines) {
    if (line.length > 400) continue;
    const code = line.replace(TEXT, '""').replace(/\s(?:\/\/|#)\s.*$/, "");
    for (const [, name = ""] of code.matchAll(CALL))
      if (name.length > 3 && name.length < 48 && !EVERYWHERE.test(name)) found.add(name);
  }
  return found;
}

/** A sentence in quotes that was not there before. */
function shownText(plus: readonly string[], minus: readonly string[]): string {
  const old = minus.join("\n");
  for (const line of plus) {
    if (line.length > 400) continue;
    for (const found of line.matchAll(TEXT)) {
      const text = oneLine((found[1] ?? found[2] ?? found[3] ?? "").replace(/\\[nt]/g, " "));
      if (/\p{L}\p{L}+\s+\p{L}\p{L}+/u.test(text) && !old.includes(text)) return cutText(text, 50);
    }
  }
  return "";
}

/** The line that says most; a line in the middle of a text says little. */
export function tellingLine(lines: readonly string[], max = 60): string {
  const plain = lines.filter((line) => line.length > 8 && !isComment(line) && !isImport(line));
  const found =
    plain.find((line) => /[=(:{]|=>/.test(line) && !/^(?:if\s+)?(?:err|error)\b|^return\b|^\}/.test(line)) ??
    plain.find((line) => /[=(:{]|=>/.test(line)) ??
    plain[0] ??
    lines[0] ??
    "";
  return cutText(oneLine(found.replaceAll("`", "'").replace(/[,;{([\s]+$/, "")), max);
}
