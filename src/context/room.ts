/** The space a text may take, spent line by line. */
import type { Budget } from "../core/budget.ts";

export type Room = {
  /**
   * Takes the line and its line end, where it fits and at least `keep` (share of the whole, 0 to 1) stays free
   * afterwards; answers whether it did.
   */
  take: (line: string, keep?: number) => boolean;
  /** The same for a line that takes the place of one taken before. */
  swap: (before: string, after: string, keep?: number) => boolean;
};

/** Room for `limit`; tokens are counted as `estimateTokens` does for the whole text, by its bytes. */
export function openRoom(limit: Budget): Room {
  const most = { chars: limit.chars, bytes: limit.tokens * 4 };
  const spent = { chars: 0, bytes: 0 };
  const spend = (chars: number, bytes: number, keep: number): boolean => {
    if (spent.chars + chars > most.chars * (1 - keep)) return false;
    if (spent.bytes + bytes > most.bytes * (1 - keep)) return false;
    spent.chars += chars;
    spent.bytes += bytes;
    return true;
  };
  return {
    take: (line, keep = 0) => spend(line.length + 1, Buffer.byteLength(line) + 1, keep),
    swap: (before, after, keep = 0) =>
      spend(after.length - before.length, Buffer.byteLength(after) - Buffer.byteLength(before), keep),
  };
}
