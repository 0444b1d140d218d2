/** Judging a sentence: whether it says something, names something, stands alone, and is sure of it. */
import { cutText } from "../../../core/text.ts";
import { capital } from "../words.ts";
import { CAUSE, EMPTY_OPENERS, HEDGED, MARKER, OFFER, POINT, TRAP } from "./signals.ts";

const EMPTY_OPENER = new RegExp(
  `^(?:[^\\p{L}\\p{N}\`"'“(]*)(?:${Object.entries(EMPTY_OPENERS)
    .map(([language, phrases]) =>
      /^(?:zh|ja|ko)$/.test(language) ? `(?:${phrases})` : `(?:${phrases})(?![\\p{L}\\p{N}])`,
    )
    .join("|")})`,
  "iu",
);
const UNSPACED = /[\u3040-\u9fff\uac00-\ud7af]/;

/** Politeness, plans and pointers: nothing to remember. */
export function isEmptyWords(sentence: string): boolean {
  if (/[?？]["')]*$/.test(sentence) || OFFER.test(sentence)) return true;
  if (UNSPACED.test(sentence))
    return sentence.length < 8 || (EMPTY_OPENER.test(sentence) && sentence.length < 24);
  const words = sentence.split(/\s+/).length;
  if (!EMPTY_OPENER.test(sentence)) return words < 3;
  // "Based on my analysis, X does Y because Z" says something after its opener.
  return !((GOES_ON.test(sentence) || CAUSE.test(sentence)) && words > 12 && !/:$/.test(sentence));
}

const GOES_ON = /^(?:based on|looking at|good (?:question|point|catch)|you'?re|exactly)/i;

/** Nods, pointers and joints before what is said. A "no" or "not" is part of it and stays. */
const LEAD_INS: readonly RegExp[] = [
  /^(?:you'?re (?:absolutely |totally |quite )?right|(?:good|great|excellent|fair) (?:question|point|catch|find|idea)|exactly|correct|makes sense|right|agreed|perfect|great|done|ok(?:ay)?|sure|yes|yeah|yep|ja|oui|sí|sim|да|ah|hmm)(?:\s*[,.!:;…]|\s+[-–—])+\s*(?:[-–—]\s+)?/i,
  /^(?:looking at|after (?:looking at|reviewing|checking|tracing)|based on|from) [^,]{3,80}, (?=(?:the|an?|this|that|it|i|we|you|there|here|both|all|no|each|every)\b|[`"“])/i,
  /^(?:i can (?:now )?see|i (?:now )?see|i(?:'ve| have)? (?:found|confirmed|verified|discovered|noticed)|it turns out|turns out|this (?:means|shows|confirms)|that means|note|you'?re (?:absolutely )?right) that /i,
  /^(?:it turns out|turns out|this means|that means)[,:]? /i,
  /^(?:so|but|and|also|then|basically|actually|in short|essentially|in summary|to summarize|in other words|however|overall|unfortunately|bottom line|also|therefore|thus)(?:,|:)? /i,
  /^(?:(?:key |main |important )?(?:findings?|insights?|takeaways?)|note|results?|answer|important|summary|conclusion|verdict|bottom line|gist|tl;dr|the (?:key|main) (?:point|insight|finding))\s*[:—–-]\s+/i,
  /^(?:location|implementation|current (?:state|confusion|behaviou?r)|the current (?:state|confusion|behaviou?r)|effort|before|separately|interpretation|analysis|purpose|core tension|(?:on )?lines? \d+(?:[-–]\d+)?|looking (?:at|back)(?: [^:.]{0,40})?|the answer is)\s*:\s+/i,
  /^\(?\d{1,2}[.)]\s+/,
];

/** What the sentence says, without nods and labels before it. */
export function bareSentence(sentence: string): string {
  let bare = sentence;
  for (let round = 0; round < 3; round += 1) {
    const before = bare;
    for (const lead of LEAD_INS) {
      const rest = bare.replace(lead, "");
      if (rest !== bare && contentWords(rest) >= 3) bare = rest;
    }
    if (bare === before) break;
  }
  return capital(bare);
}

const EMPTY_WORD =
  /^(?:the|and|but|for|are|was|were|this|that|these|those|with|from|have|has|had|not|you|your|our|its|it's|they|them|will|would|could|should|can|now|all|any|here|there|then|than|into|also|just|very|one|two|der|die|das|und|ist|les|des|est|una|los|las|con|che|per)$/i;

/** How many words say what it is about; in scripts without spaces every second character counts as one. */
export function contentWords(text: string): number {
  if (UNSPACED.test(text)) return Math.ceil([...text].length / 2);
  return text.split(/[^\p{L}\p{N}_'$]+/u).filter((word) => word.length > 2 && !EMPTY_WORD.test(word)).length;
}

const NAMES_THING =
  /`[^`]+`|\b[\w-]{1,80}\/[\w./-]+|\b\w+\.(?:ts|js|go|py|rs|java|md|json|ya?ml|toml|sh)\b|\b[a-z]+[A-Z]\w+|\b\w+\(\)|\b[a-z]\w*_\w+|--[a-z][\w-]+/;
/** Says something about what was named before it: poor alone. */
const POINTS_BACK =
  /^(?:(?:currently |now )?(?:this|that|these|those|it|they|he|she)|both|only|same|similar|so|then|also|similarly|otherwise|however|but|and|rather|instead|either|neither|here|there|such|if (?:there|it|they|that)|in (?:this|that|these|those) (?:case|way)s?|without (?:it|this|that)|result:|option|approach|step|das|dies|diese[rs]?|es|cela|ça|c'est|esto|eso|isso|isto|questo|это|то|这|那|これ|それ|이것|그것)(?:'\w+)?\s+(?!(?:pr|branch|repo|change|file|function|command|code|test|commit|bug|issue)\b)/iu;

/** Whether it begins with a word for something named before. */
export function pointsBack(text: string): boolean {
  return POINTS_BACK.test(text);
}

export function saysWhy(text: string): boolean {
  return CAUSE.test(text) || TRAP.test(text);
}

/** Whether the sentence gives a cause or warns of a trap, with `named` in a thing it names: it stands alone. */
export function isInsight(text: string, named = true): boolean {
  const tells = saysWhy(text) || MARKER.test(text);
  return tells && (!named || namesThing(text)) && !pointsBack(text) && !isEmptyWords(text);
}

export function namesThing(text: string): boolean {
  return NAMES_THING.test(text) || /\d/.test(text) || /\berror\b/i.test(text);
}

/** Whether the words say anything beyond a verdict: they name something, give a reason, or are no mere exclamation. */
export function saysSomething(text: string): boolean {
  if (/[:：]$/.test(text) || contentWords(text) < 4) return false;
  return namesThing(text) || saysWhy(text) || POINT.test(text) || text.length > 60 || UNSPACED.test(text);
}

export function isHedged(sentence: string): boolean {
  return HEDGED.test(sentence);
}

/** The sentence, marked where its speaker was not sure. */
export function marked(sentence: string, max: number): string {
  const note = " (unconfirmed)";
  if (!isHedged(sentence)) return cutText(sentence, max);
  return cutText(sentence, max - note.length) + note;
}
