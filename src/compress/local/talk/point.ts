/** Which sentence of a message is its point: what somebody would retell of it. */
import { isProposal, type Paragraph, proseSentences, type Sentence } from "./closing.ts";
import {
  bareSentence,
  contentWords,
  isEmptyWords,
  isHedged,
  isInsight,
  namesThing,
  pointsBack,
  saysSomething,
} from "./sentences.ts";
import { CAUSE, DONE, MARKER, POINT, TRAP } from "./signals.ts";

/** A sentence weighing less says nothing that stands alone. */
const WEIGHT_MIN = 2.5;
/** For the first sentences that say anything. */
const PLACES = [3, 1.5, 1];
const TELLING_HEADING =
  /\b(?:root cause|cause|problem|issue|findings?|answer|conclusions?|summary|verdict|explanation|why|overall|key|takeaways?|bottom line|critical|high|ergebnis|fazit|ursache|conclusión|причина|вывод)\b|结论|原因|結論|まとめ|결론/iu;
const OPTION =
  /\b(?:option|approach|alternative|step|point|item)s? (?:\d|[A-D]\b)|\b[A-D]\)|^#?\d+\b|^line \d/i;
/** What somebody would do rather than what is. */
export const ADVICE =
  /^(?:i(?:'d| would) (?:suggest|go|lean|recommend|propose|prefer|say)|i (?:suggest|recommend|propose|lean)|my recommendation|recommendation|ich würde|je recommande|recomiendo)\b/i;
const VERDICT = /^(yes|no|ja|nein|oui|non|sí|sim|não|да|нет)(?:[,.!]|\s+[-–—])/iu;

/** The sentence that says most; a bullet where the prose only points at a list; "" where nothing does. */
export function pointOf(paragraphs: readonly Paragraph[], isQuestion = false): string {
  const sentences = proseSentences(paragraphs);
  const best = heaviest(sentences);
  if (best) return withVerdict(best, sentences, isQuestion);
  // A list under a question is a choice put to the user.
  if (sentences.some((sentence) => /[?？]$/.test(sentence.text))) return "";
  return bulletPoint(paragraphs);
}

type Weighed = { text: string; weight: number; at: number };

function heaviest(sentences: readonly Sentence[]): Weighed | null {
  let best: Weighed | null = null;
  let place = 0;
  let announced = false;
  sentences.forEach((sentence, at) => {
    const text = bareSentence(sentence.text);
    const marks = MARKER.test(sentence.text);
    // "Found it." and "The root cause:" announce what comes next.
    const says =
      (saysSomething(text) || (sentence.bold && contentWords(text) >= 4 && !/[:：]$/.test(text))) &&
      !isEmptyWords(text);
    if (!says) {
      announced ||= marks;
      return;
    }
    const weight = weightOf(sentence, text) + (PLACES[place] ?? 0) + (marks || announced ? 5 : 0);
    place += 1;
    announced = false;
    if (weight >= WEIGHT_MIN && (best === null || weight > best.weight)) best = { text, weight, at };
  });
  return best;
}

function weightOf(sentence: Sentence, text: string): number {
  let weight = 0;
  if (sentence.bold) weight += 4;
  if (TELLING_HEADING.test(sentence.heading)) weight += 2;
  if (CAUSE.test(text)) weight += 2.5;
  else if (TRAP.test(text)) weight += 2;
  else if (POINT.test(text)) weight += 0.5;
  if (namesThing(text)) weight += 2;
  if (pointsBack(text)) weight -= namesThing(text) ? 4 : 6;
  if (OPTION.test(text)) weight -= 3;
  if (sentence.proposed) weight -= 6;
  if (isHedged(text)) weight -= 2;
  if (/^(?:i|we|let|this (?:pr|branch))\b/i.test(text)) weight -= 2;
  if (ADVICE.test(text)) weight -= 2;
  if (text.length < 30) weight -= 1.5;
  if (text.length > 220) weight -= 1;
  return weight;
}

/** The answer to a question keeps its yes or no, also where that is a sentence of its own. */
function withVerdict(best: Weighed, sentences: readonly Sentence[], isQuestion: boolean): string {
  if (!isQuestion || VERDICT.test(best.text)) return best.text;
  const said = [sentences[best.at], best.at === 1 ? sentences[0] : undefined].find(
    (sentence) => sentence && VERDICT.test(sentence.text),
  );
  const verdict = VERDICT.exec(said?.text ?? "")?.[1];
  return verdict ? `${verdict}: ${best.text}` : best.text;
}

function bulletPoint(paragraphs: readonly Paragraph[]): string {
  const bullet = paragraphs.find(
    (paragraph) =>
      paragraph.kind === "bullet" &&
      !isProposal(paragraph) &&
      contentWords(paragraph.text) >= 5 &&
      saysSomething(paragraph.text) &&
      !isEmptyWords(paragraph.text) &&
      !/^`?[\w./-]+(?::\d+)?`?\s*(?:[-–—:]|\()/.test(paragraph.text),
  );
  if (!bullet) return "";
  const heading = bullet.heading.replace(/^\W*\d+[.)]\s*/, "");
  const topic =
    heading &&
    !/^(?:summary|benefits?|what|where|files?|now)\b/i.test(heading) &&
    !bullet.text.includes(heading)
      ? `${heading}: `
      : "";
  return topic.length < 50 ? topic + bareSentence(bullet.text) : bareSentence(bullet.text);
}

/**
 * Sentences of the closing words that give a cause or warn of a trap, the most telling first; with `named` only those
 * that say in what.
 */
export function insightsIn(paragraphs: readonly Paragraph[], named = true): string[] {
  const bullets = paragraphs
    .filter((paragraph) => paragraph.kind === "bullet")
    .map(({ text, heading, ...rest }) => ({
      text,
      heading,
      bold: false,
      proposed: isProposal({ text, heading, ...rest }),
    }));
  return [...proseSentences(paragraphs), ...bullets]
    .filter((sentence) => !sentence.proposed)
    .map((sentence) => {
      const text = bareSentence(sentence.text);
      return { text, weight: weightOf(sentence, text) + (MARKER.test(sentence.text) ? 5 : 0) };
    })
    .filter(
      ({ text }) =>
        text.length > (named ? 40 : 25) && text.length < 400 && isInsight(text, named) && !isReport(text),
    )
    .filter(({ text }) => !/[:：]$/.test(text) && contentWords(text) >= (named ? 4 : 3))
    .sort((one, other) => other.weight - one.weight)
    .map(({ text }) => text);
}

const DENIES =
  /(?<![\p{L}])(?:not?|never|cannot|nicht|kein\w*|pas|não|non|не)(?![\p{L}])|n['’]t\b|没|不|ない|않/iu;

/** What was done, with its reason: the edits tell that. */
function isReport(text: string): boolean {
  const start = text.slice(0, 40);
  return (DONE.test(start) && !DENIES.test(start)) || /^(?:i|we|you|let)\b/i.test(text);
}
