import type { Node } from "@vscode/tree-sitter-wasm";
import { type Found, type Scope, type Syntax, textOf, words } from "./rule.ts";

export const RUST: Syntax = {
  rules: {
    function_item: "function",
    function_signature_item: "function",
    struct_item: "struct",
    union_item: "struct",
    enum_item: "enum",
    trait_item: "trait",
    impl_item: (node) => ({
      kind: "impl",
      name: textOf(node, "type")
        .replace(/<.*/s, "")
        .replace(/^&(?:mut )?/, ""),
    }),
    mod_item: "module",
    type_item: "type",
    associated_type: "type",
    const_item: value,
    static_item: value,
    field_declaration: "field",
    macro_definition: "macro",
  },
  bodies: words("declaration_list field_declaration_list enum_variant_list block macro_rule"),
  through: words("foreign_mod_item"),
  wraps: words(""),
  functions: words(""),
};

function value(node: Node, scope: Scope): Found | null {
  return scope === "function" ? null : { kind: "const", name: textOf(node, "name") };
}
