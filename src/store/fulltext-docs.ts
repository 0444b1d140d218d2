/** What stands in the index for an observation, a summary, a prompt. */
import { gramsOf, hiddenWords, unspacedRuns, wordsOf } from "../core/tokens.ts";
import { textList } from "./observations.ts";
import type { Db } from "./open.ts";

export const KINDS = ["observation", "summary", "prompt"] as const;
export type DocKind = (typeof KINDS)[number];

/** A project's documents have the ids from `project * PROJECT_SPAN` on. */
export const PROJECT_SPAN = 2 ** 32;
/** A pasted log is no question: of a longer text only this much is found (UTF-16 units). */
const LONGEST = 32_000;

type Row = Record<string, string | number | null>;
type Texts = { title: string; body: string; files: string[]; concepts: string[] };
type Doc = Texts & {
  item: number;
  project: number;
  session: number | null;
  at: number;
  type: string;
  origin: string;
  pinned: number;
  superseded: number;
};

const INSERT = `insert into search_docs (id, kind, item, project_id, session_row, at, type, origin, pinned, superseded,
    files, concepts, title, body, names, parts, grams, words)
  values ($id, $kind, $item, $project, $session, $at, $type, $origin, $pinned, $superseded,
    $files, $concepts, $title, $body, $names, $parts, $grams, $words)`;

const SOURCES: Record<DocKind, { select: string; read: (row: Row) => Doc | null }> = {
  observation: {
    select: "select * from observations where id = ?",
    read: (row) => ({
      ...placeOf(row),
      type: String(row.type),
      origin: String(row.origin),
      pinned: Number(row.pinned),
      superseded: row.superseded_by === null ? 0 : 1,
      title: String(row.title),
      body: [row.subtitle, row.narrative, ...textList(row.facts)].filter(Boolean).join("\n"),
      files: unique([...textList(row.files_modified), ...textList(row.files_read)]),
      concepts: textList(row.concepts),
    }),
  },
  summary: {
    select: "select * from summaries where id = ?",
    read: (row) => ({
      ...placeOf(row),
      ...UNMARKED,
      type: row.prompt_number === null ? "session" : "turn",
      origin: "assistant",
      title: String(row.request),
      body: ["completed", "learned", "investigated", "next_steps", "notes"]
        .map((name) => row[name])
        .filter(Boolean)
        .join("\n"),
      files: unique([...textList(row.files_edited), ...textList(row.files_read)]),
    }),
  },
  prompt: {
    select: `select p.*, s.project_id from prompts p join sessions s on s.id = p.session_row where p.id = ?`,
    read: (row) =>
      row.private === 1 || String(row.text).trim() === ""
        ? null
        : {
            ...placeOf(row),
            ...UNMARKED,
            type: "",
            origin: "user",
            title: "",
            body: String(row.text),
            files: [],
          },
  },
};

const UNMARKED = { pinned: 0, superseded: 0, concepts: [] as string[] };

function placeOf(row: Row) {
  return {
    item: Number(row.id),
    project: Number(row.project_id ?? 0),
    session: row.session_row === null ? null : Number(row.session_row),
    at: Number(row.created_at),
  };
}

/** Makes the index hold the item as it is stored now. */
export function indexItem(db: Db, kind: number, item: number): void {
  db.query("delete from search_docs where kind = ? and item = ?").run(kind, item);
  const source = SOURCES[KINDS[kind] ?? "observation"];
  const row = db.query(source.select).get(item) as Row | null;
  const doc = row ? source.read(row) : null;
  if (!doc) return;
  const title = doc.title.slice(0, LONGEST);
  const body = doc.body.slice(0, LONGEST);
  const names = [...doc.files, ...doc.concepts].join("\n").slice(0, LONGEST);
  const all = `${title}\n${body}\n${names}`;
  db.query(INSERT).run({
    id: doc.project * PROJECT_SPAN + doc.item * 4 + kind,
    kind,
    item: doc.item,
    project: doc.project,
    session: doc.session,
    at: doc.at,
    type: doc.type,
    origin: doc.origin,
    pinned: doc.pinned,
    superseded: doc.superseded,
    files: enclosed(doc.files),
    concepts: enclosed(doc.concepts),
    title,
    body,
    names,
    parts: hiddenWords(all).join(" "),
    grams: unspacedRuns(all).flatMap(gramsOf).join(" "),
    words: wordsOf(title).length + wordsOf(body).length,
  });
}

function enclosed(list: readonly string[]): string {
  return list.length > 0 ? `\n${list.join("\n")}\n` : "";
}

function unique(list: readonly string[]): string[] {
  return [...new Set(list)];
}
