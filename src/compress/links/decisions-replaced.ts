/** When a user's later word takes the place of an earlier one. */
import type { Note } from "../../store/links.ts";
import { heldIn, isDenial, likeness, numbersIn, type Terms, termsOf } from "../terms.ts";
import { isGivenUp, rivalsIn } from "./rivals.ts";
import { ownTerms, textOf } from "./subjects.ts";

/** Says that something is different from now on. */
const CHANGES =
  /\b(?:from now on|now|instead|no longer|any ?more|actually|going forward|changed? (?:our|my) mind|scrap that|forget (?:that|what)|ab (?:jetzt|sofort)|von nun an|künftig|nicht mehr|stattdessen|doch|de ahora en adelante|a partir de ahora|ya no|en su lugar|désormais|dorénavant|à partir de maintenant|ne .{1,30} plus|plutôt|au lieu)\b|从现在|以后|不再|改用|改为|今後は?|これからは?|もう|代わりに|やめ/iu;

/** Wants what the earlier one wanted, in nearly the same words. */
export const SAME_WORDS = 0.7;

/**
 * Whether `newer` decides otherwise what `older` decided: it names a rival and has no other subject; or it turns the
 * same words round; or it changes one number or name in them. Both are the user's.
 */
export function isDecidedOtherwise(older: Note, newer: Note): boolean {
  const [before, after] = [textOf(older), textOf(newer)];
  const [question, answer] = answered(before);
  const [questionNow, answerNow] = answered(after);
  if (question !== "" && questionNow !== "") {
    return likeness(termsOf(question), termsOf(questionNow)) >= SAME_QUESTION && answer !== answerNow;
  }
  if (namesRival(older, newer)) return true;
  const [one, other] = [ownTerms(older), ownTerms(newer)];
  const alike = likeness(withoutNumbers(one), withoutNumbers(other));
  if (alike < 0.5) return false;
  if (isDenial(before) !== isDenial(after)) return alike >= SAME_WORDS || CHANGES.test(after);
  if (numbersIn(before) !== numbersIn(after)) {
    const sameCount = numbersIn(before).split(" ").length === numbersIn(after).split(" ").length;
    return sameCount && (alike >= SAME_WORDS || CHANGES.test(after));
  }
  return oneNameDiffers(one, other) && CHANGES.test(after);
}

/** A choice put to the user is noted as "question? → answer". */
const SAME_QUESTION = 0.8;

function answered(text: string): [question: string, answer: string] {
  const found = /^(.+[?？]) → (.+)$/s.exec(text);
  return [found?.[1] ?? "", found?.[2] ?? ""];
}

/** Of a group of which one is used, the later names another for the same purpose. */
function namesRival(older: Note, newer: Note): boolean {
  const [before, after] = [textOf(older), textOf(newer)];
  const wanted = rivalsIn(after).filter(({ name }) => !isGivenUp(after, name));
  const had = rivalsIn(before).filter(({ name }) => !isGivenUp(before, name));
  if (isDenial(before)) return false;
  return had.some((old) => {
    const groupNow = wanted.filter(({ group }) => group === old.group);
    const isDropped = rivalsIn(after).some(
      ({ thing, name }) => thing === old.thing && isGivenUp(after, name),
    );
    if (groupNow.some(({ thing }) => thing === old.thing)) return false;
    if (had.filter(({ group }) => group === old.group).length > 1) return false;
    if (groupNow.length === 0) return false;
    return isDropped ? scopeShared(older, newer) >= 0.3 : scopeShared(older, newer) >= 0.6;
  });
}

/** How much of what else the earlier decision is about the later one is about too, and the other way round. */
function scopeShared(older: Note, newer: Note): number {
  const [one, other] = [scopeOf(older), scopeOf(newer)];
  if (one.size === 0 && other.size === 0) return 1;
  // A rule without a scope holds everywhere: one with a scope takes nothing from it but there.
  if (other.size === 0) return 1;
  if (one.size === 0) return CHANGES.test(textOf(newer)) && other.size <= 1 ? 1 : 0;
  return Math.max(heldIn(one, other), heldIn(other, one));
}

/** Words that every rule has. */
const RULE_WORDS =
  /^(?:remembe|always|never|use|prefer|decided|please|project|command|dependen|package|manager|install|run|script|repo|reposit|code|everyth|everywh|future|forward|going|stick|switch|anymore|longer|instead|rather|stop|actuall|wir|verwend|benutze|nutze|nutzen|immer|künftig|projekt|statt|sofort|pakete|paket|siempre|usa|usar|usamos|adelant|ahora|partir|lugar|vez|proyect|paquete|utilise|utilison|toujour|désorma|dorénav|mainten|lieu|projet|paquet)$/u;

function scopeOf(note: Note): Terms {
  const names = rivalsIn(textOf(note)).flatMap(({ name }) => name.split(/[^\p{L}\p{N}]+/u));
  const stems = new Set(names.map((name) => name.slice(0, 7)));
  return new Map(
    [...ownTerms(note)].filter(
      ([term]) =>
        !RULE_WORDS.test(term) &&
        !names.includes(term) &&
        !stems.has(term) &&
        !/^[\u3040-\u9fff]{1,2}$/.test(term),
    ),
  );
}

function withoutNumbers(terms: Terms): Terms {
  return new Map([...terms].filter(([term]) => !/^v?\d[\d.,:]*$/.test(term)));
}

/** Each has just one term that the other has not. */
function oneNameDiffers(one: Terms, other: Terms): boolean {
  const only = (mine: Terms, theirs: Terms) => [...mine.keys()].filter((term) => !theirs.has(term)).length;
  return only(one, other) === 1 && only(other, one) >= 1 && only(other, one) <= 2;
}
