/** What a session was for: the ask it began with, and how that changed. */
import type { Observation, Summary } from "../../core/observation.ts";
import { cutText, sentencesOf } from "../../core/text.ts";
import { heldIn, termsOf } from "../terms.ts";

const REQUEST_MAX = 240;
/** One ask among several has so much room. */
const ASK_MAX = 110;
/** A whole session's purpose has at least so many terms' weight. */
const TELLING = 3;

/** Said by the host or a command, not asked by the user. */
const NOT_ASKED =
  /^(?:\[Request interrupted|Operation stopped|Caveat:|<|\/\w+\s*$|This session is being continued|API Error|\[media prompt\])/i;
/** Only nods, greets or goes on. */
const NODS =
  /^(?:ok(?:ay)?|yes|yep|yeah|no|nope|sure|great|good|nice|perfect|cool|thanks?(?: you)?|please|go (?:on|ahead)|continue|proceed|do it|try again|again|retry|looks good|lgtm|commit(?: (?:this|that|it|the changes|and push))?|push(?: it)?|hi|hello|ja|nein|danke|weiter|mach weiter|sí|vale|gracias|sigue|continúa|oui|non|merci|continue|vas-y|好的?|可以|继续|谢谢|はい|お願いします|続けて)[\s.,!。！]*$/iu;

/** The session's asks in order, the first and those under which most was done. */
export function requestOfSession(turns: readonly Summary[], notes: readonly Observation[]): string {
  const asks = turns.map((turn) => ({ turn, text: askOf(turn.request) })).filter(({ text }) => text !== "");
  const telling = asks.filter(({ text }) => weigh(text) >= TELLING);
  const [first] = telling.length > 0 ? telling : asks;
  if (!first) return cutText(turns[0]?.request ?? "", REQUEST_MAX);
  const noted = new Map<number | null, number>();
  for (const note of notes) noted.set(note.promptNumber, (noted.get(note.promptNumber) ?? 0) + 1);
  const workOf = (turn: Summary) => turn.filesEdited.length * 2 + (noted.get(turn.promptNumber) ?? 0);
  const known = [termsOf(first.text)];
  const changes = [...telling]
    .slice(1)
    .sort((a, b) => workOf(b.turn) - workOf(a.turn) || a.turn.at - b.turn.at)
    .filter(({ turn, text }) => {
      const terms = termsOf(text);
      const isNew = workOf(turn) > 1 && isProse(text) && known.every((one) => heldIn(terms, one) < 0.5);
      if (isNew) known.push(terms);
      return isNew;
    })
    .slice(0, 1)
    .sort((a, b) => a.turn.at - b.turn.at);
  if (changes.length === 0) return cutText(first.text, REQUEST_MAX);
  return [first, ...changes].map(({ text }) => cutText(text, ASK_MAX)).join(" → ");
}

/** The prompt's asking words: sentences that only nod or greet are passed over. */
function askOf(request: string): string {
  if (NOT_ASKED.test(request.trim())) return "";
  const sentences = sentencesOf(request).filter((sentence) => !NODS.test(sentence));
  return sentences.join(" ");
}

/** Words, not a pasted listing. */
function isProse(text: string): boolean {
  const letters = text.replace(/[^\p{L}\s]/gu, "").length;
  return letters > text.length * 0.8;
}

function weigh(text: string): number {
  let sum = 0;
  for (const weight of termsOf(text).values()) sum += weight;
  return sum;
}
