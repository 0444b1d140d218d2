/** Tells random characters from words, names and numbers. */

/** Shannon entropy in bits a character. */
export function entropy(text: string): number {
  const counts = new Uint32Array(256);
  for (let i = 0; i < text.length; i += 1) {
    // Characters beyond Latin share places, which random credentials never need.
    const place = text.charCodeAt(i) & 255;
    counts[place] = (counts[place] ?? 0) + 1;
  }
  let bits = 0;
  for (const count of counts) {
    if (count === 0) continue;
    const share = count / text.length;
    bits -= share * Math.log2(share);
  }
  return bits;
}

/**
 * Whether the text reads like output of a random generator. Names made of words change between kinds of
 * characters once in five to eight letters; random text does so in two characters of five. `strict` is for
 * text that nothing else speaks against.
 */
export function looksRandom(text: string, strict = false): boolean {
  if (text.length < 16) return false;
  let changes = 0;
  let digits = 0;
  let last = 0;
  for (let i = 0; i < text.length; i += 1) {
    const kind = kindOf(text.charCodeAt(i));
    if (kind === 3) digits += 1;
    // Upper case followed by lower case is how every name is written.
    if (last !== 0 && kind !== last && kind !== 0 && !(last === 2 && kind === 1)) changes += 1;
    last = kind;
  }
  const fewDigits = digits < 2 && text.length < 32;
  // Long names of generated code (`GoogleCloudVisionV1p3beta1Image`) come close with a lower bar.
  if (strict && digits < 5 && changes / text.length < 0.3) return false;
  return !fewDigits && changes / text.length >= 0.17 && entropy(text) >= (text.length < 24 ? 3 : 3.4);
}

/** 1 lower case, 2 upper case, 3 digit, 0 anything else. */
function kindOf(code: number): number {
  if (code >= 97 && code <= 122) return 1;
  if (code >= 65 && code <= 90) return 2;
  return code >= 48 && code <= 57 ? 3 : 0;
}
