/** A document read for its words, as the index reads it; words are numbers, so that many are read in no time. */
import { wordsOf } from "../core/tokens.ts";
import type { Doc } from "../store/fulltext.ts";
import { rootOf } from "./forms.ts";

export type ReadDoc = {
  doc: Doc;
  /** Numbers of the roots of title and body in order; the first `titleLength` are the title's. */
  words: Int32Array;
  titleLength: number;
  names: Int32Array;
  /** Parts of names, grams: there or not. */
  hidden: Int32Array;
};

/** The numbers of words by how they are written and by root; forgotten before it grows too large. */
const REMEMBERED = 200_000;
const numbers = new Map<string, number>();
const numberOfRoot = new Map<string, number>();
const roots: string[] = [];

/** The number of a root, the same until `forgetNumbers`. */
export function numberOf(root: string): number {
  const known = numberOfRoot.get(root);
  if (known !== undefined) return known;
  roots.push(root);
  numberOfRoot.set(root, roots.length - 1);
  return roots.length - 1;
}

export function rootAt(number: number): string {
  return roots[number] ?? "";
}

/** Called before a search: what was read before is not read with what follows. */
export function forgetNumbers(): void {
  if (numbers.size < REMEMBERED) return;
  numbers.clear();
  numberOfRoot.clear();
  roots.length = 0;
}

export function readDoc(doc: Doc): ReadDoc {
  const title = wordsOf(doc.title);
  const body = wordsOf(doc.body);
  const words = new Int32Array(title.length + body.length);
  for (let at = 0; at < title.length; at += 1) words[at] = numberOfWord(title[at] ?? "");
  for (let at = 0; at < body.length; at += 1) words[title.length + at] = numberOfWord(body[at] ?? "");
  const parts = doc.parts === "" ? [] : doc.parts.split(" ");
  const grams = doc.grams === "" ? [] : [...new Set(doc.grams.split(" "))];
  return {
    doc,
    words,
    titleLength: title.length,
    names: doc.names === "" ? EMPTY : Int32Array.from(wordsOf(doc.names), numberOfWord),
    hidden: parts.length + grams.length === 0 ? EMPTY : Int32Array.from([...parts, ...grams], numberOfWord),
  };
}

const EMPTY = new Int32Array(0);

function numberOfWord(word: string): number {
  const known = numbers.get(word);
  if (known !== undefined) return known;
  const number = numberOf(rootOf(word));
  numbers.set(word, number);
  return number;
}
