/** A short stable name for any text: the first `length` hex digits of its SHA-256. */
export function hashText(text: string, length = 16): string {
  return new Bun.CryptoHasher("sha256").update(text).digest("hex").slice(0, length);
}
