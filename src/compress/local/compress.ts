/** A turn into a few observations and a summary, by rules alone: works without a model, a key or a network. */
import type { ObservationDraft } from "../../core/observation.ts";
import type { Compressed, Compressor } from "../../core/turn.ts";
import { agentDrafts } from "./agents.ts";
import { runsOf } from "./bash.ts";
import { callsOf } from "./call.ts";
import { checkFailures, failureDrafts } from "./checks.ts";
import { type EditDraft, editDrafts, foldEdits, weightOf } from "./code/edits.ts";
import { familiesOf } from "./code/families.ts";
import { deedsDraft } from "./deeds.ts";
import { otherFailures } from "./failures.ts";
import { type GitDeed, gitDeeds, gitDraft, installDraft } from "./git.ts";
import { filesOfGit } from "./git-files.ts";
import { mergeAlike } from "./merge.ts";
import { type Passed, passDraft, passedChecks, verifiedFact } from "./passes.ts";
import { withReasons } from "./reasons.ts";
import { isStumble, type StumbleNote, stumbleNotes } from "./stumbles.ts";
import { aimOf, faultsIn } from "./talk/aim.ts";
import { answerDrafts } from "./talk/answers.ts";
import { closingOf, paragraphsOf } from "./talk/closing.ts";
import { decisionDrafts } from "./talk/decisions.ts";
import { findingDraft, insightDraft } from "./talk/findings.ts";
import { pickDraft } from "./talk/picks.ts";
import { planDraft } from "./talk/plans.ts";
import { insightsIn } from "./talk/point.ts";
import { summaryOf } from "./talk/summary.ts";
import { webDrafts } from "./web.ts";
import { unique } from "./words.ts";

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
  const closing = closingOf(turn)?.text ?? "";
  const paragraphs = paragraphsOf(closing);
  const causes = insightsIn(paragraphs);
  const aim = aimOf(turn.prompt, closing);
  const edits = withReasons(turn, paragraphs, editDrafts(turn, calls, aim, faultsIn(causes)));
  const failures = checkFailures(runs);
  const stumbles = failures.filter((failure) => isStumble(failure, edits, turn.prompt));
  const problems = failures.filter((failure) => !stumbles.includes(failure));
  const deeds = gitDeeds(runs);
  const passed = passedChecks(runs, failures);
  const edited = new Set(edits.map((edit) => edit.path));
  const work = [
    ...failureDrafts(problems, edits, eventAt, causes),
    ...otherFailures(calls, runs, edits, eventAt),
    gitDraft(deeds, filesOfGit(runs, turn.root)),
    installDraft(runs),
    deedsDraft(calls, runs, turn.root, edited),
  ].filter((draft) => draft !== null);
  // Switching branches and running things is part of finding out; a commit or another lasting deed is not.
  const isResearch =
    edits.length === 0 &&
    !deeds.some((deed) => /^(?:committed|amended|opened|merged)/.test(deed.words)) &&
    !work.some((draft) => draft.type !== "discovery" && draft.unit !== "run:git");
  const said = isResearch ? findingDraft(turn, calls) : insightDraft(turn, calls);
  const summary = summaryOf(turn, { calls, edits, deeds, failures, passed });
  const rest = [
    ...decisionDrafts(turn),
    pickDraft(turn),
    ...answerDrafts(calls),
    planDraft(calls, outcomesOf(edits, deeds, passed)),
    ...work,
    ...agentDrafts(turn, calls),
    said,
    ...webDrafts(calls),
  ].filter((draft) => draft !== null);
  const families = withNotes(familiesOf(edits), stumbleNotes(stumbles, edits, eventAt));
  const told = withVerdicts(families, withoutMereRuns(mergeAlike(rest), edits.length > 0), passed);
  return { observations: arranged(told.families, told.rest), summary } satisfies Compressed;
};

/** Having run something is told only where nothing else is. */
function withoutMereRuns(drafts: ObservationDraft[], edited: boolean): ObservationDraft[] {
  const isMereRun = (draft: ObservationDraft) => draft.unit === "run:other" && draft.type === "discovery";
  return edited || drafts.length > 1 ? drafts.filter((draft) => !isMereRun(draft)) : drafts;
}

/** What a plan came to, in a few words. */
function outcomesOf(edits: readonly EditDraft[], deeds: readonly GitDeed[], passed: Passed | null): string[] {
  const titles = edits.length > 3 ? [`changed ${edits.length} files`] : edits.map((edit) => edit.draft.title);
  const commits = deeds.map((deed) => deed.words).slice(0, 3);
  return [...titles, ...commits, ...(passed ? [passed.short] : [])];
}

/** Slips on the way stand as facts with the edit that mended them. */
function withNotes(families: EditDraft[], notes: readonly StumbleNote[]): EditDraft[] {
  return families.map((family) => {
    const own = notes.filter((note) => family.paths.includes(note.path));
    if (own.length === 0) return family;
    const facts = [...family.draft.facts, ...own.map((note) => note.words)];
    const evidence = unique([...family.draft.evidence, ...own.flatMap((note) => note.evidence)]);
    return { ...family, draft: { ...family.draft, facts, evidence } };
  });
}

type Told = { families: EditDraft[]; rest: ObservationDraft[] };

/** Checks that pass are a fact of the work they verify; alone they are told only where nothing else is. */
function withVerdicts(families: EditDraft[], rest: ObservationDraft[], passed: Passed | null): Told {
  if (!passed) return { families, rest };
  const verified = (draft: ObservationDraft): ObservationDraft => ({
    ...draft,
    facts: [...draft.facts, verifiedFact(passed)],
    evidence: unique([...draft.evidence, ...passed.runs.map((run) => run.call.id)]),
  });
  const last = families.reduce<EditDraft | null>(
    (newest, one) => (newest === null || one.draft.at >= newest.draft.at ? one : newest),
    null,
  );
  if (last)
    return {
      families: families.map((one) => (one === last ? { ...one, draft: verified(one.draft) } : one)),
      rest,
    };
  const bearer = ["run:git", "run:install", "run:other", "finding"]
    .map((unit) => rest.find((draft) => draft.unit === unit))
    .find((draft) => draft !== undefined);
  if (bearer) return { families, rest: rest.map((draft) => (draft === bearer ? verified(draft) : draft)) };
  const isTold = rest.some((draft) => draft.unit.startsWith("failure:") || draft.unit.startsWith("agent:"));
  return { families, rest: isTold ? rest : [...rest, passDraft(passed)] };
}

function arranged(edits: readonly EditDraft[], rest: readonly ObservationDraft[]): ObservationDraft[] {
  const room = Math.max(EDITS_MIN, DRAFTS_MAX - rest.length);
  const drafts = [...shownEdits(edits, room), ...rest];
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
