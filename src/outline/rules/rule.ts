/** How a language's syntax tree is read: which nodes define something, and which are looked into. */
import type { Node } from "@vscode/tree-sitter-wasm";
import type { DefinitionKind } from "../definition.ts";

/** Where a node stands: values of a function's inside are its own business. */
export type Scope = "file" | "type" | "function";

export type Found = {
  kind: DefinitionKind;
  name: string;
  owner?: string | null;
  /** What is looked into, and ends the signature; else the first child that is a body. */
  body?: Node | null;
  /** What ends the signature where it is not the body. */
  until?: Node | null;
};

/** A kind (the name is the node's `name` field), or what the node defines: nothing, one thing or several. */
export type Rule = DefinitionKind | ((node: Node, scope: Scope) => Found | Found[] | null);

export type Syntax = {
  rules: Record<string, Rule>;
  /** Types of the nodes that end a signature and are looked into. */
  bodies: ReadonlySet<string>;
  /** Types of nodes that define nothing themselves but hold what does. */
  through: ReadonlySet<string>;
  /** Of these, the ones that belong to the only thing in them: `export`, a declaration of one name. */
  wraps: ReadonlySet<string>;
  /** Of the bodies and the nodes looked into, those whose values are a function's own. */
  functions: ReadonlySet<string>;
};

/** A set from words with spaces between them. */
export function words(text: string): ReadonlySet<string> {
  return new Set(text.split(/\s+/).filter(Boolean));
}

export function field(node: Node, name: string): Node | null {
  return node.childForFieldName(name);
}

/** The first named child of one of these types. */
export function childOf(node: Node, types: ReadonlySet<string>): Node | null {
  return node.namedChildren.find((child): child is Node => child !== null && types.has(child.type)) ?? null;
}

/** The named children of one type. */
export function childrenOf(node: Node, type: string): Node[] {
  return node.namedChildren.filter((child): child is Node => child?.type === type);
}

/** The text of a field; "" where there is none. */
export function textOf(node: Node, name: string): string {
  return field(node, name)?.text ?? "";
}

/** One definition per name. */
export function each(kind: DefinitionKind, names: readonly (string | undefined)[]): Found[] {
  return names.filter((name): name is string => Boolean(name)).map((name) => ({ kind, name }));
}
