/** The definitions of any text, by the best means there is. */
import { messageOf } from "../core/errors.ts";
import { definitionsByLines } from "./by-lines.ts";
import type { Definition } from "./definition.ts";
import { languageOf } from "./languages.ts";
import { markdownSections } from "./markdown.ts";
import { parseDefinitions } from "./parse.ts";

/** Raised when the same file would give other definitions than before: what was kept is then read anew. */
export const READING = 1;

/** A syntax tree takes about thirty times its text's memory (UTF-16 units). */
const PARSED_MAX = 1_500_000;

export type Defined = {
  language: string;
  definitions: Definition[];
  /** Why the outline is only a guess by lines; `null` where it is not. */
  guessed: string | null;
};

/** Never throws: what cannot be parsed is read line by line, and says so. */
export async function definitionsOf(path: string, text: string): Promise<Defined> {
  const language = languageOf(path, text);
  const { label } = language;
  if (language.by === "markdown")
    return { language: label, definitions: markdownSections(text), guessed: null };
  const guess = (why: string) => ({
    language: label,
    definitions: definitionsByLines(text, label),
    guessed: why,
  });
  if (language.by === "lines") return guess(`there is no grammar for ${label}`);
  if (text.length > PARSED_MAX) return guess("the file is too large to be parsed");
  try {
    return {
      language: label,
      definitions: await parseDefinitions(sourceIn(path, text), language),
      guessed: null,
    };
  } catch (error) {
    return guess(`the parser failed: ${messageOf(error)}`);
  }
}

/** Of a component file its scripts alone, at their places. */
function sourceIn(path: string, text: string): string {
  if (!/\.(?:vue|svelte|astro)$/i.test(path)) return text;
  const blank = (part: string) => part.replace(/[^\n]/g, " ");
  let kept = "";
  let from = 0;
  const scripts = /(<script\b[^>]*>)([\s\S]*?)<\/script\s*>|^---\n([\s\S]*?)\n---/gi;
  for (const match of text.matchAll(scripts)) {
    const inside = match[2] ?? match[3] ?? "";
    const at = match.index + (match[1]?.length ?? 4);
    kept += blank(text.slice(from, at)) + inside;
    from = at + inside.length;
  }
  return kept + blank(text.slice(from));
}
