/** Kotlin and Swift. */
import type { Node } from "@vscode/tree-sitter-wasm";
import type { DefinitionKind } from "../definition.ts";
import { childOf, type Found, field, type Scope, type Syntax, textOf, words } from "./rule.ts";

const NAME = words("simple_identifier type_identifier");

export const KOTLIN: Syntax = {
  rules: {
    class_declaration: (node) => ({ kind: kotlinKind(node), name: nameOf(node) }),
    object_declaration: (node) => ({ kind: "class", name: nameOf(node) }),
    type_alias: (node) => ({ kind: "type", name: nameOf(node) }),
    function_declaration: kotlinFunction,
    secondary_constructor: () => ({ kind: "method", name: "constructor" }),
    property_declaration: kotlinProperty,
  },
  bodies: words("class_body enum_class_body function_body"),
  through: words("companion_object statements"),
  wraps: words(""),
  functions: words(""),
};

function nameOf(node: Node): string {
  return childOf(node, NAME)?.text ?? "";
}

function kotlinKind(node: Node): DefinitionKind {
  for (const child of node.children) {
    if (child?.type === "interface") return "interface";
    if (child?.type === "enum" || child?.type === "enum_class_body") return "enum";
  }
  return "class";
}

const RECEIVER = words("user_type nullable_type");

function kotlinFunction(node: Node): Found {
  const name = childOf(node, words("simple_identifier"));
  // A type before the name is what the function extends; behind it, what it answers.
  const receiver = childOf(node, RECEIVER);
  const extended = receiver && name && receiver.startIndex < name.startIndex ? receiver.text : null;
  return {
    kind: "function",
    name: name?.text ?? "",
    owner: extended?.replace(/<.*/s, "").replace(/\?$/, "") ?? null,
  };
}

function kotlinProperty(node: Node, scope: Scope): Found | null {
  if (scope === "function") return null;
  const variable = childOf(node, words("variable_declaration"));
  const name = variable ? nameOf(variable) : "";
  return name ? { kind: scope === "type" ? "field" : "const", name } : null;
}

export const SWIFT: Syntax = {
  rules: {
    class_declaration: (node) => ({
      kind: swiftKind(node),
      name: textOf(node, "name").replace(/<.*/s, ""),
    }),
    protocol_declaration: "interface",
    typealias_declaration: "type",
    associatedtype_declaration: "type",
    function_declaration: swiftFunction,
    protocol_function_declaration: swiftFunction,
    init_declaration: () => ({ kind: "method", name: "init" }),
    deinit_declaration: () => ({ kind: "method", name: "deinit" }),
    subscript_declaration: () => ({ kind: "method", name: "subscript" }),
    property_declaration: swiftProperty,
    protocol_property_declaration: swiftProperty,
    macro_declaration: "macro",
  },
  bodies: words(
    "class_body enum_class_body protocol_body function_body computed_property protocol_property_requirements",
  ),
  through: words("statements"),
  wraps: words(""),
  functions: words("computed_property"),
};

const SWIFT_KINDS: Record<string, DefinitionKind> = { struct: "struct", enum: "enum", extension: "impl" };

function swiftKind(node: Node): DefinitionKind {
  for (const child of node.children) {
    const kind = child && SWIFT_KINDS[child.type];
    if (kind) return kind;
  }
  return "class";
}

function swiftFunction(node: Node): Found {
  const name = field(node, "name");
  return { kind: "function", name: name && !/type/.test(name.type) ? name.text : "init" };
}

function swiftProperty(node: Node, scope: Scope): Found | null {
  const name = /^(?:(?:var|let)\s+)?([\p{L}\p{N}_]+)/u.exec(textOf(node, "name"))?.[1];
  if (!name || scope === "function") return null;
  return { kind: scope === "type" ? "field" : "const", name };
}
