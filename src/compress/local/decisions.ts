/** The user's own rules and decisions, word for word from the prompt. */
import type { ObservationDraft } from "../../core/observation.ts";
import { cutText, oneLine, sentencesOf } from "../../core/text.ts";
import type { Turn } from "../../core/turn.ts";
import { draftOf } from "./call.ts";
import { ownWords } from "./own-words.ts";
import { hashOf, titleOf } from "./words.ts";

const LEAD =
  /^(?:(?:ok(?:ay)?|and|also|but|so|btw|by the way|oh|hey|please|pls|bitte|por favor|s'il (?:te|vous) plaît|und|auch|y|et)[,:]?\s+)*/i;

/** "Keep this": said to the memory itself. */
const REMEMBER =
  /^(?:remember\s*[:,-]|remember (?:that|to|this|for|we|i|the|our|not|never|always)\b|(?:don'?t|never|do not) forget\b|(?:note to self|make a note)\b|merk(?:e|t)?(?: dir| euch)?\b|denk(?:e|t)? daran\b|vergiss nicht\b|recuerda(?:d)?\b|no olvides\b|souviens[- ]toi\b|rappelle[- ]toi\b|retiens\b|n'oublie(?:z)? pas\b|mémorise\b|(?:请|請)?(?:记住|記住|记得|記得))|(?:覚えて(?:おいて|ください|ね|。|$)|忘れないで)/i;

/** Rules and decisions that open a sentence. */
const RULE =
  /^(?:from now on\b|going forward\b|in (?:the )?future,|(?:you (?:should|must) )?always (?!\p{L}+[^s\P{L}]s\b)|(?:you (?:should|must) )?never (?!mind|ever mind|\p{L}+(?:[^s\P{L}]s|ed)\b|seen|had|been|got|was|did|heard|knew|thought)|(?:don'?t|do not) ever\b|we(?:'ve| have)? decided\b|(?:the|our) decision is\b|i(?:'d| would)? (?:always )?prefer (?!(?:that|this|it|those|option|the (?:first|second|last|latter|former|other))\b|\d)|ab (?:jetzt|sofort)\b|von nun an\b|künftig\b|immer (?!noch|wieder)|(?:nie|niemals) |wir haben (?:uns )?(?:entschieden|beschlossen)|ich (?:bevorzuge|möchte immer)|de ahora en adelante\b|a partir de ahora\b|siempre |nunca |hemos decidido\b|decidimos\b|prefiero\b|désormais\b|à partir de maintenant\b|dorénavant\b|toujours |jamais |(?:nous avons|on a) décidé\b|je préfère\b|从现在(?:开始|起)|以后(?:都|请|要|不)|总是|始终|永远不要|绝不要?|我们决定|我们決定|我(?:更)?(?:喜欢|偏好|倾向)|今後は|これからは|常に|必ず|決して)/iu;
const RULE_ENDING =
  /\b(?:from now on|going forward|ab jetzt|in zukunft|de ahora en adelante|a partir de ahora|à partir de maintenant)[.!]?$|(?:ことにし(?:た|ました)|に決め(?:た|ました)|のほうが好き(?:です)?|を好みます)[。.]?$/i;
const WORDS_MAX = 1_000;
const DRAFTS_MAX = 6;

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
        /\bbecause\b|\bsince\b|weil|porque|parce que|因为|から/i.test(words) ? "why-it-exists" : "pattern",
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
  for (const block of ownWords(prompt).split(/\n\s*\n/)) {
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
      for (const rule of rulesOfLine(line)) found.set(rule.words, rule);
    }
  }
  return [...found.values()];
}

function rulesOfLine(line: string): Rule[] {
  const rules: Rule[] = [];
  const sentences = sentencesOf(line);
  for (let at = 0; at < sentences.length; at += 1) {
    const sentence = sentences[at] ?? "";
    if (/[?？]$/.test(sentence)) continue;
    if (asksToRemember(sentence)) return [...rules, { words: sentences.slice(at).join(" "), pinned: true }];
    if (isRule(sentence)) rules.push({ words: sentence, pinned: false });
  }
  return rules;
}

function asksToRemember(sentence: string): boolean {
  return REMEMBER.test(sentence.replace(LEAD, ""));
}

function isRule(sentence: string): boolean {
  const bare = sentence.replace(LEAD, "");
  return RULE.test(bare) || RULE_ENDING.test(bare);
}
