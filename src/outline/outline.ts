/** What a file defines, for a model that need not read it all. */
import { estimateTokens } from "../core/budget.ts";
import type { Definition } from "./definition.ts";
import { definitionsOf } from "./definitions.ts";
import { readSource } from "./read-source.ts";

export type Outline = {
  /** Below the workspace, with `/`. */
  path: string;
  language: string;
  lines: number;
  /** Estimate for the whole file. */
  tokens: number;
  definitions: Definition[];
  /** What to know about the file or the outline, a sentence each. */
  notes: string[];
};

/**
 * The outline of a file of the workspace `root`; `path` is absolute or from `root`. Throws `AppError` with a
 * sentence: `not_found`, or `invalid` for a path outside, a directory, a binary or too large file.
 */
export async function outlineOf(root: string, path: string): Promise<Outline> {
  const source = readSource(root, path);
  const { language, definitions, guessed } = await definitionsOf(source.path, source.text);
  const notes = source.note ? [source.note] : [];
  if (guessed) notes.push(`This outline is a guess by lines: ${guessed}.`);
  return {
    path: source.path,
    language,
    lines: source.text === "" ? 0 : source.text.replace(/\n$/, "").split("\n").length,
    tokens: estimateTokens(source.text),
    definitions,
    notes,
  };
}
