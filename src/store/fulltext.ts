/** The full-text index: kept in step with what is stored, and asked for candidates. */
import { indexItem, KINDS, PROJECT_SPAN } from "./fulltext-docs.ts";
import { type Db, inTransaction } from "./open.ts";

/** So many items are brought into the index in one transaction: others wait no longer than that. */
const BATCH = 500;

/**
 * Brings the index to what is stored now, and answers how many items were not as stored. Cheap where there is
 * nothing to do; on a store that may only be read it answers 0.
 */
export function indexPending(db: Db): number {
  let done = 0;
  for (;;) {
    if (!hasPending(db)) return done;
    try {
      const count = inTransaction(db, () => indexBatch(db));
      if (count === 0) return done;
      done += count;
    } catch (error) {
      if (/READONLY|BUSY|LOCKED/.test(String((error as { code?: string }).code))) return done;
      throw error;
    }
  }
}

function hasPending(db: Db): boolean {
  return db.query("select 1 from search_pending limit 1").get() !== null;
}

function indexBatch(db: Db): number {
  const rows = db.query("select kind, item from search_pending limit ?").all(BATCH) as {
    kind: number;
    item: number;
  }[];
  for (const { kind, item } of rows) {
    indexItem(db, kind, item);
    db.query("delete from search_pending where kind = ? and item = ?").run(kind, item);
  }
  return rows.length;
}

/** Makes the whole index anew from what is stored. */
export function rebuildFulltext(db: Db): number {
  inTransaction(db, () => {
    db.query("delete from search_docs").run();
    db.query("insert into fulltext (fulltext) values ('rebuild')").run();
    KINDS.forEach((kind, number) => {
      db.query(`insert or ignore into search_pending select ?, id from ${TABLES[kind]}`).run(number);
    });
  });
  const count = indexPending(db);
  tidyFulltext(db);
  return count;
}

const TABLES = { observation: "observations", summary: "summaries", prompt: "prompts" } as const;

/** Merges the index's parts into one: searches read less, and nothing of what was deleted is left in it. */
export function tidyFulltext(db: Db): void {
  db.query("insert into fulltext (fulltext) values ('optimize')").run();
}

/** Throws where the index does not say what its documents say. */
export function checkFulltext(db: Db): void {
  db.query("insert into fulltext (fulltext, rank) values ('integrity-check', 1)").run();
}

/** What may be asked for; what is `null` or empty does not restrict. */
export type DocFilter = {
  project: number | null;
  kinds: readonly number[];
  types: readonly string[];
  concepts: readonly string[];
  /** A path or its end: `auth.ts`, `src/auth.ts`. */
  file: string | null;
  session: number | null;
  pinned: boolean | null;
  /** Unix milliseconds, both included. */
  from: number | null;
  to: number | null;
};

export type Doc = {
  id: number;
  kind: number;
  item: number;
  project: number;
  session: number | null;
  at: number;
  type: string;
  origin: string;
  pinned: number;
  superseded: number;
  files: string;
  title: string;
  body: string;
  names: string;
  parts: string;
  grams: string;
  words: number;
};

const COLUMNS = `d.id, d.kind, d.item, d.project_id as project, d.session_row as session, d.at, d.type, d.origin, d.pinned,
  d.superseded, d.files, d.title, d.body, d.names, d.parts, d.grams, d.words`;

/**
 * Ids of documents that match the full-text expression, best first by BM25 with `weights` (one a column), or
 * newest first where `weights` is `null`: then nothing has to be weighed, however many match.
 */
export function matchingIds(
  db: Db,
  expression: string,
  filter: DocFilter,
  weights: readonly number[] | null,
  limit: number,
): number[] {
  const { where, values } = whereOf(filter);
  const join = where === "" ? "" : "join search_docs d on d.id = f.rowid";
  const [low, high] = rangeOf(filter.project);
  const order = weights ? "f.rank" : "f.rowid desc";
  const rank = weights ? `and f.rank match 'bm25(${weights.join(", ")})'` : "";
  const rows = db
    .query(
      `select f.rowid as id from fulltext f ${join}
       where f.fulltext match ? and f.rowid between ? and ? ${rank} ${where} order by ${order} limit ?`,
    )
    .all(expression, low, high, ...values, limit) as { id: number }[];
  return rows.map((row) => row.id);
}

/** In how many of a project's documents the expression is found, counted to `most`. */
export function countMatching(db: Db, expression: string, project: number | null, most: number): number {
  const [low, high] = rangeOf(project);
  const row = db
    .query(
      `select count(*) as n from
         (select 1 from fulltext where fulltext match ? and rowid between ? and ? limit ?)`,
    )
    .get(expression, low, high, most) as { n: number };
  return row.n;
}

/** Ids of documents that the filter lets through, newest first. */
export function filteredIds(db: Db, filter: DocFilter, limit: number): number[] {
  const { where, values } = whereOf(filter);
  const project = filter.project === null ? "1" : "d.project_id = ?";
  const rows = db
    .query(`select d.id from search_docs d where ${project} ${where} order by d.at desc, d.id desc limit ?`)
    .all(...(filter.project === null ? [] : [filter.project]), ...values, limit) as { id: number }[];
  return rows.map((row) => row.id);
}

/** The documents with these ids, in no order; unknown ones are left out. */
export function docsById(db: Db, ids: readonly number[]): Doc[] {
  if (ids.length === 0) return [];
  return db
    .query(`select ${COLUMNS} from json_each(?) j join search_docs d on d.id = j.value`)
    .all(JSON.stringify(ids)) as Doc[];
}

/** The ids of a kind's items as documents; those not in the index are left out. */
export function docIdsOf(db: Db, items: readonly { kind: number; item: number }[]): number[] {
  const find = db.query("select id from search_docs where kind = ? and item = ?");
  return items.flatMap(({ kind, item }) => (find.get(kind, item) as { id: number } | null)?.id ?? []);
}

/** Up to `reach` documents of the same session before and after each, nearest first, as ids. */
export function neighbourIds(
  db: Db,
  docs: readonly Doc[],
  reach: number,
): Map<number, { before: number[]; after: number[] }> {
  const before = db.query(
    `select id from search_docs where session_row = ? and (at, id) < (?, ?) order by at desc, id desc limit ?`,
  );
  const after = db.query(
    `select id from search_docs where session_row = ? and (at, id) > (?, ?) order by at, id limit ?`,
  );
  const idsOf = (rows: unknown[]) => (rows as { id: number }[]).map((row) => row.id);
  return new Map(
    docs.map((doc) => [
      doc.id,
      doc.session === null
        ? { before: [], after: [] }
        : {
            before: idsOf(before.all(doc.session, doc.at, doc.id, reach)),
            after: idsOf(after.all(doc.session, doc.at, doc.id, reach)),
          },
    ]),
  );
}

/** Shown names of projects by id. */
export function projectNames(db: Db, ids: readonly number[]): Map<number, string> {
  const rows = db
    .query("select id, name from projects where id in (select value from json_each(?))")
    .all(JSON.stringify(ids)) as { id: number; name: string }[];
  return new Map(rows.map((row) => [row.id, row.name]));
}

/** How many documents and words a project has, or all of them. */
export function countDocs(db: Db, project: number | null): { docs: number; words: number } {
  const sum = "select coalesce(sum(docs), 0) as docs, coalesce(sum(words), 0) as words from search_counts";
  return (project === null ? db.query(sum).get() : db.query(`${sum} where project_id = ?`).get(project)) as {
    docs: number;
    words: number;
  };
}

function rangeOf(project: number | null): [number, number] {
  return project === null
    ? [0, Number.MAX_SAFE_INTEGER]
    : [project * PROJECT_SPAN, (project + 1) * PROJECT_SPAN - 1];
}

function whereOf(filter: DocFilter): { where: string; values: (string | number)[] } {
  const parts: string[] = [];
  const values: (string | number)[] = [];
  const add = (sql: string, ...given: (string | number)[]) => {
    parts.push(`and ${sql}`);
    values.push(...given);
  };
  const marks = (list: readonly unknown[]) => list.map(() => "?").join(", ");
  if (filter.kinds.length > 0) add(`d.kind in (${marks(filter.kinds)})`, ...filter.kinds);
  if (filter.types.length > 0) add(`d.type in (${marks(filter.types)})`, ...filter.types);
  for (const concept of filter.concepts) add("instr(d.concepts, ?) > 0", `\n${concept}\n`);
  if (filter.file !== null)
    add("(instr(d.files, ?) > 0 or instr(d.files, ?) > 0)", `\n${filter.file}\n`, `/${filter.file}\n`);
  if (filter.session !== null) add("d.session_row = ?", filter.session);
  if (filter.pinned !== null) add("d.pinned = ?", filter.pinned ? 1 : 0);
  if (filter.from !== null) add("d.at >= ?", filter.from);
  if (filter.to !== null) add("d.at <= ?", filter.to);
  return { where: parts.join(" "), values };
}
