/** What a model asks of the workspace's code, as compact text. A part of its own: loaded when first asked for. */
import { outlineOf } from "./outline.ts";
import { renderOutline, renderSymbols, renderUnfold } from "./render.ts";
import { type SymbolSearch, searchSymbols } from "./search.ts";
import { unfold } from "./unfold.ts";

/** What the file defines, with lines; throws like `outlineOf`. */
export async function outlineText(root: string, path: string): Promise<string> {
  return renderOutline(await outlineOf(root, path));
}

/** The source of one definition, or those it may be; throws like `unfold`. */
export async function unfoldText(root: string, path: string, symbol: string): Promise<string> {
  return renderUnfold(await unfold(root, path, symbol));
}

/** Definitions that answer the query; throws like `searchSymbols`. */
export async function symbolsText(root: string, query: string, options: SymbolSearch): Promise<string> {
  return renderSymbols(await searchSymbols(root, query, options));
}
