/** Which language a file is in, and where its grammar comes from. */
import { basename } from "node:path";
import type { GrammarName } from "./grammar.ts";
import { C } from "./rules/c.ts";
import { PHP, RUBY, SHELL } from "./rules/dynamic.ts";
import { GO } from "./rules/go.ts";
import { C_SHARP, JAVA } from "./rules/managed.ts";
import { KOTLIN, SWIFT } from "./rules/mobile.ts";
import { PYTHON } from "./rules/python.ts";
import type { Syntax } from "./rules/rule.ts";
import { RUST } from "./rules/rust.ts";
import { SCRIPT } from "./rules/script.ts";

/** How a file of this language is read: by a grammar, as Markdown, or line by line. */
export type Language =
  | { label: string; by: "grammar"; grammar: GrammarName; syntax: Syntax }
  | { label: string; by: "markdown" }
  | { label: string; by: "lines" };

type Parsed = [
  extensions: string,
  label: string,
  grammar: GrammarName,
  syntax: Syntax,
  interpreters?: RegExp,
];

const PARSED: Parsed[] = [
  ["ts mts cts", "TypeScript", "typescript", SCRIPT, /^(?:ts-node|tsx|bun|deno)$/],
  ["tsx", "TSX", "tsx", SCRIPT],
  ["js jsx mjs cjs", "JavaScript", "javascript", SCRIPT, /^node(?:js)?$/],
  ["vue svelte astro", "TypeScript in a component", "typescript", SCRIPT],
  ["py pyi pyw", "Python", "python", PYTHON, /^python[\d.]*$/],
  ["go", "Go", "go", GO],
  ["rs", "Rust", "rust", RUST],
  ["java", "Java", "java", JAVA],
  ["c h", "C", "c", C],
  ["cc cpp cxx c++ hh hpp hxx h++ ino cu cuh", "C++", "cpp", C],
  ["cs csx", "C#", "c-sharp", C_SHARP],
  ["rb rake gemspec ru", "Ruby", "ruby", RUBY, /^ruby[\d.]*$/],
  ["php phtml", "PHP", "php", PHP, /^php[\d.]*$/],
  ["swift", "Swift", "swift", SWIFT],
  ["kt kts", "Kotlin", "kotlin", KOTLIN],
  ["sh bash zsh ksh bats", "Bash", "bash", SHELL, /^(?:ba|z|k|da)?sh$/],
];

/** Read line by line; a search looks into these too. */
const BY_LINES: [extensions: string, label: string][] = [
  ["sql", "SQL"],
  ["scala sc", "Scala"],
  ["dart", "Dart"],
  ["lua", "Lua"],
  ["ex exs", "Elixir"],
  ["groovy gradle", "Groovy"],
  ["m mm", "Objective-C"],
  ["zig", "Zig"],
  ["hs", "Haskell"],
  ["ml mli", "OCaml"],
  ["jl", "Julia"],
  ["r", "R"],
  ["pl pm", "Perl"],
  ["clj cljs", "Clojure"],
  ["erl", "Erlang"],
  ["nim", "Nim"],
  ["fs fsi", "F#"],
  ["ps1 psm1", "PowerShell"],
  ["proto", "Protocol Buffers"],
  ["graphql gql", "GraphQL"],
  ["tf hcl", "HCL"],
  ["css scss less", "CSS"],
  ["toml ini cfg", "TOML"],
  ["yml yaml", "YAML"],
  ["mk", "Make"],
];

const BY_NAME: Record<string, string> = {
  makefile: "mk",
  gnumakefile: "mk",
  rakefile: "rb",
  gemfile: "rb",
  podfile: "rb",
  vagrantfile: "rb",
  jenkinsfile: "groovy",
  ".bashrc": "sh",
  ".zshrc": "sh",
  ".profile": "sh",
};

const BY_EXTENSION = new Map<string, Language>([
  ...PARSED.flatMap(([extensions, label, grammar, syntax]) =>
    extensions.split(" ").map((name) => [name, { label, by: "grammar", grammar, syntax } as const] as const),
  ),
  ...BY_LINES.flatMap(([extensions, label]) =>
    extensions.split(" ").map((name) => [name, { label, by: "lines" } as const] as const),
  ),
  ...["md", "mdx", "markdown"].map((name) => [name, { label: "Markdown", by: "markdown" } as const] as const),
]);

const CPP_HEADER =
  /^\s*(?:class\s+\w|namespace\b|template\s*<|(?:public|private|protected)\s*:|using\s+\w)|\bstd::/m;

/** The language by the file's name alone; `null` where that does not tell. */
export function languageByName(path: string): Language | null {
  const name = basename(path).toLowerCase();
  const extension = BY_NAME[name] ?? (name.includes(".") ? name.slice(name.lastIndexOf(".") + 1) : "");
  return BY_EXTENSION.get(extension) ?? null;
}

/** The language by name, else by the `#!` line; what is unknown is read line by line. */
export function languageOf(path: string, text: string): Language {
  const known = languageByName(path);
  if (known) {
    const isCpp = known.label === "C" && /\.h$/i.test(path) && CPP_HEADER.test(text);
    return isCpp ? (BY_EXTENSION.get("cpp") ?? known) : known;
  }
  const program = /^#!\s*\S*?(?:\/env\s+(?:-S\s+)?(?:\w+=\S+\s+)*)?([\w.+-]+)(?:\s|$)/.exec(text)?.[1] ?? "";
  const parsed = PARSED.find(([, , , , interpreters]) => interpreters?.test(program));
  return (
    BY_EXTENSION.get(parsed?.[0].split(" ")[0] ?? "") ?? {
      label: "a language without a grammar",
      by: "lines",
    }
  );
}
