/** Outlines, sources and finds as compact text for a model. */
import { estimateTokens } from "../core/budget.ts";
import type { Definition } from "./definition.ts";
import type { Outline } from "./outline.ts";
import type { SymbolAnswer } from "./search.ts";
import type { UnfoldAnswer } from "./unfold.ts";

/** UTF-16 units of one outline: some 6,000 tokens, well below what a host cuts an answer to. */
const OUTLINE_MAX = 24_000;

const count = (value: number) => value.toLocaleString("en-US");
const span = ({ line, end }: Pick<Definition, "line" | "end">) =>
  line === end ? `${line}` : `${line}–${end}`;

type Detail = { docs: boolean; depth: number; values: boolean };

/** From everything to the top level alone: the first that fits is shown. */
const DETAILS: readonly Detail[] = [
  { docs: true, depth: 8, values: true },
  { docs: false, depth: 8, values: true },
  { docs: false, depth: 8, values: false },
  { docs: false, depth: 2, values: false },
  { docs: false, depth: 1, values: false },
];

/** The outline as lines `12–40 signature — doc`, indented by depth; a large one with less of each. */
export function renderOutline(outline: Outline, max = OUTLINE_MAX): string {
  const total = countAll(outline.definitions);
  let shown: string[] = [];
  for (const detail of DETAILS) {
    shown = linesOf(outline.definitions, detail, 1);
    if (shown.join("\n").length <= max) break;
  }
  let length = 0;
  const kept = shown.filter((line) => {
    length += line.length + 1;
    return length <= max;
  });
  const hidden = total - kept.length;
  const body = kept.length > 0 ? kept.join("\n") : total > 0 ? "" : "No definitions found.";
  const tail =
    hidden > 0 ? `… ${count(hidden)} more; smart_unfold shows one by its name, smart_search finds it.` : "";
  const head =
    `${outline.path} · ${outline.language} · ${count(outline.lines)} lines · ~${count(outline.tokens)} tokens ` +
    `(outline ~${count(estimateTokens(body))})`;
  return [head, ...outline.notes, body, tail].filter(Boolean).join("\n");
}

function countAll(definitions: readonly Definition[]): number {
  return definitions.reduce((sum, { children }) => sum + 1 + countAll(children), 0);
}

function linesOf(definitions: readonly Definition[], detail: Detail, depth: number): string[] {
  if (depth > detail.depth) return [];
  return definitions.flatMap((one) => {
    if (!detail.values && (one.kind === "field" || (one.kind === "const" && one.children.length === 0)))
      return [];
    const doc = detail.docs && one.doc ? ` — ${one.doc}` : "";
    return [
      `${"  ".repeat(depth - 1)}${span(one)} ${one.signature}${doc}`,
      ...linesOf(one.children, detail, depth + 1),
    ];
  });
}

/** The source under a head line, or what the name may have meant. */
export function renderUnfold(answer: UnfoldAnswer): string {
  if (answer.source !== null) {
    const { path, name, kind, from, end, source, cut, inside } = answer;
    const head = `${path}:${from}–${end} ${kind} ${name} · ~${count(estimateTokens(source))} tokens`;
    const rest = cut
      ? `… cut here; lines ${cut.from}–${cut.to} are left out.${inside.length > 0 ? ` In it: ${inside.join(", ")}` : ""}`
      : "";
    return [head, source, rest, ...answer.notes].filter(Boolean).join("\n");
  }
  const list = answer.candidates.map(
    ({ name, kind, line, end }) => `  ${name} (${kind}, ${span({ line, end })})`,
  );
  const said = answer.exact
    ? `${answer.path} has ${count(answer.candidates.length)} of that name; ask for one of:`
    : `${answer.path} defines no such name.${list.length > 0 ? " Near it:" : ""}`;
  return [said, ...list, ...answer.notes].join("\n");
}

/** Finds by file, the best first. */
export function renderSymbols(answer: SymbolAnswer): string {
  const groups = new Map<string, string[]>();
  for (const hit of answer.hits) {
    const lines = groups.get(hit.path) ?? [];
    if (hit.kind !== "file") {
      const within = hit.within ? ` (in ${hit.within})` : "";
      lines.push(`  ${span(hit)} ${hit.signature}${within}${hit.doc ? ` — ${hit.doc}` : ""}`);
    }
    groups.set(hit.path, lines);
  }
  const found = answer.hits.length;
  const head =
    found === 0
      ? `Nothing in ${count(answer.files)} files is named like that.`
      : `${count(found)} of ${count(answer.matches)} found in ${count(answer.files)} files, best first:`;
  return [head, ...[...groups].flatMap(([path, lines]) => [path, ...lines]), ...answer.notes].join("\n");
}
