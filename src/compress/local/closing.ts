/** Reading the assistant's closing message: prose, bullets, and which sentence says it. */
import { cutText, oneLine, sentencesOf } from "../../core/text.ts";
import type { Turn } from "../../core/turn.ts";
import { withoutCode } from "./own-words.ts";

export type Paragraph = { kind: "heading" | "bullet" | "prose"; text: string; heading: string };

const MESSAGE_MAX = 24_000;

/** The last closing message of the main agent, with the event it came from; `null` where there is none. */
export function closingOf(turn: Turn): { text: string; id: number; at: number } | null {
  const event = turn.events.findLast(
    (one) =>
      (one.kind === "turn_end" || one.kind === "turn_failure") &&
      !one.agentId &&
      typeof one.body.message === "string" &&
      one.body.message.trim() !== "",
  );
  return event
    ? { text: String(event.body.message).slice(0, MESSAGE_MAX), id: event.id, at: event.at }
    : null;
}

/** The message without code blocks and tables, by paragraph and bullet, marks of Markdown removed. */
export function paragraphsOf(message: string): Paragraph[] {
  const found: Paragraph[] = [];
  let heading = "";
  let prose: string[] = [];
  const close = () => {
    if (prose.length > 0) found.push({ kind: "prose", text: plain(prose.join(" ")), heading });
    prose = [];
  };
  for (const line of withoutCode(message).split("\n")) {
    if (/^\s*>/.test(line)) continue;
    const title = headingOf(line);
    const bullet = /^\s*(?:[-*•]|\d{1,2}[.)])\s+(.+)$/.exec(line)?.[1];
    if (title || bullet || line.trim() === "" || /^\s*(?:\||-{3,}|={3,}|\*{3,})/.test(line)) close();
    if (title) {
      heading = plain(title).replace(/:$/, "");
      found.push({ kind: "heading", text: heading, heading });
    } else if (bullet) {
      found.push({ kind: "bullet", text: plain(bullet), heading });
    } else if (line.trim() !== "" && !/^\s*(?:\||-{3,}|={3,}|\*{3,})/.test(line)) {
      prose.push(line);
    }
  }
  close();
  return found.filter((paragraph) => paragraph.text !== "");
}

/** A heading, a short bold line that is no sentence, or a line of a few words that only announces ("Next steps:"). */
function headingOf(line: string): string {
  const marked = /^\s*#{1,6}\s+(.+)$/.exec(line)?.[1];
  if (marked) return marked;
  const bold = /^\s*\*\*[^*]{2,80}\*\*.{0,80}$/.test(line) && !/[.!?]\s*$/.test(line.replaceAll("*", ""));
  const announces = /^\s*[^\s|>*-][^.!?:]{1,40}:\s*$/.test(line) && line.trim().split(/\s+/).length <= 4;
  return bold || announces ? line : "";
}

function plain(text: string): string {
  return oneLine(text)
    .replace(/\*\*([^*]+)\*\*/g, "$1")
    .replace(/\[([^\]]{1,200})\]\(([^)]{1,400})\)/g, "$1")
    .replace(/^(?:[\u2705\u2713\u2714\u274c\u26a0]\ufe0f?\s*)+/, "")
    .trim();
}

type Sentence = { text: string; heading: string; place: number };

/** Sentences of the prose, in order. */
export function proseSentences(paragraphs: readonly Paragraph[]): Sentence[] {
  const all = paragraphs.filter((paragraph) => paragraph.kind === "prose");
  return all
    .flatMap((paragraph) =>
      sentencesOf(paragraph.text).map((text) => ({ text, heading: paragraph.heading, place: 0 })),
    )
    .map((sentence, place) => ({ ...sentence, place }));
}

/** Politeness, plans and pointers: nothing to remember. */
const EMPTY_OPENER =
  /^(?:(?:perfect|great|excellent|good|nice|awesome|wonderful|done|ok(?:ay)?|sure|absolutely|certainly|understood|got it|of course|thanks?|thank you|sorry|apologies|hmm|ah|let'?s|you'?re (?:absolutely )?right|good (?:question|point|catch|call|idea)|great (?:question|point|catch)|all (?:done|set))\b|(?:i'?ll|i will|i'?m going to|let me|now (?:let me|let'?s|i)|i (?:can )?see\b|i understand|i (?:think i )?found (?:an?|the|it|some)\b|i was (?:wrong|mistaken)|(?:yes|no),? that\b|would you|do you|should i|shall i|want me|let me know|feel free|if you'?d like|ready to|here(?:'s| is| are)|the following|looking at|based on (?:my|the)|i(?:'ve| have)? (?:now )?(?:have|read|traced|gone|reviewed|looked|checked|explored|analy[sz]ed|completed|finished)|(?:in )?summary\b|sounds good))/i;

export function isEmptyWords(sentence: string): boolean {
  const words = sentence.split(/\s+/).length;
  if (/[?？]$/.test(sentence)) return true;
  if (!EMPTY_OPENER.test(sentence)) return words < 3 && !/[\u3040-\u9fff]/.test(sentence);
  // "Based on my analysis, X does Y because Z" says something after its opener.
  return !(
    /^(?:based on|looking at|good (?:question|point|catch)|you'?re)/i.test(sentence) &&
    words > 12 &&
    !/:$/.test(sentence)
  );
}

const CAUSE =
  /\b(?:because|root cause|turns out|the (?:problem|issue|bug|reason|cause|culprit|difference) (?:is|was)|caused by|due to|so that|note that|important(?:ly)?|never|must|instead of|only (?:when|if)|the key|weil|ursache|porque|parce que)\b|因为|原因|原因は|ため/i;
const CAUSE_HEADING =
  /\b(?:root cause|cause|problem|issue|finding|answer|conclusion|summary|verdict|recommendation|explanation|why)\b/i;
const NAMES_THING =
  /`[^`]+`|\b[\w-]+\/[\w./-]+|\b\w+\.(?:ts|js|go|py|rs|java|md|json|ya?ml)\b|\b[a-z]+[A-Z]\w+|\b\w+\(\)/;

const STRONG_CAUSE =
  /\b(?:root cause|turns out|the (?:problem|issue|bug|reason|cause|culprit|difference) (?:is|was)|caused by|because)\b|因为|原因/i;
/** Says something about a thing named before it: poor alone. */
const POINTS_BACK =
  /^(?:this|that|these|those|it|they|both|so|then|also|result:|bottom line:)(?:'\w+)?\s+(?!(?:pr|branch|repo|change|file|function|command|code)\b)/i;

/** How much a sentence says about why or what: the highest is the message's point. */
export function weightOfSentence(sentence: Sentence): number {
  if (isEmptyWords(sentence.text) || /:$/.test(sentence.text)) return -1;
  const { text } = sentence;
  let weight = Math.max(0, 4 - sentence.place);
  if (STRONG_CAUSE.test(text)) weight += 4;
  else if (CAUSE.test(text)) weight += 1;
  if (POINTS_BACK.test(text)) weight -= 3;
  if (CAUSE_HEADING.test(sentence.heading)) weight += 2;
  if (NAMES_THING.test(text)) weight += 2;
  if (/^(?:yes|no|correct|exactly|ja|nein|oui|non|sí)\b/i.test(text)) weight += 2;
  if (text.length < 30) weight -= 2;
  if (text.length > 220) weight -= 1;
  return weight;
}

export function saysWhy(text: string): boolean {
  return CAUSE.test(text);
}

export function namesThing(text: string): boolean {
  return NAMES_THING.test(text) || /\d/.test(text) || /\berror\b/i.test(text);
}

const HEDGED =
  /\b(?:might|may be|may have|maybe|perhaps|probably|likely|possibly|presumably|could be|i (?:suspect|think|believe|guess|assume)|seems?|appears? to|not sure|unclear|unconfirmed|vermutlich|wahrscheinlich|vielleicht|quizás|probablemente|peut-être|probablement)\b|可能|也许|かもしれ|おそらく|たぶん/i;

/** The sentence, marked where its speaker was not sure. */
export function marked(sentence: string, max: number): string {
  const note = " (unconfirmed)";
  if (!HEDGED.test(sentence)) return cutText(sentence, max);
  return cutText(sentence, max - note.length) + note;
}

/** Sentences and bullets that name the first of these, or else one of the others; at most `max` UTF-16 units. */
export function wordsAbout(paragraphs: readonly Paragraph[], names: readonly string[], max: number): string {
  const [first = "", ...others] = names.filter((name) => name.length > 3);
  const said = paragraphs
    .filter((paragraph) => paragraph.kind !== "heading")
    .flatMap((paragraph) => (paragraph.kind === "bullet" ? [paragraph.text] : sentencesOf(paragraph.text)))
    .filter((sentence) => !/[:?]$/.test(sentence) && !isEmptyWords(sentence));
  const about = (name: string) => said.filter((sentence) => namesExactly(sentence, name));
  const own = first ? about(first) : [];
  const found = own.length > 0 ? own : [...new Set(others.slice(0, 20).flatMap(about))];
  return marked(found.slice(0, 2).join(" "), max);
}

/** Whether the name stands there as a whole, not as part of a longer one. */
function namesExactly(sentence: string, name: string): boolean {
  for (let at = sentence.indexOf(name); at >= 0; at = sentence.indexOf(name, at + 1)) {
    const around = (sentence[at - 1] ?? " ") + (sentence[at + name.length] ?? " ");
    if (!/[\w-]/.test(around)) return true;
  }
  return false;
}
