/** The parser runtime and its grammars, loaded when first needed and kept. */
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Parser } from "@vscode/tree-sitter-wasm";
import { GRAMMAR_SUFFIX, GRAMMARS } from "./grammar-files.ts";

export type GrammarName = keyof typeof GRAMMARS;

type Runtime = typeof import("@vscode/tree-sitter-wasm");
type Loaded = { runtime: Runtime; parsers: Map<GrammarName, Promise<Parser>> };

let loaded: Promise<Loaded> | undefined;

/**
 * The parser of a grammar. Throws where its file is missing or broken; the next call tries again.
 */
export async function parserFor(grammar: GrammarName): Promise<Parser> {
  loaded ??= loadRuntime();
  const current = loaded;
  try {
    const { runtime, parsers } = await current;
    const parser = parsers.get(grammar) ?? loadParser(runtime, grammar);
    parsers.set(grammar, parser);
    return await parser.catch((error: unknown) => {
      parsers.delete(grammar);
      throw error;
    });
  } catch (error) {
    if (await current.then(() => false).catch(() => true)) loaded = undefined;
    throw error;
  }
}

/** Forgets all parsers: after a fault within one, their common memory is not to be trusted. */
export function dropParsers(): void {
  loaded = undefined;
}

async function loadRuntime(): Promise<Loaded> {
  const module = await import("@vscode/tree-sitter-wasm");
  const runtime = "default" in module ? (module.default as Runtime) : module;
  const options = { wasmBinary: readGrammar("runtime"), locateFile: (file: string) => file };
  await runtime.Parser.init(options);
  return { runtime, parsers: new Map() };
}

async function loadParser(runtime: Runtime, grammar: GrammarName): Promise<Parser> {
  const language = await runtime.Language.load(readGrammar(grammar));
  const parser = new runtime.Parser();
  parser.setLanguage(language);
  return parser;
}

/** Packed beside the bundle; in a checkout where npm put it. */
function readGrammar(name: GrammarName): Uint8Array {
  const beside = join(dirname(Bun.main), name + GRAMMAR_SUFFIX);
  if (existsSync(beside)) return Bun.zstdDecompressSync(readFileSync(beside));
  const checkout = join(import.meta.dir, "..", "..", "node_modules");
  return readFileSync(join(checkout, GRAMMARS[name]));
}
