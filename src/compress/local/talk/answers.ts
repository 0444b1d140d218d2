/** What the user said in answer to a question of the agent's, or when turning a step down. */
import type { ObservationDraft } from "../../../core/observation.ts";
import { cutText, oneLine, sentencesOf } from "../../../core/text.ts";
import { type Call, draftOf } from "../call.ts";
import { listOf, objectOf, stringOf } from "../json.ts";
import { hashOf, TITLE_MAX, titleOf } from "../words.ts";

const DRAFTS_MAX = 6;
const WORDS_MAX = 1_000;
/** How the host opens the error of a call that the user turned down; only there the user's words follow. */
const TURNED_DOWN = /^(?:The user doesn['’]t want to (?:proceed|take this action)|User rejected)/;
const SAID = /(?:the user said|the user's feedback|user feedback):\s*([\s\S]{1,4000})$/i;
/** Asked about the work's next step, not about the thing made. */
export const ABOUT_PROCEEDING =
  /\b(?:what would you like (?:me )?to do|what (?:should|do) (?:i|we) do next|how would you like to proceed|what'?s next|do next|ready to|shall (?:i|we) (?:proceed|continue|start))\b/i;
/** Words that say how it should be. */
const DIRECTS =
  /\b(?:should|must|want|prefer|instead|rather|not|don'?t|no|never|always|only|use|keep|drop|just|soll\w*|nicht|statt|lieber|no|usar?|quiero|pas|plutôt|veux|não|quero|non|voglio|нужно|хочу|не)\b|不|要|用|ない|して|말고|대신/iu;

/** In order of being said. */
export function answerDrafts(calls: readonly Call[]): ObservationDraft[] {
  const drafts = calls.flatMap((call) =>
    call.tool === "AskUserQuestion" ? chosen(call) : call.failed ? turnedDown(call) : [],
  );
  return drafts.slice(0, DRAFTS_MAX);
}

function chosen(call: Call): ObservationDraft[] {
  if (call.failed) return turnedDown(call);
  const response = objectOf(call.response);
  const asked = new Map(
    listOf(call.input.questions).map((one) => {
      const question = objectOf(one);
      const options = listOf(question.options).map((option) =>
        withoutAdvice(stringOf(objectOf(option).label)),
      );
      return [stringOf(question.question), options] as const;
    }),
  );
  return Object.entries(objectOf(response.answers)).flatMap(([question, answer]) => {
    const words = withoutAdvice(oneLine(stringOf(answer)));
    if (words === "" || question.trim() === "" || ABOUT_PROCEEDING.test(question)) return [];
    const others = (asked.get(question) ?? []).filter((label) => label !== "" && !words.includes(label));
    const room = TITLE_MAX - Math.min(words.length, 60) - 3;
    return [
      draftOf(`decision:${hashOf(question)}`, [call], {
        type: "decision",
        title: titleOf(`${cutText(oneLine(question), Math.max(40, room))} → ${words}`),
        narrative: cutText(`Asked: ${oneLine(question)} Answered: ${words}`, WORDS_MAX),
        facts: others.length > 0 ? [cutText(`Not chosen: ${others.join("; ")}`, 300)] : [],
        concepts: ["trade-off"],
        origin: "user",
      }),
    ];
  });
}

/** An option without the assistant's advice on it. */
export function withoutAdvice(option: string): string {
  return option
    .replace(
      /\s*[([](?:my |strongly )?(?:recommended|recommendation|empfohlen|recomendad[oa]|recommandée?|consigliat[oa]|推荐|推奨|추천)[)\]]/giu,
      "",
    )
    .trim();
}

/** The call was turned down by the user, with or without words. */
export function isTurnedDown(call: Call): boolean {
  return call.failed && !call.tool.startsWith("mcp__") && TURNED_DOWN.test(call.output);
}

function turnedDown(call: Call): ObservationDraft[] {
  if (!isTurnedDown(call)) return [];
  const said = (SAID.exec(call.output.slice(0, 6_000))?.[1] ?? "").trim();
  const words = sentencesOf(said)
    .filter((sentence) => !/[?？][)"]*$/.test(sentence) && DIRECTS.test(sentence))
    .join(" ");
  const plain = oneLine(words);
  if (plain.split(" ").length < 5 && !/[\u3040-\u9fff\uac00-\ud7af]{5}/.test(plain)) return [];
  return [
    draftOf(`decision:${hashOf(plain)}`, [call], {
      type: "decision",
      title: titleOf(plain),
      narrative: cutText(words, WORDS_MAX),
      facts: [`Said when turning down ${call.tool}`],
      concepts: ["why-it-exists"],
      origin: "user",
    }),
  ];
}
