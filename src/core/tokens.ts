/** The words of a text as the full-text index sees them, and those it would not see by itself. */

/** Scripts that put no space between words: Han, kana, Hangul (spaced, but by phrase), Thai, Lao, Khmer, Burmese. */
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}ー々]+/gu;
const HAS_UNSPACED =
  /[\u0e00-\u0eff\u1000-\u109f\u1100-\u11ff\u1780-\u17ff\u3005\u3040-\u30ff\u3130-\u318f\u31f0-\u31ff\u3400-\u9fff\ua960-\ua97f\uac00-\ud7ff\uf900-\ufaff]|[\ud840-\ud8bf]/;
const WORD = /[\p{L}\p{N}\p{Co}]+/gu;
/** Without a blank: letters and digits with signs or changes of case between them. */
const IDENTIFIER = /[\p{L}\p{N}_$][\p{L}\p{N}_$]*(?:[./\\:@-]+[\p{L}\p{N}_$]+)*/gu;
const HUMPS = /\p{Lu}+(?=\p{Lu}\p{Ll})|\p{Lu}?\p{Ll}+|\p{Lu}+|\p{N}+|[^\p{Lu}\p{Ll}\p{N}]+/gu;
/** Names that lose their meaning with their signs. */
const SIGNED: readonly (readonly [RegExp, string])[] = [
  [/\bc\+\+/gi, "cplusplus"],
  [/\bc#/gi, "csharp"],
  [/\bf#/gi, "fsharp"],
  [/(?<![\w.])\.net\b/gi, "dotnet"],
];
/** No word that means something is longer; what is (a hash, base64) is not taken apart. */
const LONGEST = 80;

/** Lower case and without diacritics, as the index folds. */
export function folded(text: string): string {
  const lower = text.toLowerCase();
  // Of the marks only those of Latin, Greek and Cyrillic: others (kana's voicing) make another letter.
  return /^[\x00-\x7f]*$/.test(lower)
    ? lower
    : lower
        .normalize("NFD")
        .replace(/[\u0300-\u036f]+/g, "")
        .normalize("NFC");
}

/** The folded words of a text in order. */
export function wordsOf(text: string): string[] {
  return folded(text).match(WORD) ?? [];
}

/**
 * The parts of a name such as `getUserName`, `user_name`, `auth.ts` or `src/auth.ts`, folded, and each segment's
 * joined form (`getusername`, `authts`); `null` for a plain word.
 */
export function identifierParts(name: string): { parts: string[]; joined: string[] } | null {
  if (name.length > LONGEST * 4) return null;
  const segments = name.split(/[/\\:@]+/).filter(Boolean);
  const parts: string[] = [];
  const joined: string[] = [];
  for (const segment of segments) {
    if (segment.length > LONGEST) continue;
    const words = segment.match(/[\p{L}\p{N}]+/gu) ?? [];
    const humps = words.flatMap((word) => (/\p{Ll}/u.test(word) ? humpsOf(word) : [word]));
    parts.push(...humps.map(folded));
    if (humps.length > 1) joined.push(folded(humps.join("")));
  }
  return parts.length > 1 ? { parts, joined } : null;
}

/** `user2name` is one word to people: digits go with the letters before them. */
function humpsOf(word: string): string[] {
  const humps: string[] = [];
  for (const hump of word.match(HUMPS) ?? [word]) {
    const last = humps.at(-1);
    if (last !== undefined && /^\p{N}/u.test(hump)) humps[humps.length - 1] = last + hump;
    else humps.push(hump);
  }
  return humps;
}

/** Whether anything in the text is written without spaces between words. */
export function hasUnspaced(text: string): boolean {
  return HAS_UNSPACED.test(text);
}

/** Every run of unspaced script in the folded text. */
export function unspacedRuns(text: string): string[] {
  return hasUnspaced(text) ? (folded(text).match(UNSPACED) ?? []) : [];
}

/** The single characters of a run and every two neighbours. */
export function gramsOf(run: string): string[] {
  const signs = [...run];
  return [...signs, ...signs.slice(1).map((sign, at) => (signs[at] ?? "") + sign)];
}

/** Names made of signs (`C++`) by the words that stand for them in the index. */
export function signedNames(text: string): string[] {
  return SIGNED.flatMap(([sign, word]) => [...text.matchAll(sign)].map(() => word));
}

/** The names in a text that are more than a plain word. */
export function identifiersOf(text: string): string[] {
  return [...text.matchAll(IDENTIFIER)]
    .map(([name]) => name)
    .filter((name) => /[^\p{L}\p{N}]|\p{Ll}\p{Lu}|\p{Lu}{2}\p{Ll}/u.test(name));
}

/** What the index holds of a text beside its words: parts and joined forms of names, and names made of signs; each once. */
export function hiddenWords(text: string): string[] {
  const found = new Set(signedNames(text));
  for (const name of identifiersOf(text)) {
    const split = identifierParts(name);
    if (!split) continue;
    for (const joined of split.joined) found.add(joined);
    // The tokenizer divides at signs by itself; only what stands at a change of case is new.
    if (/\p{Ll}\p{Lu}|\p{Lu}{2}\p{Ll}/u.test(name)) for (const part of split.parts) found.add(part);
  }
  return [...found];
}
