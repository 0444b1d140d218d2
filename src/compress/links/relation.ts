/** What a newer observation is to an older one. Pure; reads nothing but the two. */
import type { SupersededHow } from "../../core/observation.ts";
import { sentencesOf } from "../../core/text.ts";
import type { Note } from "../../store/links.ts";
import {
  failingNames,
  isClaim,
  isEdit,
  isFailure,
  isHypothesis,
  isOpenFailure,
  isPass,
  isPlan,
  isUserDecision,
  passedChecks,
} from "../note-kinds.ts";
import { heldIn, isCodeTerm, isDenial, isUnspaced, likeness, numbersIn, termsOf } from "../terms.ts";
import { isDecidedOtherwise, SAME_WORDS } from "./decisions-replaced.ts";
import { continuesPlan, isSettledBy } from "./settled.ts";
import { commitsIn, ownTerms, textOf, undoes } from "./subjects.ts";

const DAY_MS = 86_400_000;

/** How `newer` stands for `older`; `null` where both stand. What is in doubt is left to stand. */
export function relationOf(older: Note, newer: Note): SupersededHow | null {
  if (newer.at <= older.at || isSameTurn(older, newer)) return null;
  if (older.pinned || older.source === "manual") return isReplacedRule(older, newer) ? "corrected" : null;
  if (isSettledBy(older, newer)) return "settled";
  if (isReplacedRule(older, newer) || isUndone(older, newer)) return "corrected";
  // "It is probably not X" is borne out by what takes X back.
  if (isCorrected(older, newer))
    return isHypothesis(older) && isDenial(older.title) ? "confirmed" : "corrected";
  if (isConfirmed(older, newer)) return "confirmed";
  return isRepeated(older, newer) ? "repeated" : null;
}

function isSameTurn(one: Note, other: Note): boolean {
  return one.sessionRowId === other.sessionRowId && one.promptNumber === other.promptNumber;
}

function isReplacedRule(older: Note, newer: Note): boolean {
  return isUserDecision(older) && isUserDecision(newer) && isDecidedOtherwise(older, newer);
}

/** Undone: an edit of the turn before, or a commit, where the older note is about that commit alone. */
function isUndone(older: Note, newer: Note): boolean {
  const isNext =
    older.sessionRowId === newer.sessionRowId && (newer.promptNumber ?? 0) - (older.promptNumber ?? 0) === 1;
  if (isEdit(older)) {
    const path = older.filesModified[0];
    return isNext && undoes(newer) && path !== undefined && newer.filesModified.includes(path);
  }
  if (older.unit !== "run:git" || newer.unit !== "run:git") return false;
  const made = commitsIn(older);
  const undone = [newer.title, ...newer.facts]
    .join("\n")
    .match(/\breverted ([0-9a-f]{7})/gi)
    ?.map((found) => found.slice(-7).toLowerCase());
  const isLast = isNext && /\breverted HEAD(?![~^\w])/i.test(newer.title);
  const isNamed = undone?.includes(made[0] ?? "") ?? false;
  return made.length === 1 && (isLast || isNamed) && !/\breverted\b/i.test(older.title);
}

/** Says of itself that something said before does not hold. */
const TAKES_BACK =
  /^(?:correction\b|scratch that|(?:sorry, )?i (?:was|stand) (?:wrong|mistaken|corrected)|korrektur\b|corrección|更正|纠正|訂正)|(?<!\p{L})(?:i was (?:wrong|mistaken)|misdiagnos\w*|red herring|my (?:earlier|previous|initial|first|original) (?:\w+ ){0,2}(?:was|were) (?:wrong|incorrect|mistaken|off)|(?:earlier|previously|before),? i (?:said|claimed|assumed|thought|stated)|contrary to (?:what|my)|turns out (?:that )?(?:it|this|the) .{0,60}\b(?:not|n't)\b|not .{1,60} (?:after all|as (?:i|we) (?:thought|assumed|said))|ich (?:lag falsch|habe mich geirrt)|doch nicht|anders als (?:ich|wir) (?:dachte|annahm)\w*|fehldiagnose|me equivoqué|resulta que no|je me suis trompée?|contrairement à ce que)(?!\p{L})|我(?:之前)?(?:说|搞|弄)?错了|間違(?:って|い)(?:いました|でした)/iu;
/** Says it only together with a denial. */
const TAKES_BACK_DENYING =
  /^(?:actually,?|on (?:closer|second) (?:look|inspection|thought)|tatsächlich|en realidad,?|en (?:fait|réalité),?|其实|実は)/iu;

function takesBack(sentence: string): boolean {
  return TAKES_BACK.test(sentence) || (TAKES_BACK_DENYING.test(sentence) && isDenial(sentence));
}

/** A claim that a later one takes back in so many words, about the same things. */
function isCorrected(older: Note, newer: Note): boolean {
  if (!isClaim(older) || !isClaim(newer) || isUserDecision(older)) return false;
  if (older.origin === "user" && newer.origin !== "user") return false;
  const sentences = sentencesOf(`${newer.title} ${newer.narrative}`);
  // What is taken back may stand in the sentence after "I was wrong."
  const saying = sentences.filter((text, at) => takesBack(text) || takesBack(sentences[at - 1] ?? ""));
  if (saying.length === 0) return false;
  const isNear = older.sessionRowId === newer.sessionRowId;
  const terms = termsOf(`${saying.join(" ")} ${newer.title}`);
  return (
    sharesName(older, termsOf(saying.join(" "))) && heldIn(ownTerms(older), terms) >= (isNear ? 0.35 : 0.5)
  );
}

/** A guess that a later note states as a fact, or that its fix bears out. */
function isConfirmed(older: Note, newer: Note): boolean {
  if (!isHypothesis(older) || isHypothesis(newer)) return false;
  if (newer.at - older.at > 14 * DAY_MS) return false;
  const proves = isClaim(newer) || newer.type === "bugfix";
  if (!proves || isDenial(older.title) !== isDenial(newer.title)) return false;
  const least = older.sessionRowId === newer.sessionRowId ? 0.6 : 0.75;
  const sayings =
    newer.type === "bugfix" ? [wholeOf(newer)] : sentencesOf(`${newer.title} ${newer.narrative}`);
  return sayings.some(
    (saying) =>
      !HEDGES.test(saying) &&
      heldIn(ownTerms(older), termsOf(saying)) >= least &&
      sharesName(older, termsOf(saying)),
  );
}

/** Not sure, or only proposing. */
const HEDGES =
  /\b(?:might|may|maybe|perhaps|probably|likely|possibly|presumably|could|should|would|can|seems?|appears?|suspect|option|vermutlich|wahrscheinlich|vielleicht|könnte|sollte|quizás|probablemente|podría|peut-être|probablement|pourrait)\b|可能|应该|也许|かもしれ|おそらく|たぶん|でしょう/iu;

function wholeOf(note: Note): string {
  return `${note.title} ${note.narrative} ${note.facts.join(" ")}`;
}

function sharesName(older: Note, terms: ReturnType<typeof termsOf>): boolean {
  const own = [...ownTerms(older)];
  const shared = own.filter(([term]) => terms.has(term));
  return shared.some(([, weight]) => isCodeTerm(weight)) || shared.length >= 3;
}

/** The same thing noted again. */
function isRepeated(older: Note, newer: Note): boolean {
  if (older.origin !== newer.origin || prefixOf(older) !== prefixOf(newer)) return false;
  if (older.unit.startsWith("web:")) return older.unit === newer.unit && !older.unit.endsWith("*");
  const isDeed = isEdit(older) || older.unit.startsWith("run:");
  if (isDeed && weekOf(older) !== weekOf(newer)) return false;
  if (isPass(older)) return passesSame(older, newer);
  if (isEdit(older)) return older.unit === newer.unit && isSameTitle(older.title, newer.title);
  if (isPlan(older)) return continuesPlan(older, newer);
  if (isFailure(older)) return failsAlike(older, newer);
  if (isHypothesis(older) !== isHypothesis(newer)) return false;
  return saysSame(older, newer, leastLikeness(older));
}

/** What is done daily is counted by the week: later it is other work, and the count stays small. */
function weekOf(note: Note): number {
  return Math.floor(note.at / (7 * DAY_MS));
}

function prefixOf(note: Note): string {
  return note.unit.startsWith("run:") ? note.unit : (note.unit.split(":")[0] ?? "");
}

/**
 * Likeness of titles from which two notes say the same. By the pairs of 130 recorded sessions: of findings alike by
 * 0.7 and more all said the same, of those between 0.5 and 0.7 two in three did; a cause told otherwise ("because of
 * A", "because of B") stays below. Titles made by rule say another thing with a single other word.
 */
const SAME_FINDING = 0.7;
const SAME_DEED = 0.9;

function leastLikeness(note: Note): number {
  if (isUserDecision(note)) return SAME_WORDS;
  return isClaim(note) ? SAME_FINDING : SAME_DEED;
}

/** Letter by letter; one that was cut, as far as it goes. */
function isSameTitle(one: string, other: string): boolean {
  const [a, b] = [lettersOf(one), lettersOf(other)];
  if (a === b) return true;
  const isCut = (text: string, letters: string) => letters.length > 40 && /…`?$/.test(text);
  return (isCut(one, a) && b.startsWith(a)) || (isCut(other, b) && a.startsWith(b));
}

function lettersOf(text: string): string {
  return text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, "");
}

function saysSame(older: Note, newer: Note, least: number): boolean {
  const [one, other] = [textOf(older), textOf(newer)];
  return (
    numbersIn(one) === numbersIn(other) &&
    isDenial(one) === isDenial(other) &&
    likeness(ownTerms(older), ownTerms(newer)) >= (isUnspaced(one) ? least - 0.15 : least)
  );
}

function passesSame(older: Note, newer: Note): boolean {
  const commands = (note: Note) =>
    passedChecks(note)
      .map((check) => check.text)
      .filter((text) => !text.endsWith("…"));
  const [before, after] = [commands(older), new Set(commands(newer))];
  return (
    before.length > 0 &&
    before.length === passedChecks(older).length &&
    before.every((text) => after.has(text))
  );
}

function failsAlike(older: Note, newer: Note): boolean {
  if (isOpenFailure(older) !== isOpenFailure(newer) || older.unit !== newer.unit) return false;
  const [before, after] = [failingNames(older), new Set(failingNames(newer))];
  if (before.length > 0 && after.size > 0) return before.every((name) => after.has(name));
  return saysSame(older, newer, 0.8);
}
