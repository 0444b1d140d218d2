/** What kind of sentence it is: a question, one that asks for a time, one that speaks of a time. */

const WHEN =
  /^\W*(?:when|since when|how long|(?:on |in |at |around )?(?:what|which) (?:date|day|week|month|year|time)|wann|seit wann|wie lange|quand|depuis quand|cu[aá]ndo|desde cu[aá]ndo)\b/i;
const DAY =
  "(?:mon|tues|wednes|thurs|fri|satur|sun)day|montag|dienstag|mittwoch|donnerstag|freitag|samstag|sonntag|lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche|lunes|martes|mi[eé]rcoles|jueves|viernes|s[aá]bado|domingo";
const MONTH =
  "january|february|march|april|june|july|august|september|october|november|december|januar|februar|märz|juni|juli|oktober|dezember|janvier|f[eé]vrier|avril|juin|juillet|ao[uû]t|septembre|octobre|novembre|d[eé]cembre|enero|febrero|marzo|abril|junio|julio|agosto|septiembre|octubre|noviembre|diciembre";
const SPAN =
  "(?:minutes?|hours?|days?|nights?|weeks?|weekends?|months?|years?|summer|winter|fall|autumn|spring)";
const TIME = new RegExp(
  [
    `\\b(?:yesterday|today|tonight|tomorrow|recently|lately|gestern|heute|morgen|hier|aujourd'hui|demain|ayer|hoy|mañana)\\b`,
    `\\b(?:last|next|this|past|every) (?:${SPAN}|morning|evening|${DAY})\\b`,
    `\\b\\w+ ${SPAN} (?:ago|later|earlier|before|after)\\b`,
    `\\b(?:for|since|in) (?:\\w+ ){1,2}${SPAN}\\b`,
    `\\b(?:${DAY}|${MONTH})\\b`,
    `\\b(?:19|20)\\d\\d(?:-\\d\\d(?:-\\d\\d)?)?\\b`,
  ].join("|"),
  "i",
);

const OWN =
  /\b(?:i|i'm|i've|i'd|my|me|mine|we|our|us|ich|mein\w*|mir|mich|wir|unser\w*|je|j'ai|mon|ma|mes|nous|notre|nos|yo|mi|mis|nosotros|nuestr[oa]s?)\b/i;
const YOURS =
  /\b(?:did|have|had|do) you\b|\byou (?:\w+ )?(?:recommend|suggest|explain|advise|propose|describe|mention|tell|told|say|said|list|give|gave|show|offer)\w*|\byour (?:\w+ )?(?:advice|suggestion|recommendation|explanation|answer|proposal)s?\b|\bhast du\b|\bas-tu\b|\bavez-vous\b|\bdijiste\b/i;

/** Whose words are asked for: the user's own, the assistant's, or anybody's. */
export function whoseWords(query: string): "user" | "assistant" | null {
  if (YOURS.test(query)) return "assistant";
  return OWN.test(query) ? "user" : null;
}

export function asksWhen(query: string): boolean {
  return WHEN.test(query);
}

export function speaksOfTime(text: string): boolean {
  return TIME.test(text);
}

export function isQuestion(text: string): boolean {
  return /[?？]["')\s]*$/.test(text);
}
