/** What a text costs where it is injected. */

/** Claude Code replaces more than 10,000 UTF-16 units of one answer by a preview; we stay below with a margin. */
export const HOST_CONTEXT_MAX = 9_500;

/**
 * Estimated tokens of a text: UTF-8 bytes over four, rounded up. Close for English and code, and not too low for
 * scripts of three bytes a character.
 */
export function estimateTokens(text: string): number {
  let bytes = 0;
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    // A surrogate is half of a four-byte character.
    bytes += unit < 0x80 ? 1 : unit < 0x800 || (unit >= 0xd800 && unit < 0xe000) ? 2 : 3;
  }
  return Math.ceil(bytes / 4);
}

export type Budget = { chars: number; tokens: number };

/** Keeps account of lines against a budget; a line costs its text and its line end. */
export function openBudget(limit: Budget): {
  take: (text: string) => boolean;
  fits: (text: string) => boolean;
} {
  let chars = 0;
  let tokens = 0;
  const fits = (text: string) =>
    chars + text.length + 1 <= limit.chars && tokens + estimateTokens(`${text}\n`) <= limit.tokens;
  return {
    fits,
    take: (text) => {
      if (!fits(text)) return false;
      chars += text.length + 1;
      tokens += estimateTokens(`${text}\n`);
      return true;
    },
  };
}
