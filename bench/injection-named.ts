/** What a text names, by strict rules; and the texts that the telling is held against. */
import type { Database } from "bun:sqlite";

/**
 * The paths a text spells: in full, in brace form as a shell expands it (`src/{a,b}.ts`), or as the items of a line
 * that begins with their directory (`- src/: a{,.test}.ts ×2, b.ts`). A base name alone names nothing.
 */
export function pathsIn(text: string): Set<string> {
  const found = new Set<string>();
  for (const line of text.split("\n")) {
    const [, dir, rest] = /^-\s+((?:[\w.@+-]+\/)+):\s+(.*)$/.exec(line) ?? [];
    for (const token of (rest ?? line).split(/[\s;()[\]`"'“”]+|,(?=\s)|:(?=\s|$)/)) {
      for (const path of expanded(token.replace(/[.,:]+$/, "")))
        found.add(dir ? dir.replace(/^\.\//, "") + path : path);
    }
  }
  return found;
}

/** As a shell expands braces, nested ones too. */
function expanded(word: string): string[] {
  const [, before, inner, after] = /^(.*?)\{([^{}]*)\}(.*)$/.exec(word) ?? [];
  if (before === undefined || inner === undefined || after === undefined) return [word];
  return inner.split(",").flatMap((part) => expanded(before + part + after));
}

const STOP = new Set(
  "the a an and or but for from with without into onto that this these those when where what which was were are is be been not now use used using via per all any its it's in on of to at by as if so no do does can also only".split(
    " ",
  ),
);

/** The words of a commit's subject that say what it is about. */
export function contentWords(subject: string): Set<string> {
  const words = subject.toLowerCase().match(/[\p{L}\p{N}_]{3,}/gu) ?? [];
  return new Set(words.filter((word) => !STOP.has(word)));
}

/** Pure recency: the newest observations as plain lines with their files, as many as find room. */
export function newestLines(db: Database, chars: number): string {
  const rows = db
    .query(
      `select id, type, title, files_modified, files_read from observations where superseded_by is null
       order by created_at desc, id desc limit 500`,
    )
    .values() as [number, string, string, string, string][];
  let text = "";
  for (const [id, type, title, modified, read] of rows) {
    const files = [...(JSON.parse(modified) as string[]), ...(JSON.parse(read) as string[])].slice(0, FILES);
    const line = `- #${id} ${type}: ${title.slice(0, 160)}${files.length > 0 ? ` [${files.join(", ")}]` : ""}\n`;
    if (text.length + line.length > chars) break;
    text += line;
  }
  return text;
}

/** Of an observation's files so many are shown in a plain line: with all of them the newest lines name as much, within 2 %. */
const FILES = 3;

/** Every file that some observation or summary lists. */
export function seenFiles(db: Database): Set<string> {
  const rows = db
    .query(
      `select files_modified, files_read from observations
       union all select files_edited, files_read from summaries`,
    )
    .values() as [string, string][];
  return new Set(rows.flatMap((row) => row.flatMap((list) => JSON.parse(list) as string[])));
}

/** How many of the files could be named in `chars` by one who knew them; one never seen before cannot. */
export function mostNamable(touched: readonly string[], seen: ReadonlySet<string>, chars: number): number {
  const lengths = touched.filter((file) => seen.has(file)).map((file) => file.length + 2);
  let left = chars;
  let named = 0;
  for (const length of lengths.sort((a, b) => a - b)) {
    left -= length;
    if (left < 0) break;
    named += 1;
  }
  return named;
}
