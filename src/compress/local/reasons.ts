/** Edits beside what was said of them: the assistant's closing words, or what was asked for. */
import type { ObservationDraft } from "../../core/observation.ts";
import { cutText, firstSentence } from "../../core/text.ts";
import type { Turn } from "../../core/turn.ts";
import { type EditDraft, weightOf } from "./code/edits.ts";
import { baseName, classOf } from "./paths.ts";
import { type Paragraph, wordsAbout } from "./talk/closing.ts";
import { ownWords } from "./talk/own-words.ts";
import { problemIn, type Told } from "./talk/problem.ts";
import { bareSentence, contentWords, pointsBack } from "./talk/sentences.ts";
import { claimIn } from "./talk/summary.ts";
import { stopped, TITLE_MAX, titleOf } from "./words.ts";

/** A title that shows code for want of a name, or names without what became of them. */
const POOR =
  /^Edited \S+: `|^Edited \S+(?: \(|$)|^\S+ (?:now (?:calls|says)|calls|no longer calls) |^Changed `[^`]*` to `[^`]*` in [^ ]+$|…`$|^Changed [\w, ]+ in \S+$/;
const SUBTITLE_MAX = 160;
const CLAIM_MAX = 120;

/** Gives each edit the assistant's words about it, or else what it was asked for; a poor title gives way to them. */
export function withReasons(
  turn: Turn,
  paragraphs: readonly Paragraph[],
  edits: readonly EditDraft[],
): EditDraft[] {
  const asked = cutText(askedIn(turn.prompt), 200);
  const sources = edits.filter((edit) => classOf(edit.path) === "source");
  const claim = claimIn(paragraphs, { edits: [...edits], deeds: [], failures: [] });
  const told = problemIn(paragraphs);
  const main = sources.reduce<EditDraft | null>(
    (best, one) => (best === null || weightOf(one) > weightOf(best) ? one : best),
    null,
  );
  return edits.map((edit) => {
    const names = [
      baseName(edit.path),
      ...edit.change.names.filter((name) => name.kind !== "key").map((name) => name.name),
    ];
    const isOnly = sources.length === 1 && edit === main;
    const said = wordsAbout(paragraphs, names, 400) || (isOnly || edits.length === 1 ? claim : "");
    const narrative = said ? `The assistant at the end: ${said}` : asked ? `Asked for: ${asked}` : "";
    const title =
      (isOnly ? claimTitle(edit, claim) : "") || (POOR.test(edit.draft.title) ? toldBy(edit.path, said) : "");
    // What the turn's main edit was made for stands beside what was said of it.
    const subtitle = edit === main && said ? cutText(asked, SUBTITLE_MAX) : "";
    const draft = { ...edit.draft, narrative, subtitle, ...(title ? { title } : {}) };
    return { ...edit, draft: edit === main ? withProblem(draft, told, edit.path) : draft };
  });
}

/** The heaviest edit of a turn that tells a problem and its fix carries both. */
function withProblem(draft: ObservationDraft, { problem, fix }: Told, path: string): ObservationDraft {
  if (problem === "" || fix === "") return draft;
  const title = ACTS.test(fix) ? fitted(fix, path) : "";
  return {
    ...draft,
    type: "bugfix",
    ...(title ? { title } : {}),
    narrative: cutText(`Problem: ${stopped(problem)} Fix: ${stopped(fix)}`, 600),
    concepts: ["problem-solution", "what-changed"],
  };
}

/** Says what was done or is now so. */
const ACTS =
  /^(?:[^.!?]{0,40}\b(?:added|fixed|removed|changed|updated|renamed|replaced|refactored|extracted|simplified|introduced|switched|converted|now|protects?|stops?)\b|(?:always|use|skip|check|return|pass|make|keep|store|add|move|replace|clear|reset)s?\b)/iu;
/** Housekeeping that no one would tell. */
const TRIFLE = /\bimports?\b|\bcommitted\b|\btests? (?:added|pass)/i;

/** What the only source's edit came to, where the assistant says it in a sentence of substance. */
function claimTitle(edit: EditDraft, claim: string): string {
  const isTold = edit.change.created || edit.change.wrote || edit.change.swap !== null;
  const says = ACTS.test(claim) && !TRIFLE.test(claim) && contentWords(claim) >= 5 && !pointsBack(claim);
  return isTold || !says || !isAbout(edit, claim) ? "" : fitted(claim, edit.path);
}

/** Whether names of code in the claim are found in the edit, and no other file is named. */
function isAbout({ path, change }: EditDraft, claim: string): boolean {
  const files = claim.match(/[\w-]+\.(?:go|ts|tsx|js|py|rs|java|rb|md|json|ya?ml|toml|sh|css)\b/g) ?? [];
  if (files.some((file) => file !== baseName(path))) return false;
  const named = [...claim.matchAll(/`([^`]{2,60})`/g)].map(([, code = ""]) => code.replace(/\(.*$/, ""));
  const text = [...change.names.map((name) => name.name), ...change.plus, ...change.minus].join("\n");
  return named.length === 0 || named.some((name) => text.includes(name));
}

/** The sentence with the file's name behind it; "" where it does not fit on one line. */
function fitted(sentence: string, path: string): string {
  const words = sentence.replace(/[.。]$/, "");
  const name = baseName(path);
  const title = words.includes(name) ? words : `${words} (${name})`;
  return title.length <= TITLE_MAX ? titleOf(title) : "";
}

/** The first thing said, with the file's name before it where it does not stand in it. */
function toldBy(path: string, said: string): string {
  const words = bareSentence(firstSentence(said));
  const name = baseName(path);
  const bare = words.replace(/^`?[\w./-]+\.\w{1,5}`?(?::[\d-]+)?\s*[-–—:]\s*/, "").replace(/[.。]$/, "");
  if (TRIFLE.test(bare) || contentWords(bare) < 4 || bare.length > CLAIM_MAX || pointsBack(bare)) return "";
  const title = words.includes(name) ? words.replace(/[.。]$/, "") : `${name}: ${bare}`;
  return title.length <= TITLE_MAX + 20 ? titleOf(title) : "";
}

/** The first sentence that asks for something; "" where the prompt only nods ("yes, do it"). */
function askedIn(prompt: string): string {
  const words = firstSentence(ownWords(prompt));
  return contentWords(words) >= 4 ? words : "";
}
