/** Java and C#. */
import type { Node } from "@vscode/tree-sitter-wasm";
import { childrenOf, each, type Syntax, textOf, words } from "./rule.ts";

export const JAVA: Syntax = {
  rules: {
    class_declaration: "class",
    record_declaration: "class",
    interface_declaration: "interface",
    annotation_type_declaration: "interface",
    enum_declaration: "enum",
    method_declaration: "method",
    constructor_declaration: "method",
    compact_constructor_declaration: "method",
    annotation_type_element_declaration: "method",
    field_declaration: (node) => each("field", declarators(node)),
    constant_declaration: (node) => each("field", declarators(node)),
  },
  bodies: words("class_body interface_body enum_body annotation_type_body block constructor_body"),
  through: words("enum_body_declarations"),
  wraps: words(""),
  functions: words(""),
};

function declarators(node: Node): string[] {
  return childrenOf(node, "variable_declarator").map((child) => textOf(child, "name"));
}

export const C_SHARP: Syntax = {
  rules: {
    namespace_declaration: "module",
    file_scoped_namespace_declaration: "module",
    class_declaration: "class",
    struct_declaration: "struct",
    record_declaration: "class",
    record_struct_declaration: "struct",
    interface_declaration: "interface",
    enum_declaration: "enum",
    delegate_declaration: "type",
    method_declaration: "method",
    constructor_declaration: "method",
    destructor_declaration: (node) => ({ kind: "method", name: `~${textOf(node, "name")}` }),
    local_function_statement: "function",
    property_declaration: "field",
    event_declaration: "field",
    indexer_declaration: () => ({ kind: "method", name: "this" }),
    operator_declaration: (node) => ({ kind: "method", name: `operator ${textOf(node, "operator")}` }),
    field_declaration: (node) => each("field", variables(node)),
    event_field_declaration: (node) => each("field", variables(node)),
  },
  bodies: words("declaration_list enum_member_declaration_list block accessor_list arrow_expression_clause"),
  through: words("global_statement preproc_if preproc_else preproc_elif"),
  wraps: words("global_statement"),
  functions: words(""),
};

function variables(node: Node): string[] {
  return childrenOf(node, "variable_declaration").flatMap(declarators);
}
