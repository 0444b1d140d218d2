/** A file's definitions as the index keeps them: flat, short, without offsets. */
import { type Definition, type DefinitionKind, placed } from "./definition.ts";

export type PackedSymbol = {
  kind: DefinitionKind;
  name: string;
  within: string;
  signature: string;
  doc: string | null;
  line: number;
  end: number;
};

type Row = [DefinitionKind, string, string, string, string | null, number, number];

/** Of one file; more are data. */
const SYMBOLS_MAX = 3_000;

export function pack(definitions: readonly Definition[]): string {
  const rows = placed(definitions)
    .slice(0, SYMBOLS_MAX)
    .map(({ definition: { kind, name, signature, doc, line, end }, path }): Row => {
      return [kind, name, path.slice(0, -1).join("."), signature, doc, line, end];
    });
  return JSON.stringify(rows);
}

export function unpack(text: string): PackedSymbol[] {
  return (JSON.parse(text) as Row[]).map(([kind, name, within, signature, doc, line, end]) => ({
    kind,
    name,
    within,
    signature,
    doc,
    line,
    end,
  }));
}
