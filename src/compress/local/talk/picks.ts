/** Short answers ("4", "option B", "yes"): what they answer stands in the assistant's words before. */
import type { ObservationDraft } from "../../../core/observation.ts";
import { cutText, oneLine, sentencesOf } from "../../../core/text.ts";
import type { Turn } from "../../../core/turn.ts";
import { draftOf } from "../call.ts";
import { hashOf, titleOf } from "../words.ts";
import { ABOUT_PROCEEDING, withoutAdvice } from "./answers.ts";
import { paragraphsOf, plain } from "./closing.ts";

/** A longer prompt (UTF-16 units) says itself what it is about. */
const SHORT = 160;
const OFFER_MAX = 200;
const WORDS_MAX = 1_000;

/** What an answer picks of the options before it. */
type Pick = { mark: string; option: string; others: string[] };

/** "4", "option b", "let's go with 2", "number 3 please", with or without reasons behind it. */
const WAY =
  /^(?:(?:i(?:'d| would)?|we|let'?s|lass uns|vamos|allons|please|bitte)\s+)?(?:(?:like|prefer|choose|pick|take|go(?: for| with)?|do|try|nehme|nimm|prends|elijo)\s+)?(?:the\s+)?(?:options?|opción|variante|number|nr\.?|no\.?|choice|选项|オプション)?\s*#?/i;
/** Behind a way of saying so anything may follow; a bare mark stands alone or before a stop ("2 tests fail" picks nothing). */
const MARK = /^\(?(\d{1,2}|[a-h])\)?(?=$|[\s.,;:!)-])/i;
const BARE_MARK = /^\(?(\d{1,2}|[a-h])\)?(?=$|[.,;:!)-])/i;
const YES =
  /^(?:y|yes|yep|yeah|yup|sure|ok(?:ay)?|go(?: ahead| on)?|do (?:it|that|so)|sounds good|please do|exactly|correct|lgtm|ja|jawohl|gerne|mach das|oui|d'accord|sí|vale|claro|sim|sì|да|давай|好的?|可以|是的?|行|はい|お願いします|네|좋아)(?=$|[\s.,;:!，。！])/i;

/** The request of a turn whose prompt is only an answer; "" for every other prompt. */
export function answeredRequest(turn: Turn): string {
  const said = oneLine(turn.prompt);
  if (said === "" || said.length > SHORT || !turn.previous) return "";
  const pick = pickIn(said, turn.previous);
  if (pick) return `“${said}” to: ${cutText(pick.option, OFFER_MAX)}`;
  const offer = YES.test(said) ? lastQuestion(turn.previous) : "";
  return offer ? `“${said}” to: ${cutText(offer, OFFER_MAX)}` : "";
}

/** A choice between ways is the user's decision, in the words of the way; what to do next is none. */
export function pickDraft(turn: Turn): ObservationDraft | null {
  const said = oneLine(turn.prompt);
  const event = turn.events.find((one) => one.kind === "prompt") ?? turn.events[0];
  if (!event || !turn.previous || said === "" || said.length > SHORT * 3) return null;
  const pick = pickIn(said, turn.previous);
  const question = lastQuestion(turn.previous);
  if (!pick || pick.others.length === 0 || ABOUT_PROCEEDING.test(question)) return null;
  return {
    ...draftOf(
      `decision:${hashOf(`${question}\n${pick.option}`)}`,
      turn.events.includes(event) ? [event] : [],
      {
        type: "decision",
        title: titleOf(pick.option),
        narrative: cutText(
          `${question ? `Asked: ${question} ` : ""}Picked “${pick.mark}”: ${pick.option} In the user's words: ${said}`,
          WORDS_MAX,
        ),
        facts: [cutText(`Not chosen: ${pick.others.map((other) => cutText(other, 80)).join("; ")}`, 300)],
        concepts: ["trade-off"],
        origin: "user",
      },
    ),
    at: event.at,
  };
}

/** `null` where the words pick nothing, or nothing was there to pick from. */
function pickIn(said: string, previous: string): Pick | null {
  const way = WAY.exec(said)?.[0] ?? "";
  const rest = said.slice(way.length);
  const mark = (way === "" ? BARE_MARK : MARK).exec(rest)?.[1]?.toLowerCase();
  if (!mark) return null;
  const options = lastOptions(previous);
  const option = options.get(mark);
  if (!option) return null;
  const others = [...options].filter(([other]) => other !== mark).map(([, text]) => text);
  return { mark, option, others };
}

const OPTION =
  /^\s{0,6}(?:[-*]\s+)?(?:#{1,6}\s+)?(?:\*\*)?\(?(?:option\s+|variante\s+)?(\d{1,2}|[a-h])[.):](?:\*\*)?\s+(.{3,600})$/i;

/** The last list of numbered or lettered options, by their marks. */
function lastOptions(message: string): Map<string, string> {
  let options = new Map<string, string>();
  for (const line of message.slice(-16_000).split("\n")) {
    const [, mark, text] = OPTION.exec(line) ?? [];
    if (!mark || !text) continue;
    const key = mark.toLowerCase();
    if (key === "1" || key === "a") options = new Map();
    options.set(key, withoutAdvice(plain(text.replace(/\*\*/g, ""))));
  }
  return options;
}

/** The last question of the message; "" where it asks none at its end. */
function lastQuestion(message: string): string {
  const prose = paragraphsOf(message.slice(-8_000)).filter((paragraph) => paragraph.kind !== "heading");
  const asked = prose.slice(-8).flatMap((paragraph) => sentencesOf(paragraph.text));
  return asked.findLast((sentence) => /[?？]["”)]*$/.test(sentence)) ?? "";
}
