/** The few words of an item that are shown with it. */
import { cutText, firstSentence, oneLine, sentencesOf } from "../core/text.ts";
import { wordsOf } from "../core/tokens.ts";
import type { Doc } from "../store/fulltext.ts";
import { rootOf } from "./forms.ts";

const LONGEST_TITLE = 120;
const LONGEST_SNIPPET = 240;
/** In a longer text the best sentence is looked for only so far in (UTF-16 units). */
const LOOKED_THROUGH = 6_000;

/** The item's title; a prompt's is how it begins. */
export function titleOf(doc: Doc): string {
  return cutText(
    oneLine(doc.title === "" ? firstSentence(doc.body.slice(0, LOOKED_THROUGH)) : doc.title),
    LONGEST_TITLE,
  );
}

/** The sentence that has most of the words looked for, the first of equals. */
export function snippetOf(doc: Doc, roots: ReadonlySet<string>): string {
  const lines = doc.body.slice(0, LOOKED_THROUGH).split("\n");
  let best = { sentence: "", hits: -1 };
  for (const sentence of lines.flatMap(sentencesOf)) {
    const hits = new Set(
      wordsOf(sentence)
        .map(rootOf)
        .filter((root) => roots.has(root)),
    ).size;
    if (hits > best.hits) best = { sentence, hits };
  }
  return cutText(best.sentence, LONGEST_SNIPPET);
}
