/** An outline without a parser: lines that read like definitions, nested by their indentation. */
import type { Definition, DefinitionKind } from "./definition.ts";
import { commentAbove, signatureFrom } from "./signature.ts";

/** Longer lines are data or minified code. */
const LINE_MAX = 500;
const DEFINITIONS_MAX = 2_000;

type Rule = [match: RegExp, kind: DefinitionKind];

const MODIFIERS =
  "(?:(?:public|private|protected|internal|export|default|abstract|final|sealed|static|async|open|override|virtual|inline|pub|local|partial|data|case|implicit|lazy|const|unsafe|extern)\\s+)*";
const NAME = "([\\p{L}_$][\\p{L}\\p{N}_$.:!?']*)";
const rule = (words: string, kind: DefinitionKind): Rule => [
  new RegExp(`^\\s*${MODIFIERS}(?:${words})\\s+${NAME}`, "u"),
  kind,
];

const RULES: Rule[] = [
  [
    /^\s*(?:create|CREATE)\s+(?:(?:or\s+replace|unique|temp(?:orary)?|virtual|materialized)\s+)*(?:table|view|index|function|procedure|trigger|type)\s+(?:if\s+not\s+exists\s+)?["`[]?([\w.]+)/i,
    "type",
  ],
  rule("class|object|record", "class"),
  rule("interface|protocol", "interface"),
  rule("struct|message|union", "struct"),
  rule("enum", "enum"),
  rule("trait|mixin|typeclass", "trait"),
  rule("module|namespace|package|defmodule|library", "module"),
  rule("type|newtype|typedef|scalar|input|instance", "type"),
  rule("function|func|fun|fn|def|defp|defn|defn-|sub|proc|method|rpc|procedure|service", "function"),
  rule("defmacro|macro", "macro"),
  [/^(?:@interface|@implementation|@protocol)\s+(\w+)/, "class"],
  [/^[-+]\s*\([^)]*\)\s*(\w+)/, "method"],
  [/^(?:resource|data)\s+"[\w-]+"\s+"([\w-]+)"/, "type"],
  [/^(?:variable|output|module|provider)\s+"([\w-]+)"/, "const"],
  [/^\[+([\w.\-" ]{1,80})\]+\s*$/, "section"],
  // A type, a name and parameters: a function of most languages with braces.
  [/^(?:\s{2,4})?[\w<>[\],.?*&:]+\s+\**(\w+)\s*\([^;]*\)\s*(?:async\s*)?\{\s*$/, "function"],
  [/^(?:const|let|var|val)\s+([A-Z][A-Z0-9_]{2,})\b/, "const"],
];

const YAML: Rule[] = [[/^["']?([A-Za-z_][\w./-]{0,60})["']?\s*:(?:\s|$)/, "section"]];
const MAKE: Rule[] = [[/^([\w./%-]{1,60})\s*:(?!=)/, "section"]];
const CSS: Rule[] = [[/^([.#@&:\w*[][^{};]{0,100}?)\s*[,{]\s*$/, "section"]];
const RULES_BY_LABEL: Record<string, Rule[]> = { YAML, Make: MAKE, CSS };

const NO_NAME =
  /^(?:if|for|while|switch|catch|return|else|do|try|with|new|match|using|lock|and|or|not|in|is|the|a|an|of|to)$/;

/** What the lines seem to define; `label` is the language's, as far as it is known. */
export function definitionsByLines(text: string, label: string): Definition[] {
  const rules = RULES_BY_LABEL[label] ?? RULES;
  const lines = text.split("\n");
  const flat: (Definition & { indent: number })[] = [];
  let at = 0;
  for (let row = 0; row < lines.length && flat.length < DEFINITIONS_MAX; row += 1) {
    const line = lines[row] ?? "";
    const found = line.length > LINE_MAX ? null : matchOf(line, rules);
    if (found) flat.push({ ...found, ...placeOf(lines, row, at), indent: indentOf(line) });
    at += line.length + 1;
  }
  closeAll(flat, lines, text.length);
  return nest(flat);
}

function matchOf(
  line: string,
  rules: readonly Rule[],
): Pick<Definition, "name" | "kind" | "signature"> | null {
  for (const [match, kind] of rules) {
    const name = match
      .exec(line)?.[1]
      ?.trim()
      .replace(/[:.]+$/, "");
    if (name && !NO_NAME.test(name)) return { name, kind, signature: signatureFrom(line) };
  }
  return null;
}

function placeOf(lines: readonly string[], row: number, at: number) {
  const above = commentAbove(lines, row);
  const place = { line: row + 1, end: row + 1, from: above.row + 1, start: at, stop: at };
  return { ...place, owner: null, doc: above.doc, children: [] };
}

function indentOf(line: string): number {
  return /^\s*/.exec(line.replaceAll("\t", "    "))?.[0].length ?? 0;
}

/** A definition goes on to the next line that is not deeper, its closing line included. */
function closeAll(flat: (Definition & { indent: number })[], lines: readonly string[], size: number): void {
  const starts = [0];
  for (const line of lines) starts.push((starts.at(-1) ?? 0) + line.length + 1);
  for (const [index, one] of flat.entries()) {
    const next = flat.slice(index + 1, index + 200).find(({ indent }) => indent <= one.indent);
    const limit = next ? next.from - 1 : lines.length;
    let end = one.line;
    for (let row = one.line; row < limit; row += 1) {
      const line = lines[row] ?? "";
      if (line.trim() === "") continue;
      const closes = /^\s*(?:[})\]]|end\b|\);)/.test(line);
      if (indentOf(line) <= one.indent && !closes && one.kind !== "section") break;
      end = row + 1;
      if (closes && indentOf(line) <= one.indent) break;
    }
    one.end = end;
    one.stop = Math.min(size, (starts[end] ?? size) - 1);
  }
}

function nest(flat: readonly (Definition & { indent: number })[]): Definition[] {
  const top: Definition[] = [];
  const open: (Definition & { indent: number })[] = [];
  for (const one of flat) {
    while (
      open.length > 0 &&
      ((open.at(-1)?.indent ?? 0) >= one.indent || (open.at(-1)?.end ?? 0) < one.line)
    )
      open.pop();
    const { indent, ...definition } = one;
    (open.at(-1)?.children ?? top).push(definition);
    open.push({ ...definition, indent });
  }
  return top;
}
