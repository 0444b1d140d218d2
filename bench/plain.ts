/** The plain start that the search is held against: BM25 of SQLite's FTS5, porter stems, any of the words that are no stop words. */
import { Database } from "bun:sqlite";
import { wordsOf } from "../src/core/tokens.ts";
import { stopWordsFor } from "../src/search/stop-words.ts";

export type Plain = { rank(query: string, limit: number): string[] };

/** Ranks texts by id. */
export function plainBm25(texts: readonly { id: string; text: string }[]): Plain {
  const db = new Database(":memory:", { strict: true });
  db.run("create virtual table texts using fts5 (id unindexed, text, tokenize = 'porter unicode61')");
  db.transaction(() => {
    for (const { id, text } of texts) db.query("insert into texts values (?, ?)").run(id, text);
  })();
  return {
    rank(query, limit) {
      const words = [...new Set(wordsOf(query))];
      const stops = stopWordsFor(words);
      const telling = words.filter((word) => !stops.has(word));
      if (telling.length === 0) return [];
      const any = telling.map((word) => `"${word}"`).join(" OR ");
      const rows = db.query("select id from texts where texts match ? order by rank limit ?").all(any, limit);
      return (rows as { id: string }[]).map((row) => row.id);
    },
  };
}
