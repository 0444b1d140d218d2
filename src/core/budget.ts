/** What a text costs where it is injected. */

/** Claude Code replaces more than 10,000 UTF-16 units of one answer by a preview; we stay below with a margin. */
export const HOST_CONTEXT_MAX = 9_500;

/**
 * Estimated tokens of a text: UTF-8 bytes over four, rounded up. Close for English and code, and not too low for
 * scripts of three bytes a character.
 */
export function estimateTokens(text: string): number {
  return Math.ceil(encoder.encode(text).length / 4);
}

const encoder = new TextEncoder();

export type Budget = { chars: number; tokens: number };
