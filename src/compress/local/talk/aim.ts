/** What a prompt asks for, where it says so plainly. */
import { ownWords } from "./own-words.ts";

export type Aim = "fix" | "refactor" | null;

const FIX =
  /\b(?:fix(?:e[sd]|ing)?|bug(?:s|fix)?|repair|broken|crash(?:es|ed|ing)?|regression|doesn'?t work|not working|fails?|failing|behebe\w*|fehler|reparier\w*|corrige[rz]?|corrija|corriger|correggi|arregla\w*|conserte|répare\w*|aggiusta\w*)\b|исправь|исправить|почини|ошибк|修复|修正|バグ|直して|고쳐|수정해/iu;
const REFACTOR =
  /\b(?:refactor\w*|rename\w*|extract\w*|clean(?:\s|-)?up|move\s+\S+\s+(?:in)?to|simplif\w+|dedup\w*|restructure\w*|tidy|aufräumen|umbenenn\w*|renomme\w*|renombra\w*|refatora\w*|rinomina\w*)\b|переименуй|рефактор|重构|重命名|リファクタ|리팩터/iu;

/** What the assistant says that was wrong, or that it put in order. */
const WAS_WRONG =
  /\b(?:root cause|culprit|bugs?|issue|problem|broken?|wrong(?:ly)?|crash\w*|fail(?:s|ed|ing)?|incorrect(?:ly)?|regression|lost|missing|fehler|falsch|bogue|erreur|errores?|erro|errore)\b|ошибк|错误|问题|不具合|バグ|오류|버그/iu;
const PUT_IN_ORDER =
  /\b(?:refactor(?:ed|ing)|consolidated|dead code|deduplicated|no (?:functional|behaviou?r(?:al)?) changes?|pure rename)\b/i;
/** So far (UTF-16 units) a closing message tells what was done. */
const CLAIM_MAX = 400;

/** By the prompt, else by the closing words; `null` where they say neither, or too much was pasted to tell. */
export function aimOf(prompt: string, closing = ""): Aim {
  const words = ownWords(prompt).slice(0, 2_000);
  if (REFACTOR.test(words)) return "refactor";
  if (FIX.test(words)) return "fix";
  return PUT_IN_ORDER.test(closing.slice(0, CLAIM_MAX)) ? "refactor" : null;
}

/** Of the sentences that say why something was so those that say it was wrong. */
export function faultsIn(causes: readonly string[]): string[] {
  return causes.filter((cause) => WAS_WRONG.test(cause));
}
