/** Definitions of a text by its syntax tree. */
import type { Node } from "@vscode/tree-sitter-wasm";
import type { Definition, DefinitionKind } from "./definition.ts";
import { dropParsers, parserFor } from "./grammar.ts";
import type { Language } from "./languages.ts";
import type { Found, Scope, Syntax } from "./rules/rule.ts";
import { behindDecorators, commentAbove, docstring, signatureFrom } from "./signature.ts";

/** So long one file may take; what takes longer is no code that somebody wrote. */
const PARSE_MS = 3_000;
const DEPTH_MAX = 40;
/** More definitions of one file are data. */
const DEFINITIONS_MAX = 8_000;

type Grammared = Extract<Language, { by: "grammar" }>;
type Walk = { text: string; lines: string[]; offsets: number[]; syntax: Syntax; left: number };

/**
 * The definitions as a tree, in the text's order. A text with errors gives what could be read of it. Throws where
 * the grammar cannot be loaded, fails or takes too long.
 */
export async function parseDefinitions(text: string, { grammar, syntax }: Grammared): Promise<Definition[]> {
  const parser = await parserFor(grammar);
  const end = performance.now() + PARSE_MS;
  try {
    const tree = parser.parse(text, null, { progressCallback: () => performance.now() > end });
    if (!tree) {
      parser.reset();
      throw new Error("it takes too long to parse");
    }
    try {
      const lines = text.split("\n");
      const walk = { text, lines, offsets: offsetsOf(lines), syntax, left: DEFINITIONS_MAX };
      return visit(walk, tree.rootNode, "file", null, 0);
    } finally {
      tree.delete();
    }
  } catch (error) {
    if (error instanceof WebAssembly.RuntimeError || error instanceof RangeError) dropParsers();
    throw error;
  }
}

function offsetsOf(lines: readonly string[]): number[] {
  let at = 0;
  return lines.map((line) => {
    const start = at;
    at += line.length + 1;
    return start;
  });
}

const TYPES: ReadonlySet<DefinitionKind> = new Set([
  "class",
  "interface",
  "struct",
  "enum",
  "trait",
  "impl",
  "type",
  "const",
  "field",
]);

function visit(
  walk: Walk,
  node: Node,
  scope: Scope,
  parent: DefinitionKind | null,
  depth: number,
): Definition[] {
  if (depth > DEPTH_MAX) return [];
  const found: Definition[] = [];
  for (const child of node.namedChildren) {
    if (child === null || walk.left <= 0) continue;
    found.push(...visitOne(walk, child, scope, parent, depth));
  }
  return found;
}

function visitOne(
  walk: Walk,
  node: Node,
  scope: Scope,
  parent: DefinitionKind | null,
  depth: number,
): Definition[] {
  const { rules, bodies, through, wraps, functions } = walk.syntax;
  const rule = Object.hasOwn(rules, node.type) ? rules[node.type] : undefined;
  const answer =
    typeof rule === "string"
      ? { kind: rule, name: node.childForFieldName("name")?.text ?? "" }
      : rule?.(node, scope);
  const all = (Array.isArray(answer) ? answer : answer ? [answer] : []).filter(({ name }) => name !== "");
  if (all.length > 0) return all.map((one) => define(walk, node, one, parent, depth, all.length === 1));
  if (!through.has(node.type) && !bodies.has(node.type)) return [];
  const inner = visit(walk, node, functions.has(node.type) ? "function" : scope, parent, depth + 1);
  const only = inner[0];
  if (only && inner.length === 1 && wraps.has(node.type) && endsWith(walk.text, only, node.endIndex))
    stretch(walk, only, node.startIndex, node.endIndex);
  return inner;
}

function define(
  walk: Walk,
  node: Node,
  found: Found,
  parent: DefinitionKind | null,
  depth: number,
  isOnly: boolean,
): Definition {
  walk.left -= 1;
  const isMember = found.kind === "function" && parent !== null && TYPES.has(parent) && parent !== "const";
  const kind = isMember ? "method" : found.kind;
  const body = found.body ?? bodyOf(node, walk.syntax);
  const until = found.until ?? body;
  const definition: Definition = {
    kind,
    name: nameFrom(found.name),
    owner: found.owner ?? null,
    signature: "",
    doc: null,
    line: 0,
    end: 0,
    from: 0,
    start: node.startIndex,
    stop: node.endIndex,
    children: isOnly ? visit(walk, found.body ?? node, scopeIn(kind), kind, depth + 1) : [],
  };
  place(walk, definition, until?.startIndex ?? null);
  if (!definition.doc && body?.type === "block") {
    definition.doc = docstring(walk.text.slice(body.startIndex, body.startIndex + 2_400));
  }
  return definition;
}

function bodyOf(node: Node, { bodies }: Syntax): Node | null {
  return node.namedChildren.find((child): child is Node => child !== null && bodies.has(child.type)) ?? null;
}

function scopeIn(kind: DefinitionKind): Scope {
  if (kind === "module") return "file";
  return TYPES.has(kind) ? "type" : "function";
}

function nameFrom(name: string): string {
  return name.length > 120 ? `${name.slice(0, 119)}…` : name.replace(/\s+/g, " ");
}

/** Takes what is around the definition and belongs to it alone into it. */
function stretch(walk: Walk, definition: Definition, start: number, stop: number): void {
  const before = walk.text.slice(start, definition.start);
  definition.start = start;
  definition.stop = Math.max(stop, definition.stop);
  const prefix = before.slice(behindDecorators(walk.text, start, start + before.length) - start);
  const { signature } = definition;
  place(walk, definition, null);
  definition.signature = signatureFrom(`${prefix}${signature}`);
}

/** Sets the lines, the comment and the signature by the offsets. */
function place(walk: Walk, definition: Definition, bodyAt: number | null): void {
  const { text, lines } = walk;
  if (text[definition.stop] === ";") definition.stop += 1;
  const first = rowAt(walk, definition.start);
  const begin = behindDecorators(text, definition.start, definition.stop);
  const row = rowAt(walk, begin);
  // What begins within a line has the comment above that line with another.
  const isFirst = text.slice(walk.offsets[first], definition.start).trim() === "";
  const above = isFirst ? commentAbove(lines, first) : { row: first, doc: null };
  const lineEnd = text.indexOf("\n", begin);
  const cut = bodyAt ?? Math.min(definition.stop, lineEnd < 0 ? text.length : lineEnd);
  definition.signature = naming(
    signatureFrom(text.slice(begin, cut), definition.kind === "test" ? 160 : undefined),
    definition,
  );
  definition.line = row + 1;
  definition.from = above.row + 1;
  // A node may end with the line break behind it.
  definition.end = rowAt(walk, Math.max(definition.start, lastInked(text, definition.stop))) + 1;
  definition.doc = above.doc ?? definition.doc;
}

/** Whether nothing but its end sign stands between the definition's end and `end`. */
function endsWith(text: string, definition: Definition, end: number): boolean {
  return definition.stop >= end || /^[\s;]*$/.test(text.slice(definition.stop, end));
}

/** The name of a type may stand behind its body (`typedef struct {…} name`); a test's function tells nothing. */
function naming(signature: string, { kind, name }: Definition): string {
  if (kind === "test") return signature.replace(/,\s*(?:async\s*)?(?:function\s*)?\([^()]*\)$/, ")");
  return kind === "module" || signature.includes(name) || name.length > 60
    ? signature
    : `${signature} … ${name}`;
}

function lastInked(text: string, stop: number): number {
  let at = stop - 1;
  while (at > 0 && /\s/.test(text[at] ?? "")) at -= 1;
  return at;
}

/** The 0-based row of an offset. */
function rowAt({ offsets }: Walk, offset: number): number {
  let low = 0;
  let high = offsets.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((offsets[middle] ?? 0) <= offset) low = middle;
    else high = middle - 1;
  }
  return low;
}
