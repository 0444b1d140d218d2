/** What a turn of reading and thinking found out, in the assistant's closing words. */
import type { ObservationDraft } from "../../core/observation.ts";
import { cutText, firstSentence } from "../../core/text.ts";
import type { Turn } from "../../core/turn.ts";
import { type Call, draftOf, filesRead } from "./call.ts";
import {
  closingOf,
  isEmptyWords,
  marked,
  namesThing,
  type Paragraph,
  paragraphsOf,
  proseSentences,
  saysWhy,
  weightOfSentence,
} from "./closing.ts";
import { ownWords } from "./own-words.ts";
import { capital, TITLE_MAX, unique } from "./words.ts";

/** Shorter messages (UTF-16 units, code left out) are answers in passing. */
const SUBSTANTIVE = 140;
const GIST_MAX = 800;
const FACTS_MAX = 6;
const FILES_MAX = 20;

/** `null` where the closing words say nothing to keep. */
export function findingDraft(turn: Turn, calls: readonly Call[]): ObservationDraft | null {
  const closing = closingOf(turn);
  if (!closing) return null;
  const paragraphs = paragraphsOf(closing.text);
  const length = paragraphs.reduce((sum, paragraph) => sum + paragraph.text.length, 0);
  const point = pointOf(paragraphs);
  if (length < SUBSTANTIVE || point === "") return null;
  const mine = calls.filter((call) => call.agentId === null);
  return draftOf("finding", [closing], {
    type: "discovery",
    title: capital(marked(point, TITLE_MAX)),
    subtitle: cutText(firstSentence(ownWords(turn.prompt)), 160),
    narrative: gistOf(paragraphs),
    facts: factsIn(paragraphs, point),
    concepts: conceptsOf(closing.text, turn.prompt),
    filesRead: filesRead(mine, turn.root).slice(0, FILES_MAX),
    origin: "assistant",
  });
}

/** Says only that something follows. */
const LABEL = /^(?:finding|note|result|answer|(?:the )?key insight|bottom line|in short|this means)\s*:\s+/i;

/** The sentence that says most; a bullet where the prose only points at a list. */
export function pointOf(paragraphs: readonly Paragraph[]): string {
  const sentences = proseSentences(paragraphs);
  let best = { text: "", weight: 0.5 };
  for (const sentence of sentences) {
    const weight = weightOfSentence(sentence);
    if (weight > best.weight) best = { text: sentence.text, weight };
  }
  if (best.text !== "") return best.text.replace(LABEL, "");
  // A list under a question is a choice put to the user.
  if (sentences.some((sentence) => /[?？]$/.test(sentence.text))) return "";
  return (
    paragraphs.find(
      (paragraph) =>
        paragraph.kind === "bullet" && paragraph.text.length > 30 && !isEmptyWords(paragraph.text),
    )?.text ?? ""
  );
}

function gistOf(paragraphs: readonly Paragraph[]): string {
  const parts: string[] = [];
  for (const paragraph of paragraphs) {
    if (paragraph.kind === "heading") continue;
    if (paragraph.kind === "prose" && isEmptyWords(paragraph.text)) continue;
    parts.push(
      paragraph.kind === "bullet" && !/[.:;!?]$/.test(paragraph.text) ? `${paragraph.text};` : paragraph.text,
    );
  }
  return cutText(parts.join(" ").replace(/;$/, "."), GIST_MAX);
}

function factsIn(paragraphs: readonly Paragraph[], point: string): string[] {
  const bullets = paragraphs.filter((paragraph) => paragraph.kind === "bullet" && paragraph.text !== point);
  const telling = bullets
    .map((bullet) => bullet.text)
    .filter((text) => text.length > 15 && namesThing(text) && !isEmptyWords(text));
  const why = proseSentences(paragraphs)
    .map((sentence) => sentence.text)
    .filter((text) => text !== point && saysWhy(text) && !isEmptyWords(text));
  return unique([...telling, ...why].map((text) => marked(text, 220))).slice(0, FACTS_MAX);
}

function conceptsOf(message: string, prompt: string): string[] {
  const found: string[] = [];
  if (/\b(?:root cause|the (?:problem|issue|bug) (?:is|was)|fix(?:es)? (?:is|would))\b/i.test(message))
    found.push("problem-solution");
  if (/\b(?:gotcha|caveat|beware|careful|pitfall|surprising)/i.test(message)) found.push("gotcha");
  if (/\b(?:trade-?offs?|pros|cons|alternatives?|versus|vs\.?)\b/i.test(message)) found.push("trade-off");
  if (/^\s*(?:why|warum|pourquoi|por qué|为什么|なぜ)/i.test(prompt)) found.push("why-it-exists");
  return found.length > 0 ? found.slice(0, 2) : ["how-it-works"];
}
