/** A turn's summary: asked, looked into, learned, done, left to do. */
import type { SummaryDraft } from "../../core/observation.ts";
import { cutText, oneLine, sentencesOf } from "../../core/text.ts";
import type { Turn } from "../../core/turn.ts";
import { type Call, fileOf, filesRead } from "./call.ts";
import type { Failure } from "./checks.ts";
import { shownCode, wrongWith } from "./checks.ts";
import { isEmptyWords, marked, type Paragraph, paragraphsOf, proseSentences, saysWhy } from "./closing.ts";
import type { EditDraft } from "./edits.ts";
import type { GitDeed } from "./git.ts";
import { stringOf } from "./json.ts";
import { withoutCode } from "./own-words.ts";
import { baseName } from "./paths.ts";
import { capital, counted, listed, unique } from "./words.ts";

export type Done = {
  calls: Call[];
  edits: EditDraft[];
  deeds: GitDeed[];
  failures: Failure[];
  passed: string;
};

const REQUEST_MAX = 300;
const LEARNED_MAX = 600;
const COMPLETED_MAX = 500;
const NEXT_MAX = 400;

/** `null` where the turn has not ended, ended without words, or wants no summary. */
export function summaryOf(turn: Turn, done: Done): SummaryDraft | null {
  const end = turn.events.findLast((event) => event.kind === "turn_end" || event.kind === "turn_failure");
  const message = typeof end?.body.message === "string" ? end.body.message : "";
  if (!end || end.agentId || end.body.summarize === false || message.trim() === "") return null;
  const paragraphs = paragraphsOf(message.slice(0, 24_000));
  return {
    request: requestOf(turn.prompt),
    investigated: investigated(turn, done.calls),
    learned: learned(paragraphs),
    completed: completed(paragraphs, done),
    nextSteps: nextSteps(paragraphs, done.failures),
    notes: notes(turn),
    filesRead: filesRead(done.calls, turn.root).slice(0, 50),
    filesEdited: done.edits.map((edit) => edit.path).slice(0, 100),
    at: end.at,
  };
}

function requestOf(prompt: string): string {
  const prose = oneLine(
    withoutCode(prompt.slice(0, 32_768)).replace(/<([a-z][\w-]*)(?:\s[^>]*)?>[\s\S]{0,4000}?<\/\1>/gi, " "),
  );
  return cutText(prose || oneLine(prompt.slice(0, 2_000)), REQUEST_MAX);
}

function investigated(turn: Turn, calls: readonly Call[]): string {
  const files = filesRead(calls, turn.root);
  const searched = unique(
    calls.flatMap((call) => {
      if (!/^(?:Grep|Glob)$/.test(call.tool)) return [];
      const pattern = oneLine(stringOf(call.input.pattern));
      const where = fileOf(call, turn.root);
      return pattern
        ? [`\`${cutText(pattern, 40)}\`${where && where !== turn.root ? ` in ${where}` : ""}`]
        : [];
    }),
  );
  const parts = [
    files.length > 0 ? `Read ${listed(files, 6)}` : "",
    searched.length > 0 ? `searched for ${listed(searched, 3)}` : "",
  ];
  return capital(cutText(parts.filter((part) => part !== "").join("; "), 400));
}

function learned(paragraphs: readonly Paragraph[]): string {
  const said = proseSentences(paragraphs).map((sentence) => sentence.text);
  const bullets = paragraphs
    .filter((paragraph) => paragraph.kind === "bullet")
    .map((paragraph) => paragraph.text);
  const telling = unique([...said, ...bullets]).filter(
    (text) => saysWhy(text) && !isEmptyWords(text) && !/:$/.test(text) && !NEXT.test(text),
  );
  return cutText(
    telling
      .slice(0, 4)
      .map((text) => marked(text, 300))
      .join(" "),
    LEARNED_MAX,
  );
}

const DONE_WORDS =
  /\b(?:added|changed|updated|fixed|created|removed|renamed|moved|replaced|refactored|implemented|now (?:\w+s|shows?|uses?|returns?)|pass(?:es|ed)?|committed|merged|works?|extracted|simplified|hinzugefügt|geändert|behoben|agregué|añadí|ajouté|corrigé)\b|已|修复|完成|追加|修正|しました/i;

/** The assistant's own sentence where events bear it out, then what the events say. */
function completed(paragraphs: readonly Paragraph[], done: Done): string {
  const facts = doneFacts(done);
  if (facts.length === 0) return "";
  const red = done.failures.some((failure) => failure.mended === null);
  const names = done.edits
    .flatMap((edit) => [baseName(edit.path), ...edit.change.names.map((name) => name.name)])
    .filter((name) => name.length > 3);
  const own = proseSentences(paragraphs)
    .map((sentence) => sentence.text.replace(/^(?:done|perfect|great|excellent)[.!,:]?\s+/i, ""))
    .find(
      (text) =>
        text.length > 24 &&
        DONE_WORDS.test(text) &&
        !/\b(?:tests?|lint\w*|checks?)\b.*\b(?:pass|clean|green)/i.test(text) &&
        !/[:?]$/.test(text) &&
        !isEmptyWords(text) &&
        !(red && /\bpass(?:es|ed|ing)?\b/i.test(text)) &&
        (done.edits.length > 0
          ? names.some((name) => text.includes(name)) ||
            /^(?:the|all|both|i|now|added|fixed|updated|removed)\b/i.test(text)
          : done.deeds.length > 0),
    );
  // What the assistant's sentence quotes (a commit's subject) need not be said a second time.
  const quoted = (fact: string) => /“([^”]{4,})”/.exec(fact)?.[1];
  const more = facts.filter((fact) => !own || !quoted(fact) || !own.includes(quoted(fact) ?? ""));
  return cutText(
    unique([own ?? "", ...more].filter((part) => part !== ""))
      .map(stopped)
      .join(" "),
    COMPLETED_MAX,
  );
}

function stopped(sentence: string): string {
  return /[.!?。]$/.test(sentence) ? capital(sentence) : `${capital(sentence)}.`;
}

function doneFacts(done: Done): string[] {
  const facts: string[] = [];
  const { edits, deeds } = done;
  if (edits.length === 1) facts.push(edits[0]?.draft.title ?? "");
  else if (edits.length > 1)
    facts.push(
      `changed ${counted(edits.length, "file")}: ${listed(
        edits.map((edit) => edit.path),
        5,
      )}`,
    );
  if (deeds.length > 0)
    facts.push(
      unique(deeds.map((deed) => deed.words))
        .slice(0, 4)
        .join(", "),
    );
  if (done.passed) facts.push(done.passed);
  return facts;
}

const NEXT_HEADING =
  /^(?:(?:recommended |suggested )?next steps?|remaining (?:work|steps?|tasks?|items)|to-?dos?|follow-?ups?|what'?s (?:left|next|remaining)|nächste schritte|noch offen|próximos pasos|prochaines étapes)\b|下一步|次のステップ|残り/i;
const NEXT =
  /\b(?:next steps?|next,? (?:we|you|i)\b|remaining (?:work|steps?|tasks?|items)|todo:|still (?:needs?|have|has) to|still todo|follow-?up (?:work|steps?|tasks?)|left to do|you(?:'ll| will)? (?:need|may want|might want) to|nächste schritte|noch offen|próximos pasos|prochaines étapes)|下一步|次のステップ|残り/i;

function nextSteps(paragraphs: readonly Paragraph[], failures: readonly Failure[]): string {
  const steps = paragraphs
    .filter((paragraph) => paragraph.kind !== "heading")
    .flatMap((paragraph) => {
      if (NEXT_HEADING.test(paragraph.heading)) return [paragraph.text];
      const sentences = paragraph.kind === "bullet" ? [paragraph.text] : sentencesOf(paragraph.text);
      return sentences.filter((text) => NEXT.test(text) && !/[:?]$/.test(text));
    });
  const red = failures.flatMap((failure) => {
    const last = failure.runs.at(-1);
    return failure.mended === null && last
      ? [`${shownCode(last)} still fails: ${cutText(wrongWith(last), 160)}`]
      : [];
  });
  return cutText(
    unique([...steps.slice(0, 5), ...red])
      .map(stopped)
      .join(" "),
    NEXT_MAX,
  );
}

function notes(turn: Turn): string {
  const failed = turn.events.findLast((event) => event.kind === "turn_failure");
  if (failed)
    return cutText(`Ended with an error: ${oneLine(stringOf(failed.body.error)) || "unknown"}`, 200);
  return turn.events.some((event) => event.body.interrupted === true)
    ? "A call was interrupted by the user."
    : "";
}
