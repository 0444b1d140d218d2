import type { Node } from "@vscode/tree-sitter-wasm";
import { childrenOf, each, type Found, field, type Scope, type Syntax, textOf, words } from "./rule.ts";

export const GO: Syntax = {
  rules: {
    function_declaration: (node) => ({
      kind: /^(?:Test|Benchmark|Fuzz|Example)(?:[A-Z_]|$)/.test(textOf(node, "name")) ? "test" : "function",
      name: textOf(node, "name"),
    }),
    method_declaration: (node) => ({
      kind: "method",
      name: textOf(node, "name"),
      owner: /(\w+)\s*(?:\[[^\]]*\]\s*)?,?\s*\)$/.exec(textOf(node, "receiver"))?.[1] ?? null,
    }),
    type_spec: typeSpec,
    type_alias: (node) => ({ kind: "type", name: textOf(node, "name") }),
    const_spec: values,
    var_spec: values,
    field_declaration: (node) => each("field", namesOf(node)),
    method_elem: "method",
    method_spec: "method",
  },
  bodies: words("block field_declaration_list"),
  through: words(
    "type_declaration const_declaration var_declaration var_spec_list struct_type interface_type",
  ),
  wraps: words("type_declaration const_declaration var_declaration"),
  functions: words(""),
};

function namesOf(node: Node): string[] {
  return node.childrenForFieldName("name").flatMap((name) => (name ? [name.text] : []));
}

function values(node: Node, scope: Scope): Found[] {
  return scope === "function" ? [] : each("const", namesOf(node)).filter(({ name }) => name !== "_");
}

function typeSpec(node: Node): Found {
  const type = field(node, "type");
  const kind =
    type?.type === "struct_type" ? "struct" : type?.type === "interface_type" ? "interface" : "type";
  const body = type && kind === "struct" ? (childrenOf(type, "field_declaration_list")[0] ?? null) : null;
  const until = kind === "interface" ? (type?.children.find((child) => child?.type === "{") ?? null) : body;
  return { kind, name: textOf(node, "name"), body, until };
}
