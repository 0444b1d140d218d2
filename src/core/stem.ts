/**
 * The Porter stemmer (M. F. Porter, "An algorithm for suffix stripping", 1980), as SQLite's `porter` tokenizer has it:
 * words of ASCII letters are reduced, others stay as they are.
 */

const CONSONANT = "[^aeiou]";
const VOWEL = "[aeiouy]";
const CONSONANTS = `${CONSONANT}[^aeiouy]*`;
const VOWELS = `${VOWEL}[aeiou]*`;
/** At least one, exactly one, and more than one change from vowels to consonants. */
const SOME = new RegExp(`^(?:${CONSONANTS})?${VOWELS}${CONSONANTS}`);
const ONE = new RegExp(`^(?:${CONSONANTS})?${VOWELS}${CONSONANTS}(?:${VOWELS})?$`);
const MORE = new RegExp(`^(?:${CONSONANTS})?${VOWELS}${CONSONANTS}${VOWELS}${CONSONANTS}`);
const HAS_VOWEL = new RegExp(`^(?:${CONSONANTS})?${VOWEL}`);
const SHORT = new RegExp(`^${CONSONANTS}${VOWEL}[^aeiouwxy]$`);

const SECOND: Readonly<Record<string, string>> = {
  ational: "ate",
  tional: "tion",
  enci: "ence",
  anci: "ance",
  izer: "ize",
  bli: "ble",
  alli: "al",
  entli: "ent",
  eli: "e",
  ousli: "ous",
  ization: "ize",
  ation: "ate",
  ator: "ate",
  alism: "al",
  iveness: "ive",
  fulness: "ful",
  ousness: "ous",
  aliti: "al",
  iviti: "ive",
  biliti: "ble",
  logi: "log",
};
const THIRD: Readonly<Record<string, string>> = {
  icate: "ic",
  ative: "",
  alize: "al",
  iciti: "ic",
  ical: "ic",
  ful: "",
  ness: "",
};
const SECOND_END = new RegExp(`^(.+?)(${Object.keys(SECOND).join("|")})$`);
const THIRD_END = new RegExp(`^(.+?)(${Object.keys(THIRD).join("|")})$`);
const FOURTH_END =
  /^(.+?)(al|ance|ence|er|ic|able|ible|ant|ement|ment|ent|ou|ism|ate|iti|ous|ive|ize)$|^(.+?[st])ion$/;

/** SQLite's tokenizer leaves longer words alone (bytes), and shorter ones than three letters. */
const LONGEST = 64;
const REMEMBERED = 50_000;
const known = new Map<string, string>();

/** The stem of a lower-case word. */
export function stemOf(word: string): string {
  const before = known.get(word);
  if (before !== undefined) return before;
  const stem = word.length < 3 || word.length > LONGEST || !/^[a-z]+$/.test(word) ? word : reduce(word);
  if (known.size >= REMEMBERED) known.clear();
  known.set(word, stem);
  return stem;
}

function reduce(word: string): string {
  // A leading y counts as a consonant.
  const start = word.startsWith("y") ? `Y${word.slice(1)}` : word;
  return tidied(shorn(derived(plain(start)))).toLowerCase();
}

/** Plurals, -ed, -ing, and y as i. */
function plain(word: string): string {
  let stem = word.replace(/(ss|i)es$/, "$1").replace(/([^s])s$/, "$1");
  const agreed = /^(.+?)eed$/.exec(stem)?.[1];
  const ended = /^(.+?)(?:ed|ing)$/.exec(stem)?.[1];
  if (agreed !== undefined) {
    if (SOME.test(agreed)) stem = stem.slice(0, -1);
  } else if (ended !== undefined && HAS_VOWEL.test(ended)) {
    stem = ended;
    if (/(?:at|bl|iz)$/.test(stem)) stem += "e";
    else if (/([^aeiouylsz])\1$/.test(stem)) stem = stem.slice(0, -1);
    else if (SHORT.test(stem)) stem += "e";
  }
  const yless = /^(.+?)y$/.exec(stem)?.[1];
  return yless !== undefined && HAS_VOWEL.test(yless) ? `${yless}i` : stem;
}

function derived(word: string): string {
  const second = SECOND_END.exec(word);
  const once = second?.[1] && SOME.test(second[1]) ? second[1] + (SECOND[second[2] ?? ""] ?? "") : word;
  const third = THIRD_END.exec(once);
  return third?.[1] && SOME.test(third[1]) ? third[1] + (THIRD[third[2] ?? ""] ?? "") : once;
}

function shorn(word: string): string {
  const end = FOURTH_END.exec(word);
  const rest = end?.[1] ?? end?.[3];
  return rest !== undefined && MORE.test(rest) ? rest : word;
}

function tidied(word: string): string {
  const rest = word.endsWith("e") ? word.slice(0, -1) : null;
  const drops = rest !== null && (MORE.test(rest) || (ONE.test(rest) && !SHORT.test(rest)));
  const stem = drops ? rest : word;
  return stem.endsWith("ll") && MORE.test(stem) ? stem.slice(0, -1) : stem;
}
