/** What a turn leaves to do: said as such, planned and not done, or still broken. Offers and questions are none. */
import { cutText, sentencesOf } from "../../../core/text.ts";
import { shownCode, wrongWith } from "../checks.ts";
import type { Failure } from "../mending.ts";
import { stopped, unique } from "../words.ts";
import type { Paragraph } from "./closing.ts";
import type { Step } from "./plans.ts";
import { NEXT, OFFER } from "./signals.ts";

const NEXT_MAX = 400;
const STEPS_MAX = 5;
const HEADING =
  /^(?:(?:recommended |suggested |possible )?next steps?|remaining (?:work|steps?|tasks?|items|issues)|to-?dos?|follow-?ups?|what'?s (?:left|next|remaining)|still (?:open|to do)|open (?:items|points)|nächste schritte|noch offen|offene punkte|próximos pasos|pendientes?|prochaines étapes|reste à faire|próximos passos|prossimi passi|следующие шаги|осталось)(?![\p{L}])|下一步|待办|次のステップ|残り|今後|다음 단계|남은/iu;
/** Done already, or only pointing at a choice. */
const IS_NONE =
  /^(?:none|nothing|n\/a|keine|aucun|ninguno|no (?:further|other|remaining)|ready|done)\b|✅|^[-–—]+$/iu;

export function nextSteps(
  paragraphs: readonly Paragraph[],
  failures: readonly Failure[],
  planned: readonly Step[],
): string {
  const asks = paragraphs.some(
    (paragraph) =>
      HEADING.test(paragraph.heading) && /[?？]$/.test(paragraph.text) && OFFER.test(paragraph.text),
  );
  const said = paragraphs
    .filter((paragraph) => paragraph.kind !== "heading")
    .flatMap((paragraph) => {
      // Under a question the list is a choice put to the user.
      if (HEADING.test(paragraph.heading)) return asks ? [] : [paragraph.text];
      const sentences = paragraph.kind === "bullet" ? [paragraph.text] : sentencesOf(paragraph.text);
      return sentences.filter((text) => NEXT.test(text));
    })
    .filter((text) => !/[:?？：]$/.test(text) && !OFFER.test(text) && !IS_NONE.test(text));
  const open = planned.filter((step) => !step.done).map((step) => step.words);
  const red = failures.flatMap((failure) => {
    const last = failure.runs.at(-1);
    return failure.mended === null && last
      ? [`${shownCode(last)} still fails: ${cutText(wrongWith(last), 160)}`]
      : [];
  });
  return cutText(
    unique([...said.slice(0, STEPS_MAX), ...open.slice(0, STEPS_MAX), ...red])
      .map(stopped)
      .join(" "),
    NEXT_MAX,
  );
}
