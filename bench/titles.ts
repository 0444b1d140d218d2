/** When a title tells nothing, and which words of a text say what it is about. Knows nothing of the product's own rules. */

/** What the bench prints about its rule. */
export const GENERIC_RULE =
  "A title is generic if it opens with filler (a nod, a plan in the first person, 'it/this/that …'), or is only a verb of change and paths, or names no symbol, path, command, number or quoted words and has fewer than three content words (4+ letters, not stop words, not words true of any work such as 'change', 'code', 'test', 'issue').";

const FILLER =
  /^(?:now\b|ok(?:ay)?\b|great\b|perfect\b|excellent\b|let me\b|i(?:'ll| will|'ve| have|'m| am)\b|here(?:'s| is| are)\b|(?:this|it|that|they|these|those)\b(?! (?:branch|repo|pr|file|function|command|test)\b)|(?:yes|no|done|sure|right|exactly)[,.!]|you'?re right\b|the (?:task|review|work|refactoring|analysis|implementation|branch|changes?) (?:is|are|has been) (?:now )?(?:complete|done|ready|finished|written)|would you|do you want|based on my)/i;
const ONLY_PATHS =
  /^(?:edited|changed|updated|modified|created|wrote|deleted|removed|added|touched) (?:(?:\S*[/.]\S+)(?:, | and )?)+(?: and \d+ more)?(?: \([+−\d ]+\))?$/i;
const NAMES =
  /`[^`]+`|[“"'][^”"']{3,}[”"']|\b[\w-]*[a-z][A-Z]\w*|\b\w+_\w+|\b\w+\(\)|\S+\/\S+|\b\w+\.(?:go|ts|js|py|md|json|ya?ml|toml|sh|mod)\b|--[a-z]|\d|\b[A-Z]{2,}\b/;

const STOP = new Set(
  `about above after again also although always among another because been before being below between both came cannot come
   could does doing done down during each either else even ever every from further gets give given goes gone have having
   here hers into itself just keep kept like made make many might more most much must need neither never none only onto other
   ours over rather really same seem seen shall should since some still such take than that their them then there these they
   thing things this those through thus together toward under unless until upon used uses using very want wants well were
   what when where whether which while whom whose will with within without would your yours`.split(/\s+/),
);
const TRUE_OF_ANY_WORK = new Set(
  `add added change changed changes code edit edited error feature file files find finding fix fixed fixes function improve
   issue issues look looked make method problem refactor remove removed result review script session step task test tests
   update updated version work works working write wrote`.split(/\s+/),
);

export function isGeneric(title: string): boolean {
  if (FILLER.test(title) || ONLY_PATHS.test(title)) return true;
  if (NAMES.test(title)) return false;
  return title
    .toLowerCase()
    .match(/\p{L}{4,}/gu)
    ?.filter((word) => !STOP.has(word) && !TRUE_OF_ANY_WORK.has(word)).length
    ? contentWords(title).size < 3
    : !/[\u3040-\u9fff\uac00-\ud7af]{6}/.test(title);
}

const KINDS_OF_COMMIT =
  /^(?:feat|fix|chore|docs|refactor|test|tests|style|perf|build|ci|merge|branch|revert|wip)$/;
const WORD_MIN = 3;
/** Forms of one word mostly differ behind so many letters. */
const STEM = 6;

/** Words of at least three letters, names split at their humps, without stop words and kinds of commit, cut to six letters. */
export function contentWords(text: string): Set<string> {
  const plain = text.replace(/(\p{Ll}|\d)(\p{Lu})/gu, "$1 $2").toLowerCase();
  const words = plain.match(/[\p{L}\p{N}]+/gu) ?? [];
  return new Set(
    words
      .filter((word) => word.length >= WORD_MIN && !STOP.has(word) && !KINDS_OF_COMMIT.test(word))
      .filter((word) => !/^(?:the|and|for|not|are|was|has|its|all|can|use|now|but|out|per|via)$/.test(word))
      .map((word) => word.slice(0, STEM)),
  );
}
