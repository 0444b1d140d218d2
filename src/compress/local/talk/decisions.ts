/** The user's own rules and decisions, word for word from the prompt. */
import type { ObservationDraft } from "../../../core/observation.ts";
import { cutText, oneLine, sentencesOf } from "../../../core/text.ts";
import type { Turn } from "../../../core/turn.ts";
import { draftOf } from "../call.ts";
import { hashOf, titleOf } from "../words.ts";
import { ownWords } from "./own-words.ts";
import { asksToRemember, isCorrection, isRule } from "./rules.ts";

const WORDS_MAX = 1_000;
const DRAFTS_MAX = 6;
/** UTF-16 units. */
const CORRECTING_MAX = 600;

/** One for every rule; those said to the memory ("remember …") are pinned. */
export function decisionDrafts(turn: Turn): ObservationDraft[] {
  const event = turn.events.find((one) => one.kind === "prompt");
  const evidence = event ? [event] : [];
  const at = event?.at ?? turn.events[0]?.at ?? 0;
  const rules = rulesIn(turn.prompt).slice(0, DRAFTS_MAX);
  return rules.map(({ words, pinned }) => ({
    ...draftOf(`decision:${hashOf(words)}`, evidence, {
      type: "decision",
      title: titleOf(words),
      narrative: cutText(words, WORDS_MAX),
      concepts: [
        /\bbecause\b|\bsince\b|\bon purpose\b|weil|porque|parce que|perché|потому что|因为|から|때문/i.test(
          words,
        )
          ? "why-it-exists"
          : "pattern",
      ],
      origin: "user",
      pinned,
    }),
    at,
  }));
}

type Rule = { words: string; pinned: boolean };

function rulesIn(prompt: string): Rule[] {
  const found = new Map<string, Rule>();
  const own = ownWords(prompt);
  // In a long prompt somebody else's words (a review, a ticket) are likely: there only plain rules count.
  const isOwn = own.length <= CORRECTING_MAX;
  for (const block of own.split(/\n\s*\n/)) {
    const lines = block.split("\n");
    for (let at = 0; at < lines.length; at += 1) {
      const line = oneLine((lines[at] ?? "").replace(/^\s*(?:[-*•]|\d+[.)])\s+/, ""));
      // Said to the memory: all that follows in the block is meant.
      if (asksToRemember(line) && !/[?？]$/.test(line)) {
        const words = lines
          .slice(at)
          .map((one) => one.trim())
          .join("\n")
          .trim();
        found.set(words, { words, pinned: true });
        break;
      }
      for (const rule of rulesOfLine(line, isOwn)) found.set(rule.words, rule);
    }
  }
  return [...found.values()];
}

function rulesOfLine(line: string, isOwn: boolean): Rule[] {
  const rules: Rule[] = [];
  const sentences = sentencesOf(line);
  for (let at = 0; at < sentences.length; at += 1) {
    const sentence = sentences[at] ?? "";
    if (/[?？]$/.test(sentence)) continue;
    if (asksToRemember(sentence)) return [...rules, { words: sentences.slice(at).join(" "), pinned: true }];
    if (isRule(sentence) || (isOwn && isCorrection(sentence))) rules.push({ words: sentence, pinned: false });
  }
  return rules;
}
