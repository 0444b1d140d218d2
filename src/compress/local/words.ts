/** Putting titles, lists and keys into words. */
import { cutText, oneLine } from "../../core/text.ts";

/** UTF-16 units of a title at most: one line of a terminal. */
export const TITLE_MAX = 110;

/** One line, its first letter upper-case unless it starts with code, cut to a title's length. */
export function titleOf(text: string): string {
  return cutText(capital(oneLine(text)), TITLE_MAX);
}

/** The first letter in upper case, unless the first word is code: a path, a call, an identifier. */
export function capital(text: string): string {
  const word = /^\S+/.exec(text)?.[0] ?? "";
  if (!/^\p{Ll}/u.test(word) || /[/_()`=.{}<>\d]|\p{Ll}\p{Lu}/u.test(word.replace(/[.,:;!?]+$/, "")))
    return text;
  const first = String.fromCodePoint(text.codePointAt(0) ?? 0);
  return first.toUpperCase() + text.slice(first.length);
}

/** "a", "a and b", "a, b and 2 more". */
export function listed(names: readonly string[], shown = 3): string {
  if (names.length <= 1) return names[0] ?? "";
  const few = names.slice(0, shown);
  const more = names.length - few.length;
  if (more > 0) return `${few.join(", ")} and ${more} more`;
  return `${few.slice(0, -1).join(", ")} and ${few.at(-1) ?? ""}`;
}

/** The sentence with a capital letter and an end. */
export function stopped(sentence: string): string {
  return /[.!?。！？]$/.test(sentence) ? capital(sentence) : `${capital(sentence)}.`;
}

/** "1 test", "2 tests". */
export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}

/** The items without repetition, in order of first appearance. */
export function unique<T>(items: readonly T[]): T[] {
  return [...new Set(items)];
}

/** A short stable name for a text: 53 bits (cyrb53, public domain), enough to tell the texts of one turn apart. */
export function hashOf(text: string): string {
  let high = 0xdeadbeef;
  let low = 0x41c6ce57;
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    high = Math.imul(high ^ unit, 2654435761);
    low = Math.imul(low ^ unit, 1597334677);
  }
  high = Math.imul(high ^ (high >>> 16), 2246822507) ^ Math.imul(low ^ (low >>> 13), 3266489909);
  low = Math.imul(low ^ (low >>> 16), 2246822507) ^ Math.imul(high ^ (high >>> 13), 3266489909);
  return (4294967296 * (2097151 & low) + (high >>> 0)).toString(36);
}
