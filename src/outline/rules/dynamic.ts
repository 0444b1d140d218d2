/** Ruby, PHP and shell scripts. */
import type { Node } from "@vscode/tree-sitter-wasm";
import {
  childOf,
  childrenOf,
  each,
  type Found,
  field,
  type Scope,
  type Syntax,
  textOf,
  words,
} from "./rule.ts";

export const RUBY: Syntax = {
  rules: {
    module: "module",
    class: "class",
    method: "function",
    singleton_method: "function",
    assignment: rubyConstant,
    call: rubyCall,
  },
  // A comment behind the first line is no part of the signature.
  bodies: words("body_statement do_block block comment"),
  through: words("singleton_class call argument_list begin if unless"),
  wraps: words(""),
  functions: words(""),
};

function rubyConstant(node: Node): Found | null {
  const left = field(node, "left");
  return left && /^(?:constant|scope_resolution)$/.test(left.type)
    ? { kind: "const", name: left.text }
    : null;
}

const RUBY_TESTS = /^(?:describe|context|it|specify|feature|scenario|test|should)$/;

function rubyCall(node: Node): Found | Found[] | null {
  const method = textOf(node, "method");
  const args = field(node, "arguments");
  if (!args) return null;
  if (/^attr_(?:accessor|reader|writer)$/.test(method)) {
    return each(
      "field",
      childrenOf(args, "simple_symbol").map((name) => name.text.slice(1)),
    );
  }
  if (!RUBY_TESTS.test(method) || !field(node, "block")) return null;
  const title = args.namedChildren[0];
  return title
    ? { kind: "test", name: title.text.replace(/^["']|["']$/g, ""), body: field(node, "block") }
    : null;
}

export const PHP: Syntax = {
  rules: {
    namespace_definition: "module",
    class_declaration: "class",
    interface_declaration: "interface",
    trait_declaration: "trait",
    enum_declaration: "enum",
    function_definition: "function",
    method_declaration: "method",
    const_declaration: (node, scope) =>
      each(
        scope === "type" ? "field" : "const",
        childrenOf(node, "const_element").map((child) => child.namedChildren[0]?.text),
      ),
    property_declaration: (node) =>
      each(
        "field",
        childrenOf(node, "property_element").map((child) => child.namedChildren[0]?.text.replace(/^\$/, "")),
      ),
    assignment_expression: phpClosure,
    function_call_expression: phpDefine,
  },
  bodies: words("declaration_list enum_declaration_list compound_statement"),
  through: words("expression_statement if_statement else_clause"),
  wraps: words("expression_statement"),
  functions: words(""),
};

function phpClosure(node: Node): Found | null {
  const right = field(node, "right");
  if (
    !right ||
    !/^(?:anonymous_function|anonymous_function_creation_expression|arrow_function)$/.test(right.type)
  )
    return null;
  const name = /^\$(\w+)$/.exec(textOf(node, "left"))?.[1];
  return name ? { kind: "function", name, body: field(right, "body") } : null;
}

function phpDefine(node: Node, scope: Scope): Found | null {
  if (scope !== "file" || textOf(node, "function") !== "define") return null;
  const name = /^\(\s*["']([\w\\]+)["']/.exec(textOf(node, "arguments"))?.[1];
  return name ? { kind: "const", name } : null;
}

export const SHELL: Syntax = {
  rules: { function_definition: "function", variable_assignment: shellVariable },
  bodies: words("compound_statement subshell"),
  through: words("declaration_command if_statement else_clause elif_clause list"),
  wraps: words("declaration_command"),
  functions: words(""),
};

/** By custom what is in capitals is set for others or for good. */
function shellVariable(node: Node, scope: Scope): Found | null {
  const name = childOf(node, words("variable_name"))?.text ?? "";
  return scope === "file" && /^[A-Z][A-Z0-9_]*$/.test(name) ? { kind: "const", name } : null;
}
