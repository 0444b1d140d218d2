import type { Node } from "@vscode/tree-sitter-wasm";
import { type Found, field, type Scope, type Syntax, textOf, words } from "./rule.ts";

export const PYTHON: Syntax = {
  rules: {
    class_definition: "class",
    function_definition: "function",
    assignment,
    type_alias_statement: (node) => ({ kind: "type", name: textOf(node, "left").replace(/\[.*/s, "") }),
  },
  bodies: words("block"),
  through: words(
    "decorated_definition expression_statement if_statement elif_clause else_clause try_statement except_clause with_statement",
  ),
  wraps: words("decorated_definition"),
  functions: words(""),
};

/** Constants, typed names, and what is made by a call or a lambda: not each counter of a script. */
function assignment(node: Node, scope: Scope): Found | null {
  const left = field(node, "left");
  if (left?.type !== "identifier" || scope === "function") return null;
  const right = field(node, "right");
  if (right?.type === "lambda") return { kind: "function", name: left.text, body: field(right, "body") };
  if (scope === "type") return { kind: "field", name: left.text };
  const isNamed = /^_{0,2}[A-Z]/.test(left.text) || field(node, "type") !== null || right?.type === "call";
  return isNamed ? { kind: "const", name: left.text } : null;
}
