/** Times that a query names, as spans of Unix milliseconds. */

export type Span = { from: number; to: number };

const DAY = 86_400_000;
const MONTHS = [
  ["january", "jan", "januar", "janvier", "enero"],
  ["february", "feb", "februar", "fevrier", "février", "febrero"],
  ["march", "mar", "märz", "maerz", "mars", "marzo"],
  ["april", "apr", "avril", "abril"],
  ["may", "mai", "mayo"],
  ["june", "jun", "juni", "juin", "junio"],
  ["july", "jul", "juli", "juillet", "julio"],
  ["august", "aug", "août", "aout", "agosto"],
  ["september", "sep", "sept", "septembre", "septiembre"],
  ["october", "oct", "oktober", "okt", "octobre", "octubre"],
  ["november", "nov", "novembre", "noviembre"],
  ["december", "dec", "dezember", "dez", "décembre", "decembre", "diciembre"],
];
const MONTH_OF = new Map(MONTHS.flatMap((names, month) => names.map((name) => [name, month] as const)));
const MONTH = `(${[...MONTH_OF.keys()].sort((one, other) => other.length - one.length).join("|")})`;
const YEAR = "((?:19|20)\\d\\d)";
const NUMBER = "(\\d{1,2})(?:st|nd|rd|th|\\.)?";

type Rule = { pattern: RegExp; spans: (parts: string[], now: number) => Span[] };

const RULES: readonly Rule[] = [
  {
    pattern: new RegExp(`\\b${YEAR}-(\\d\\d)-(\\d\\d)\\b`, "g"),
    spans: ([year, month, day]) => [dayOf(Number(year), Number(month) - 1, Number(day))],
  },
  {
    pattern: new RegExp(`\\b${YEAR}-(\\d\\d)\\b`, "g"),
    spans: ([year, month]) => [monthOf(Number(year), Number(month) - 1)],
  },
  {
    pattern: new RegExp(`\\b${MONTH}\\.? ${NUMBER},? ${YEAR}\\b`, "gi"),
    spans: ([month, day, year]) => [dayOf(Number(year), indexOf(month), Number(day))],
  },
  {
    pattern: new RegExp(`\\b${NUMBER} (?:of |de )?${MONTH}\\.?,? (?:de )?${YEAR}\\b`, "gi"),
    spans: ([day, month, year]) => [dayOf(Number(year), indexOf(month), Number(day))],
  },
  {
    pattern: new RegExp(`\\b${MONTH}\\.?,? (?:of |de )?${YEAR}\\b`, "gi"),
    spans: ([month, year]) => [monthOf(Number(year), indexOf(month))],
  },
  {
    pattern: new RegExp(`\\b${MONTH}\\.? ${NUMBER}\\b`, "gi"),
    spans: ([month, day], now) => yearly(now, (year) => dayOf(year, indexOf(month), Number(day))),
  },
  {
    pattern: new RegExp(`\\b${NUMBER} (?:of |de )?${MONTH}\\b`, "gi"),
    spans: ([day, month], now) => yearly(now, (year) => dayOf(year, indexOf(month), Number(day))),
  },
  {
    // Alone, only what is no other word: "may", "mar", "dec" are.
    pattern: new RegExp(`\\b(?:in|during|since|im|en|this|last) ${MONTH}\\b`, "gi"),
    spans: ([month], now) => yearly(now, (year) => monthOf(year, indexOf(month))),
  },
  {
    pattern: new RegExp(`\\b(?:in|during|since|im|en|of) ${YEAR}\\b`, "gi"),
    spans: ([year]) => [{ from: Date.UTC(Number(year), 0), to: Date.UTC(Number(year) + 1, 0) - 1 }],
  },
  { pattern: /\b(?:today|heute|aujourd'hui|hoy)\b/gi, spans: (_, now) => [daysBack(now, 0, 0)] },
  { pattern: /\b(?:yesterday|gestern|hier|ayer)\b/gi, spans: (_, now) => [daysBack(now, 1, 1)] },
  {
    pattern: /\b(?:this week|diese woche|cette semaine|esta semana)\b/gi,
    spans: (_, now) => [daysBack(now, 6, 0)],
  },
  {
    pattern: /\b(?:last week|letzte woche|la semaine derni[eè]re|la semana pasada)\b/gi,
    spans: (_, now) => [daysBack(now, 13, 5)],
  },
  {
    pattern: /\b(?:last month|letzten monat|le mois dernier|el mes pasado)\b/gi,
    spans: (_, now) => [daysBack(now, 61, 25)],
  },
  {
    pattern: /\b(\d{1,3}|a|two|three|four|five|six) (day|week|month)s? ago\b/gi,
    spans: ([count, unit], now) => {
      const days = numberOf(count) * (UNIT_DAYS[(unit ?? "").toLowerCase()] ?? 1);
      const slack = Math.floor(days / 4);
      return [daysBack(now, days + slack, days - slack)];
    },
  },
];

const UNIT_DAYS: Readonly<Record<string, number>> = { day: 1, week: 7, month: 30 };
const NUMBERS = ["a", "a", "two", "three", "four", "five", "six"];

/** The spans of time a query names, by the calendar of UTC; `now` is what "yesterday" is counted from. */
export function datesIn(query: string, now: number): Span[] {
  let rest = query;
  const found: Span[] = [];
  for (const { pattern, spans } of RULES) {
    rest = rest.replace(pattern, (...match) => {
      const parts = match.slice(1).filter((part): part is string => typeof part === "string");
      found.push(...spans(parts, now).filter(({ from }) => Number.isFinite(from)));
      return " ";
    });
  }
  return found;
}

/** It is told rather after than before it happens: how many days away a document may be and still be near (1/e). */
const NEAR_AFTER = 10 * DAY;
const NEAR_BEFORE = 4 * DAY;

/** 1 within one of the spans, less the farther from all of them. */
export function nearness(at: number, spans: readonly Span[]): number {
  let best = 0;
  for (const { from, to } of spans) {
    const near =
      at < from ? Math.exp((at - from) / NEAR_BEFORE) : at > to ? Math.exp((to - at) / NEAR_AFTER) : 1;
    best = Math.max(best, near);
  }
  return best;
}

function indexOf(month: string | undefined): number {
  return MONTH_OF.get((month ?? "").toLowerCase()) ?? Number.NaN;
}

function numberOf(count: string | undefined): number {
  const word = (count ?? "").toLowerCase();
  return /^\d+$/.test(word) ? Number(word) : NUMBERS.lastIndexOf(word);
}

function dayOf(year: number, month: number, day: number): Span {
  const from = Date.UTC(year, month, day);
  return { from, to: from + DAY - 1 };
}

function monthOf(year: number, month: number): Span {
  return { from: Date.UTC(year, month), to: Date.UTC(year, month + 1) - 1 };
}

/** Without a year every year's is meant, of those a memory may hold. */
function yearly(now: number, spanOf: (year: number) => Span): Span[] {
  const year = new Date(now).getUTCFullYear();
  return [0, 1, 2, 3, 4].map((back) => spanOf(year - back)).filter(({ from }) => from <= now);
}

/** Whole days from `most` days before today to `least` days before. */
function daysBack(now: number, most: number, least: number): Span {
  const today = Math.floor(now / DAY) * DAY;
  return { from: today - most * DAY, to: today - least * DAY + DAY - 1 };
}
