/** A turn into a few observations and a summary, by rules alone: works without a model, a key or a network. */
import type { ObservationDraft } from "../../core/observation.ts";
import { cutText, firstSentence } from "../../core/text.ts";
import type { Compressed, Compressor, Turn } from "../../core/turn.ts";
import { agentDrafts } from "./agents.ts";
import { runsOf } from "./bash.ts";
import { callsOf } from "./call.ts";
import { checkFailures, failureDrafts } from "./checks.ts";
import { closingOf, paragraphsOf, wordsAbout } from "./closing.ts";
import { decisionDrafts } from "./decisions.ts";
import { deedsDraft } from "./deeds.ts";
import { type EditDraft, editDrafts, foldEdits, weightOf } from "./edits.ts";
import { otherFailures } from "./failures.ts";
import { findingDraft } from "./findings.ts";
import { gitDeeds, gitDraft, installDraft } from "./git.ts";
import { mergeAlike } from "./merge.ts";
import { ownWords } from "./own-words.ts";
import { passDraft } from "./passes.ts";
import { baseName } from "./paths.ts";
import { summaryOf } from "./summary.ts";
import { webDrafts } from "./web.ts";

/** A turn's observations at most: more would bury what matters. */
const DRAFTS_MAX = 12;
/** However much else happened, the weightiest edits keep an observation of their own. */
const EDITS_MIN = 4;

/**
 * Pure and deterministic; never throws, whatever the events hold. The units of observations stay the same when
 * later events of the turn arrive, except that edits of little weight may fold into one.
 */
export const compressLocally: Compressor = (turn) => {
  const calls = callsOf(turn);
  const runs = runsOf(calls);
  const eventAt = new Map(turn.events.map((event) => [event.id, event.at]));
  const edits = withReasons(turn, editDrafts(turn, calls));
  const failures = checkFailures(runs);
  const deeds = gitDeeds(runs);
  const passed = passDraft(runs, failures);
  const work = [
    ...failureDrafts(failures, edits, eventAt),
    ...otherFailures(calls, runs, edits, eventAt),
    gitDraft(deeds),
    installDraft(runs),
    deedsDraft(calls, runs, turn.root),
  ].filter((draft) => draft !== null);
  const isResearch = edits.length === 0 && !work.some((draft) => draft.type !== "discovery");
  const rest = [
    ...decisionDrafts(turn),
    ...work,
    passed,
    ...agentDrafts(turn, calls),
    isResearch ? findingDraft(turn, calls) : null,
    ...webDrafts(calls),
  ].filter((draft) => draft !== null);
  const summary = summaryOf(turn, { calls, edits, deeds, failures, passed: passed?.title ?? "" });
  return { observations: arranged(edits, rest), summary } satisfies Compressed;
};

/** Gives each edit the assistant's closing words about it, or else what it was asked for. */
function withReasons(turn: Turn, edits: EditDraft[]): EditDraft[] {
  const paragraphs = paragraphsOf(closingOf(turn)?.text ?? "");
  const asked = cutText(askedIn(turn.prompt), 200);
  return edits.map((edit) => {
    const names = [
      baseName(edit.path),
      ...edit.change.names.filter((name) => name.kind !== "key").map((name) => name.name),
    ];
    const said = wordsAbout(paragraphs, names, 400);
    const narrative = said ? `The assistant at the end: ${said}` : asked ? `Asked for: ${asked}` : "";
    return {
      ...edit,
      draft: { ...edit.draft, narrative },
    };
  });
}

/** The first sentence that asks for something; "" where the prompt only nods ("yes, do it"). */
function askedIn(prompt: string): string {
  const words = firstSentence(ownWords(prompt));
  return /\s\S+\s+\S/.test(words) || /[\u3040-\u9fff]{4}/.test(words) ? words : "";
}

function arranged(edits: readonly EditDraft[], rest: readonly ObservationDraft[]): ObservationDraft[] {
  const kept = mergeAlike(rest);
  const room = Math.max(EDITS_MIN, DRAFTS_MAX - kept.length);
  const drafts = [...shownEdits(edits, room), ...kept];
  return drafts.sort((one, other) => one.at - other.at || (one.unit < other.unit ? -1 : 1));
}

function shownEdits(edits: readonly EditDraft[], room: number): ObservationDraft[] {
  if (edits.length <= room) return edits.map((edit) => edit.draft);
  const byWeight = [...edits].sort(
    (one, other) => weightOf(other) - weightOf(one) || (one.path < other.path ? -1 : 1),
  );
  const folded = new Set(byWeight.slice(room - 1));
  return [
    ...edits.filter((edit) => !folded.has(edit)).map((edit) => edit.draft),
    foldEdits(edits.filter((edit) => folded.has(edit))),
  ];
}
