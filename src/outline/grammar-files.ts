/** The grammars that are shipped, and the file each is in below `node_modules`. */

/** Of a packed grammar beside the bundles: zstd, a thirteenth of its size. */
export const GRAMMAR_SUFFIX = ".wasm.zst";

const vscode = (name: string) => `@vscode/tree-sitter-wasm/wasm/tree-sitter${name}.wasm`;
const cursorless = (name: string) => `@cursorless/tree-sitter-wasms/out/tree-sitter-${name}.wasm`;

export const GRAMMARS = {
  runtime: vscode(""),
  typescript: vscode("-typescript"),
  tsx: vscode("-tsx"),
  javascript: vscode("-javascript"),
  python: vscode("-python"),
  go: vscode("-go"),
  rust: vscode("-rust"),
  java: vscode("-java"),
  c: cursorless("c"),
  cpp: vscode("-cpp"),
  "c-sharp": vscode("-c-sharp"),
  ruby: vscode("-ruby"),
  php: vscode("-php"),
  swift: cursorless("swift"),
  kotlin: cursorless("kotlin"),
  bash: vscode("-bash"),
} as const;
