/** A turn's summary: asked, looked into, learned, done, left to do. */
import type { SummaryDraft } from "../../../core/observation.ts";
import { cutText, oneLine } from "../../../core/text.ts";
import type { Turn } from "../../../core/turn.ts";
import { type Call, fileOf, filesRead } from "../call.ts";
import type { EditDraft } from "../code/edits.ts";
import type { GitDeed } from "../git.ts";
import { stringOf } from "../json.ts";
import type { Failure } from "../mending.ts";
import type { Passed } from "../passes.ts";
import { baseName } from "../paths.ts";
import { capital, counted, listed, stopped, unique } from "../words.ts";
import { isTurnedDown } from "./answers.ts";
import { isProposal, type Paragraph, paragraphsOf, proseSentences } from "./closing.ts";
import { closingPoint } from "./findings.ts";
import { nextSteps } from "./next-steps.ts";
import { withoutCode } from "./own-words.ts";
import { answeredRequest } from "./picks.ts";
import { stepsOf } from "./plans.ts";
import { insightsIn } from "./point.ts";
import { bareSentence, contentWords, isEmptyWords, marked, namesThing } from "./sentences.ts";
import { DONE, NEXT } from "./signals.ts";

export type Done = {
  calls: Call[];
  edits: EditDraft[];
  deeds: GitDeed[];
  failures: Failure[];
  passed: Passed | null;
};

const REQUEST_MAX = 300;
const INVESTIGATED_MAX = 300;
const LEARNED_MAX = 600;
const COMPLETED_MAX = 500;

/** Written by the host in the user's place when a hook stopped it. */
const STOPPED = /^Operation stopped by hook\b/;

/** `null` where the turn has not ended, ended without words, or wants no summary. */
export function summaryOf(turn: Turn, done: Done): SummaryDraft | null {
  const end = turn.events.findLast((event) => event.kind === "turn_end" || event.kind === "turn_failure");
  const message = typeof end?.body.message === "string" ? end.body.message : "";
  if (!end || end.agentId || end.body.summarize === false || message.trim() === "") return null;
  if (STOPPED.test(turn.prompt)) return null;
  const paragraphs = paragraphsOf(message.slice(0, 24_000));
  return {
    request: cutText(answeredRequest(turn), REQUEST_MAX) || requestOf(turn.prompt),
    investigated: investigated(turn, done.calls),
    learned: learned(paragraphs, turn, done.edits.length + done.deeds.length > 0),
    completed: completed(paragraphs, done),
    nextSteps: nextSteps(paragraphs, done.failures, stepsOf(done.calls)),
    notes: notes(turn, done.calls),
    filesRead: filesRead(done.calls, turn.root).slice(0, 50),
    filesEdited: done.edits.map((edit) => edit.path).slice(0, 100),
    at: end.at,
  };
}

function requestOf(prompt: string): string {
  const plan = /^implement the following plan:\s*#*\s*(?:plan:\s*)?(.{3,200})/i.exec(prompt)?.[1];
  if (plan) return cutText(`Implement the plan: ${oneLine(plan)}`, REQUEST_MAX);
  const prose = oneLine(
    withoutCode(prompt.slice(0, 32_768)).replace(
      /<([a-z][\w-]*)(?:\s[^>]{0,400})?>[\s\S]{0,4000}?<\/\1>/gi,
      " ",
    ),
  );
  return cutText(prose || oneLine(prompt.slice(0, 2_000)), REQUEST_MAX);
}

/** What was read; patterns searched for say something only where nothing was read. */
function investigated(turn: Turn, calls: readonly Call[]): string {
  const files = filesRead(calls, turn.root);
  if (files.length > 0) return capital(cutText(`Read ${listed(files, 4)}`, INVESTIGATED_MAX));
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
  return searched.length > 0 ? cutText(`Searched for ${listed(searched, 2)}`, INVESTIGATED_MAX) : "";
}

/** The message's point where the turn was to find something out, and what it says of causes and traps. */
function learned(paragraphs: readonly Paragraph[], turn: Turn, worked: boolean): string {
  const point = worked ? "" : closingPoint(paragraphs, turn.prompt);
  const insights = insightsIn(paragraphs, false).filter((text) => !point.includes(text) && !NEXT.test(text));
  const told = [point, ...insights].filter((text) => text !== "" && !isEmptyWords(text));
  return cutText(
    unique(told)
      .slice(0, 3)
      .map((text) => stopped(marked(text, 300)))
      .join(" "),
    LEARNED_MAX,
  );
}

/** The assistant's own claim where events bear it out, then what the events say. */
function completed(paragraphs: readonly Paragraph[], done: Done): string {
  const facts = doneFacts(done);
  if (facts.length === 0) return "";
  const own = claimIn(paragraphs, done);
  // What the assistant's sentence quotes (a commit's subject) need not be said a second time.
  const quoted = (fact: string) => /“([^”]{4,})”/.exec(fact)?.[1];
  const more = facts.filter((fact) => own === "" || !quoted(fact) || !own.includes(quoted(fact) ?? ""));
  return cutText(unique([own, ...more].filter((part) => part !== "").map(stopped)).join(" "), COMPLETED_MAX);
}

/** The first sentence that claims a deed; none that says checks pass, which the events know better. */
export function claimIn(
  paragraphs: readonly Paragraph[],
  done: Pick<Done, "edits" | "deeds" | "failures">,
): string {
  const red = done.failures.some((failure) => failure.mended === null);
  const names = done.edits
    .flatMap((edit) => [baseName(edit.path), ...edit.change.names.map((name) => name.name)])
    .filter((name) => name.length > 3);
  const isBorneOut = (text: string) =>
    done.edits.length > 0
      ? names.some((name) => text.includes(name)) || OPENS_CLAIM.test(text)
      : done.deeds.length > 0;
  const bullets = paragraphs.filter((paragraph) => paragraph.kind === "bullet" && !isProposal(paragraph));
  const said = [
    ...proseSentences(paragraphs).filter((sentence) => !sentence.proposed),
    ...bullets.filter((bullet) => DONE.test(bullet.text.slice(0, 30))),
  ];
  const claim = said
    .map((sentence) => bareSentence(sentence.text))
    .find(
      (text) =>
        text.length > 24 &&
        (namesThing(text) || contentWords(text) >= 5) &&
        DONE.test(text) &&
        !SAYS_GREEN.test(text) &&
        !/[:：?？]$/.test(text) &&
        !isEmptyWords(text) &&
        !(red && /\bpass(?:es|ed|ing)?\b/i.test(text)) &&
        isBorneOut(text),
    );
  return claim ?? "";
}

const SAYS_GREEN = /\b(?:tests?|lint\w*|checks?|builds?)\b.*\b(?:pass|clean|green|succe)/i;
const OPENS_CLAIM =
  /^(?:the|all|both|now|added|fixed|updated|removed|created|changed|renamed|moved|refactored|replaced|extracted|simplified|implemented|\p{L}+(?:é|ado|ido|ato|ito|t|en))(?![\p{L}])/iu;

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
  if (done.passed) facts.push(capital(done.passed.words.join("; ")));
  return facts;
}

function notes(turn: Turn, calls: readonly Call[]): string {
  const failed = turn.events.findLast((event) => event.kind === "turn_failure");
  if (failed)
    return cutText(`Ended with an error: ${oneLine(stringOf(failed.body.error)) || "unknown"}`, 200);
  const refused = calls.filter(isTurnedDown).map((call) => `${call.tool} ${fileOf(call, turn.root)}`.trim());
  if (refused.length > 0) return cutText(`The user turned down ${listed(unique(refused), 3)}.`, 200);
  return turn.events.some((event) => event.body.interrupted === true)
    ? "A call was interrupted by the user."
    : "";
}
