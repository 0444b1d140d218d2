/** What a turn found out, in the assistant's closing words. */
import type { ObservationDraft } from "../../../core/observation.ts";
import { cutText, firstSentence, sentencesOf } from "../../../core/text.ts";
import type { Turn } from "../../../core/turn.ts";
import { type Call, draftOf, filesRead } from "../call.ts";
import { capital, TITLE_MAX, unique } from "../words.ts";
import { closingOf, isProposal, type Paragraph, paragraphsOf, proseSentences } from "./closing.ts";
import { ownWords } from "./own-words.ts";
import { ADVICE, insightsIn, pointOf } from "./point.ts";
import {
  bareSentence,
  contentWords,
  isEmptyWords,
  isHedged,
  marked,
  namesThing,
  pointsBack,
  saysWhy,
} from "./sentences.ts";
import { TRAP } from "./signals.ts";

/** Shorter messages (UTF-16 units, code left out) are answers in passing. */
const SUBSTANTIVE = 140;
/** The first sentence of the prompt that says something. */
function askedIn(prompt: string): string {
  const words = ownWords(prompt);
  return sentencesOf(words).find((sentence) => contentWords(sentence) >= 3) ?? firstSentence(words);
}

const GIST_MAX = 800;
const FACTS_MAX = 6;
const FILES_MAX = 20;

/** `null` where the closing words say nothing to keep. */
export function findingDraft(turn: Turn, calls: readonly Call[]): ObservationDraft | null {
  const closing = closingOf(turn);
  if (!closing) return null;
  const paragraphs = paragraphsOf(closing.text);
  const length = paragraphs.reduce((sum, paragraph) => sum + paragraph.text.length, 0);
  const point = closingPoint(paragraphs, turn.prompt);
  if (length < SUBSTANTIVE || point === "") return null;
  return draftOf("finding", [closing], {
    ...saidIn(turn, calls, paragraphs, point),
    title: capital(marked(leadOf(closing.text, point) + point, TITLE_MAX)),
    concepts: conceptsOf(closing.text, turn.prompt),
  });
}

const OWN_ERROR =
  /\b(?:i was wrong|misdiagnos\w+|my (?:earlier |previous |last )?(?:reply|claim|analysis|answer|statement) was (?:wrong|misleading|incorrect))\b|ich lag falsch|je me suis trompé|me equivoqué|mi sbagliavo|я ошибся|我错了|間違って/i;

/** Marks what takes back an earlier claim, and what is only advised. */
function leadOf(message: string, point: string): string {
  if (OWN_ERROR.test(message.slice(0, 600))) return "Correction: ";
  return ADVICE.test(point) ? "Advised: " : "";
}

/** In a turn of work: the cause or the trap that the closing words state; `null` where they only report. */
export function insightDraft(turn: Turn, calls: readonly Call[]): ObservationDraft | null {
  const closing = closingOf(turn);
  if (!closing) return null;
  const paragraphs = paragraphsOf(closing.text);
  const [point] = insightsIn(paragraphs);
  if (!point) return null;
  return draftOf("finding", [closing], {
    ...saidIn(turn, calls, paragraphs, point),
    title: capital(marked(point, TITLE_MAX)),
    concepts: [TRAP.test(point) ? "gotcha" : "problem-solution"],
  });
}

function saidIn(turn: Turn, calls: readonly Call[], paragraphs: readonly Paragraph[], point: string) {
  const mine = calls.filter((call) => call.agentId === null);
  return {
    type: "discovery",
    subtitle: cutText(askedIn(turn.prompt), 160),
    narrative: gistOf(paragraphs),
    facts: factsIn(paragraphs, point),
    filesRead: filesRead(mine, turn.root).slice(0, FILES_MAX),
    origin: "assistant" as const,
    ...(isHedged(point) ? { hypothesis: true } : {}),
  };
}

/** The point of a closing message; "" where it makes none. `asked` is the prompt. */
export function closingPoint(paragraphs: readonly Paragraph[], asked: string): string {
  return pointOf(paragraphs, /[?？]\s*$/.test(ownWords(asked)));
}

function gistOf(paragraphs: readonly Paragraph[]): string {
  const parts: string[] = [];
  for (const paragraph of paragraphs) {
    if (paragraph.kind === "heading" || paragraph.kind === "row") continue;
    if (paragraph.kind === "prose" && isEmptyWords(paragraph.text)) continue;
    parts.push(
      paragraph.kind === "bullet" && !/[.:;!?]$/.test(paragraph.text) ? `${paragraph.text};` : paragraph.text,
    );
  }
  return cutText(parts.join(" ").replace(/;$/, "."), GIST_MAX);
}

/** Bullets that name something and sentences that say why; what is only proposed is no fact. */
function factsIn(paragraphs: readonly Paragraph[], point: string): string[] {
  const given = paragraphs.filter((paragraph) => !isProposal(paragraph));
  const telling = given
    .filter((paragraph) => paragraph.kind === "bullet")
    .map((bullet) => bullet.text)
    .filter((text) => namesThing(text) && contentWords(text) >= 4 && !pointsBack(text));
  const why = proseSentences(given)
    .map((sentence) => bareSentence(sentence.text))
    .filter((text) => saysWhy(text) && !pointsBack(text));
  const rows = given.filter((paragraph) => paragraph.kind === "row").map((row) => row.text);
  return unique([...telling, ...why, ...rows])
    .filter((text) => !point.includes(text) && !isEmptyWords(text) && !/[:：]$/.test(text))
    .map((text) => marked(text, 220))
    .slice(0, FACTS_MAX);
}

function conceptsOf(message: string, prompt: string): string[] {
  const found: string[] = [];
  if (
    /\b(?:root cause|the (?:problem|issue|bug) (?:is|was)|fix(?:es)? (?:is|would))\b|原因|ursache/i.test(
      message,
    )
  )
    found.push("problem-solution");
  if (TRAP.test(message)) found.push("gotcha");
  if (/\b(?:trade-?offs?|pros|cons|alternatives?|versus)\b/i.test(message)) found.push("trade-off");
  if (/^\s*(?:why|warum|pourquoi|por qué|por que|perché|почему|为什么|なぜ|왜)/i.test(prompt))
    found.push("why-it-exists");
  return found.length > 0 ? found.slice(0, 2) : ["how-it-works"];
}
