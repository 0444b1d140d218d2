/** JavaScript, TypeScript and TSX. */
import type { Node } from "@vscode/tree-sitter-wasm";
import { childrenOf, type Found, field, type Scope, type Syntax, textOf, words } from "./rule.ts";

const FUNCTIONS = words("arrow_function function_expression generator_function function");
const TEST_CALL =
  /^(?:describe|context|suite|it|test|bench)(?:\.(?:only|skip|concurrent|todo|each|serial))?$/;

export const SCRIPT: Syntax = {
  rules: {
    class_declaration: "class",
    abstract_class_declaration: "class",
    interface_declaration: "interface",
    type_alias_declaration: "type",
    enum_declaration: "enum",
    internal_module: "module",
    module: (node) => ({ kind: "module", name: textOf(node, "name").replace(/^["']|["']$/g, "") }),
    function_declaration: "function",
    function_signature: "function",
    generator_function_declaration: "function",
    method_definition: "method",
    method_signature: "method",
    abstract_method_signature: "method",
    property_signature: "field",
    public_field_definition: member,
    field_definition: member,
    variable_declarator: variable,
    assignment_expression: assignment,
    pair: pair,
    call_expression: testCall,
    export_statement: exported,
  },
  bodies: words("class_body statement_block interface_body object_type enum_body object"),
  through: words(
    `export_statement lexical_declaration variable_declaration expression_statement ambient_declaration
     assignment_expression parenthesized_expression call_expression arguments arrow_function function_expression
     pair if_statement else_clause try_statement`,
  ),
  wraps: words("export_statement lexical_declaration variable_declaration ambient_declaration"),
  functions: words("arrow_function function_expression"),
};

function member(node: Node): Found | null {
  const name = field(node, "name") ?? field(node, "property");
  if (!name) return null;
  const value = field(node, "value");
  return value && FUNCTIONS.has(value.type)
    ? { kind: "method", name: name.text, body: field(value, "body") }
    : { kind: "field", name: name.text };
}

function variable(node: Node, scope: Scope): Found | null {
  const name = field(node, "name");
  if (name?.type !== "identifier") return null;
  const value = field(node, "value");
  if (value && FUNCTIONS.has(value.type)) {
    return { kind: "function", name: name.text, body: field(value, "body") };
  }
  if (value?.type === "class") return { kind: "class", name: name.text, body: field(value, "body") };
  if (scope === "function" || /^(?:await )?(?:require|import)\(/.test(value?.text.slice(0, 20) ?? ""))
    return null;
  return { kind: "const", name: name.text };
}

function assignment(node: Node): Found | null {
  const left = field(node, "left");
  const right = field(node, "right");
  if (left?.type !== "member_expression" || !right) return null;
  const isClass = right.type === "class";
  if (!isClass && !FUNCTIONS.has(right.type)) return null;
  const name = textOf(left, "property");
  const owner = textOf(left, "object").replace(/\.prototype$/, "");
  const isExport = /^(?:module\.)?exports$/.test(owner) || owner === "module";
  return {
    kind: isClass ? "class" : "function",
    name,
    owner: isExport || !/^[\w$]+$/.test(owner) ? null : owner,
    body: field(right, "body"),
  };
}

function pair(node: Node): Found | null {
  const value = field(node, "value");
  if (!value || !FUNCTIONS.has(value.type)) return null;
  return {
    kind: "method",
    name: textOf(node, "key").replace(/^["']|["']$/g, ""),
    body: field(value, "body"),
  };
}

function testCall(node: Node): Found | null {
  if (!TEST_CALL.test(textOf(node, "function").slice(0, 40))) return null;
  const [title, ...rest] = field(node, "arguments")?.namedChildren ?? [];
  if (!title || !/string$/.test(title.type)) return null;
  const call = rest.find((child) => child !== null && FUNCTIONS.has(child.type));
  return { kind: "test", name: title.text.slice(1, -1), body: call ? field(call, "body") : null };
}

/** `export default` of what has no name. */
function exported(node: Node): Found | null {
  const value = field(node, "value") ?? childrenOf(node, "class")[0];
  if (!value) return null;
  if (FUNCTIONS.has(value.type)) {
    return { kind: "function", name: textOf(value, "name") || "default", body: field(value, "body") };
  }
  if (value.type === "class") return { kind: "class", name: "default", body: field(value, "body") };
  return null;
}
