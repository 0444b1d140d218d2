/** What a file defines: the tree that outline, search and unfold speak of. */

export type DefinitionKind =
  | "module"
  | "class"
  | "interface"
  | "struct"
  | "enum"
  | "trait"
  | "impl"
  | "type"
  | "function"
  | "method"
  | "field"
  | "const"
  | "macro"
  | "test"
  | "section";

export type Definition = {
  kind: DefinitionKind;
  name: string;
  /** The type it belongs to where the source names it there: a Go receiver, `User` of `User::greet`. */
  owner: string | null;
  /** What stands before the body, on one line, cut where long. */
  signature: string;
  /** First sentence of the comment before it, or of its docstring. */
  doc: string | null;
  /** 1-based, of the signature. */
  line: number;
  /** 1-based, of the last line. */
  end: number;
  /** 1-based, of the first line of its comment and its decorators. */
  from: number;
  /** UTF-16 offsets into the file's text, from the decorators to the end. */
  start: number;
  stop: number;
  children: Definition[];
};

/** The names that lead to a definition, outermost first. */
export type Placed = { definition: Definition; path: string[] };

/** Every definition of the tree with its path, parents before children. */
export function placed(definitions: readonly Definition[], above: readonly string[] = []): Placed[] {
  return definitions.flatMap((definition) => {
    const path = [...above, ...(definition.owner ? [definition.owner] : []), definition.name];
    return [{ definition, path }, ...placed(definition.children, path)];
  });
}
