/** What a prompt asks for, where it says so plainly. */
import { ownWords } from "./own-words.ts";

export type Aim = "fix" | "refactor" | null;

const FIX =
  /\b(?:fix(?:e[sd]|ing)?|bug(?:s|fix)?|repair|broken|crash(?:es|ed|ing)?|regression|doesn'?t work|not working|fails?|failing|behebe|fehler|reparier\w*|corrige[rz]?|arregla\w*|répare\w*)\b|修复|修正|バグ|直して/i;
const REFACTOR =
  /\b(?:refactor\w*|rename\w*|extract\w*|clean(?:\s|-)?up|move\s+\S+\s+(?:in)?to|simplif\w+|dedup\w*|restructure\w*|tidy|aufräumen|umbenenn\w*)\b|重构|リファクタ/i;

/** `null` where the words say neither, or too much was pasted to tell. */
export function aimOf(prompt: string): Aim {
  const words = ownWords(prompt).slice(0, 2_000);
  if (REFACTOR.test(words)) return "refactor";
  return FIX.test(words) ? "fix" : null;
}
