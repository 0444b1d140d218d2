/** C and C++. */
import type { Node } from "@vscode/tree-sitter-wasm";
import { each, type Found, field, type Scope, type Syntax, textOf, words } from "./rule.ts";

const TYPES = {
  struct_specifier: "struct",
  union_specifier: "struct",
  class_specifier: "class",
  enum_specifier: "enum",
} as const;

export const C: Syntax = {
  rules: {
    function_definition: definedFunction,
    declaration,
    field_declaration: declaration,
    type_definition: typedef,
    struct_specifier: specifier,
    union_specifier: specifier,
    class_specifier: specifier,
    enum_specifier: specifier,
    preproc_def: macro,
    preproc_function_def: macro,
    alias_declaration: "type",
    concept_definition: "type",
    namespace_definition: (node) => {
      const name = textOf(node, "name");
      return name ? { kind: "module", name } : null;
    },
  },
  bodies: words("field_declaration_list declaration_list compound_statement enumerator_list"),
  through: words(
    `template_declaration linkage_specification preproc_ifdef preproc_if preproc_else preproc_elif
     namespace_definition declaration field_declaration type_definition`,
  ),
  wraps: words("template_declaration"),
  functions: words(""),
};

const CHAIN = words(
  `pointer_declarator reference_declarator init_declarator array_declarator parenthesized_declarator
   function_declarator attributed_declarator`,
);

type Declared = { name: string; owner: string | null; isFunction: boolean };

/** Follows a declarator to the name in it: `*(*f[3])(int)` is `f`. */
function declared(start: Node | null): Declared | null {
  let isFunction = false;
  let node = start;
  for (let depth = 0; node && depth < 12; depth += 1) {
    if (!CHAIN.has(node.type)) return named(node, isFunction);
    // What points to a function is a value.
    isFunction = node.type === "function_declarator" || (isFunction && node.type !== "pointer_declarator");
    node = field(node, "declarator") ?? node.namedChildren.find((child) => child !== null) ?? null;
  }
  return null;
}

function named(node: Node, isFunction: boolean): Declared | null {
  if (!/identifier$|_name$|^operator_cast$|^template_function$/.test(node.type)) return null;
  const parts = node.text.replace(/<[^<>]*>(?=::|$)/g, "").split("::");
  const name = parts.pop()?.trim() ?? "";
  return name ? { name, owner: parts.join("::") || null, isFunction } : null;
}

function definedFunction(node: Node): Found | null {
  const found = declared(field(node, "declarator"));
  if (!found) return null;
  return { kind: found.owner ? "method" : "function", name: found.name, owner: found.owner };
}

/** Prototypes, globals and members; what a function keeps for itself is left out. */
function declaration(node: Node, scope: Scope): Found[] | null {
  if (scope === "function") return null;
  const found = node.childrenForFieldName("declarator").flatMap((child) => declared(child) ?? []);
  if (found.length === 0) return null;
  return found.map(({ name, owner, isFunction }) => ({
    kind: isFunction ? "function" : scope === "type" ? "field" : "const",
    name,
    owner,
  }));
}

function typedef(node: Node): Found[] {
  const names = node.childrenForFieldName("declarator").flatMap((child) => declared(child)?.name ?? []);
  const type = field(node, "type");
  const kind =
    type && type.type in TYPES && field(type, "body") ? TYPES[type.type as keyof typeof TYPES] : null;
  // The tag and the name of `typedef struct a {…} a` are one thing.
  return each(kind ?? "type", names.slice(0, kind ? 1 : 4)).map((found) => ({
    ...found,
    ...(kind && type ? { body: field(type, "body") } : {}),
  }));
}

function specifier(node: Node): Found | null {
  const name = textOf(node, "name");
  const body = field(node, "body");
  if (!name || !body || node.parent?.type === "type_definition") return null;
  return { kind: TYPES[node.type as keyof typeof TYPES], name, body };
}

/** An include guard has no value. */
function macro(node: Node): Found | null {
  if (node.type === "preproc_def" && !field(node, "value")) return null;
  return { kind: "macro", name: textOf(node, "name") };
}
