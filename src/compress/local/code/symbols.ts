/** Names of what a line of source, prose or configuration defines. Line by line: no parser, no state. */

type SymbolKind = "definition" | "test" | "section" | "key";
export type Definition = {
  name: string;
  kind: SymbolKind;
  /** Visible outside its file, as far as the line tells. */
  exported: boolean;
};

type Rule = { match: RegExp; kind?: SymbolKind; exported?: RegExp };

/** Longer lines are data or minified code. */
const LINE_MAX = 400;

const JS_EXPORT = /^\s*export\b/;
const JS: Rule[] = [
  { match: /^\s*(?:describe|it|test)(?:\.\w+)*\(\s*(["'`])(.{3,160}?)\1/, kind: "test" },
  {
    match: /^\s*(?:export\s+)?(?:default\s+)?(?:declare\s+)?(?:async\s+)?function\*?\s+([\w$]+)/,
    exported: JS_EXPORT,
  },
  {
    match:
      /^\s*(?:export\s+)?(?:default\s+)?(?:declare\s+)?(?:abstract\s+)?(?:const\s+)?(?:class|interface|enum|namespace)\s+([\w$]+)/,
    exported: JS_EXPORT,
  },
  { match: /^\s*(?:export\s+)?(?:declare\s+)?type\s+([\w$]+)\s*(?:<.*>)?\s*=/, exported: JS_EXPORT },
  { match: /^export\s+(?:declare\s+)?(?:const|let|var)\s+([\w$]+)/, exported: JS_EXPORT },
  {
    match:
      /^\s*(?:const|let|var)\s+([\w$]+)\s*(?::[^=]+)?=\s*(?:async\s*)?(?:\([^)]*\)\s*(?::[^=]+)?=>|function\b|[\w$]+\s*=>)/,
  },
  { match: /^(?:const|let|var)\s+([A-Z][A-Z0-9_]{2,})\s*(?::[^=]+)?=/ },
  {
    match:
      /^\s+(?:(?:public|private|protected|static|async|override|get|set)\s+)*\*?(#?[\w$]+)\s*\([^;]*\)\s*(?::\s*[^;={]+)?\{\s*$/,
  },
];

const PYTHON: Rule[] = [
  { match: /^\s*(?:async\s+)?def\s+(test_\w+)/, kind: "test" },
  { match: /^\s*(?:async\s+)?def\s+(\w+)/, exported: /def\s+[^_]/ },
  { match: /^\s*class\s+(\w+)/, exported: /class\s+[^_]/ },
  { match: /^([A-Z][A-Z0-9_]{2,})\s*(?::[^=]+)?=/, exported: /^/ },
];

const GO: Rule[] = [
  { match: /^func\s+((?:Test|Benchmark|Fuzz|Example)\w+)\(/, kind: "test" },
  { match: /^func\s+(?:\([^)]*\)\s*)?(\w+)/, exported: /^func\s+(?:\([^)]*\)\s*)?[A-Z]/ },
  { match: /^type\s+(\w+)/, exported: /^type\s+[A-Z]/ },
  { match: /^(?:var|const)\s+(\w+)/, exported: /^\w+\s+[A-Z]/ },
];

const RUST: Rule[] = [
  {
    match:
      /^\s*(?:pub(?:\([^)]*\))?\s+)?(?:default\s+)?(?:const\s+)?(?:async\s+)?(?:unsafe\s+)?(?:extern\s+"\w+"\s+)?fn\s+(\w+)/,
    exported: /^\s*pub\b/,
  },
  {
    match: /^\s*(?:pub(?:\([^)]*\))?\s+)?(?:struct|enum|trait|union|type|mod|static|const)\s+(\w+)/,
    exported: /^\s*pub\b/,
  },
  { match: /^\s*macro_rules!\s+(\w+)/, exported: /^/ },
  { match: /^\s*(?:unsafe\s+)?impl\b(?:<[^>]*>)?\s+(?:[\w:<>, ]+\s+for\s+)?(\w+)/ },
];

const CURLY: Rule[] = [
  {
    match:
      /^\s*(?:[\w@]+\s+)*(?:class|interface|enum|record|struct|object|protocol|extension|trait|namespace)\s+(\w+)/,
    exported: /^\s*(?!private)/,
  },
  {
    match: /^\s*(?:[\w@]+\s+)*(?:fun|func|function)\s+(?:<[^>]*>\s*)?(?:\w+\.)?(\w+)\s*[(<]/,
    exported: /^\s*(?!private|protected|internal|fileprivate)/,
  },
  {
    match:
      /^\s*(?:(?:public|private|protected|internal|static|final|override|async|virtual|abstract|sealed|synchronized)\s+)+[\w<>[\],.?]+(?:\s+[\w<>[\],.?]+)?\s+(\w+)\s*\(/,
    exported: /^\s*public/,
  },
];

const C: Rule[] = [
  { match: /^#define\s+(\w+)/ },
  {
    match: /^\s*(?:typedef\s+)?(?:struct|class|enum|union|namespace)\s+(?:class\s+)?(\w+)[^;()]*$/,
    exported: /^/,
  },
  { match: /^[A-Za-z_][\w:*&<>, ]*?[\s*&]((?:\w+::)*~?\w+)\([^;]*$/, exported: /^(?!static)/ },
];

const RUBY: Rule[] = [
  { match: /^\s*def\s+(?:self\.)?([\w?!=]+)/, exported: /^/ },
  { match: /^\s*(?:class|module)\s+([\w:]+)/, exported: /^/ },
  { match: /^\s*(?:it|describe|context|test)\s+(["'])(.{3,160}?)\1/, kind: "test" },
];

const SHELL: Rule[] = [
  { match: /^\s*(?:function\s+)?([\w-]+)\s*\(\)\s*\{?/ },
  { match: /^\s*function\s+([\w-]+)/ },
];
const SQL: Rule[] = [
  {
    match:
      /^\s*(?:create|alter)\s+(?:or\s+replace\s+)?(?:unique\s+|temp(?:orary)?\s+)?(?:table|view|index|function|trigger|type)\s+(?:if\s+(?:not\s+)?exists\s+)?["`]?([\w.]+)/i,
    exported: /^/,
  },
];
const MARKDOWN: Rule[] = [{ match: /^#{1,6}\s+(.{1,120}?)\s*#*$/, kind: "section" }];
const CSS: Rule[] = [{ match: /^\s*([.#@&:\w][^{};]{0,80}?)\s*\{/, kind: "key" }];
const JSON_KEYS: Rule[] = [{ match: /^\s*"([^"\\]{1,60})"\s*:/, kind: "key" }];
const YAML: Rule[] = [{ match: /^\s*(?:-\s+)?["']?([A-Za-z_][\w./-]{0,60})["']?\s*:(?:\s|$)/, kind: "key" }];
const TOML: Rule[] = [
  { match: /^\s*\[+([\w.\-" ]{1,60})\]+/, kind: "key" },
  { match: /^\s*([\w.-]{1,60})\s*=/, kind: "key" },
];
const MAKE: Rule[] = [{ match: /^([\w.-]{1,40})\s*:(?!=)/, kind: "key" }];

const BY_EXTENSION: [string, Rule[]][] = [
  ["ts tsx js jsx mjs cjs mts cts vue svelte astro", JS],
  ["py pyi", PYTHON],
  ["go", GO],
  ["rs", RUST],
  ["java kt kts cs swift scala dart php groovy", CURLY],
  ["c h cc cpp cxx hpp hh m mm", C],
  ["rb rake", RUBY],
  ["sh bash zsh", SHELL],
  ["sql", SQL],
  ["md mdx markdown", MARKDOWN],
  ["css scss less sass", CSS],
  ["json jsonc json5", JSON_KEYS],
  ["yml yaml", YAML],
  ["toml ini cfg conf env properties", TOML],
  ["mk", MAKE],
];
const RULES = new Map(
  BY_EXTENSION.flatMap(([names, rules]) => names.split(" ").map((name) => [name, rules] as const)),
);

const KEYWORDS =
  /^(?:if|for|while|switch|catch|return|function|else|do|try|with|new|await|typeof|super|constructor|match|using|lock)$/;

/** Answers what a line of this file defines; `null` where it defines nothing. */
export function definitionsIn(path: string): (line: string) => Definition | null {
  const name = path.slice(path.lastIndexOf("/") + 1).toLowerCase();
  const extension = /makefile$/.test(name) ? "mk" : name.slice(name.lastIndexOf(".") + 1);
  const rules = RULES.get(extension) ?? [];
  return (line) => (line.length > LINE_MAX ? null : matchOf(line, rules));
}

function matchOf(line: string, rules: readonly Rule[]): Definition | null {
  for (const rule of rules) {
    const found = rule.match.exec(line);
    const name = (found?.[2] ?? found?.[1])?.trim();
    if (!name || name === "" || KEYWORDS.test(name)) continue;
    return { name, kind: rule.kind ?? "definition", exported: rule.exported?.test(line) ?? false };
  }
  return null;
}

const IMPORT =
  /^\s*(?:import\b|from\s+\S+\s+import\b|export\s+(?:\*|\{).*\bfrom\b|using\s+[\w.]+;|#include\b|use\s+[\w:\\]|require\b|"[\w./-]+"$|\}\s*from\b|package\s)/;
const COMMENT = /^\s*(?:\/\/|\/\*|\*|#(?!include|define|\[|!)|--\s|<!--|"""|''')/;

/** How far a line is set in: a tab counts as one. */
export function indentOf(line: string): number {
  return line.length - line.trimStart().length;
}

export function isImport(line: string): boolean {
  return IMPORT.test(line);
}

export function isComment(line: string): boolean {
  return COMMENT.test(line);
}
