/** English words whose forms no stemmer brings together. */
import { stemOf } from "../core/stem.ts";

const FORMS = `go went gone|buy bought|run ran|make made|take took taken|give gave given|see saw seen|meet met
  |get got gotten|find found|write wrote written|eat ate eaten|drive drove driven|begin began begun|break broke broken
  |choose chose chosen|come came|draw drew drawn|drink drank drunk|fall fell fallen|feel felt|fight fought|fly flew flown
  |forget forgot forgotten|grow grew grown|hear heard|hide hid hidden|hold held|keep kept|know knew known|learn learnt
  |lead led|leave left|lose lost|mean meant|pay paid|ride rode ridden|rise rose risen|say said|seek sought|sell sold
  |send sent|shake shook shaken|shine shone|shoot shot|show shown|sing sang sung|sink sank sunk|sit sat|sleep slept
  |speak spoke spoken|spend spent|spin spun|stand stood|steal stole stolen|stick stuck|strike struck|swear swore sworn
  |swim swam swum|swing swung|teach taught|tear tore torn|tell told|think thought|throw threw thrown
  |understand understood|wake woke woken|wear wore worn|win won|wind wound|build built|bring brought|bind bound
  |catch caught|become became|bite bit bitten|blow blew blown|deal dealt|dig dug|feed fed|freeze froze frozen|hang hung
  |lend lent|bend bent|light lit|overwrite overwrote overwritten|rebuild rebuilt|undo undid undone|redo redid redone
  |rewrite rewrote rewritten|withdraw withdrew withdrawn|child children|person people|man men|woman women|life lives
  |wife wives|knife knives|leaf leaves|half halves|foot feet|tooth teeth|mouse mice|index indices|vertex vertices
  |matrix matrices|datum data|analysis analyses|crisis crises|criterion criteria`;

const GROUPS = FORMS.split("|").map((group) => group.trim().split(/\s+/));
const FIRST = new Map(
  GROUPS.flatMap((group) => group.map((word) => [stemOf(word), stemOf(group[0] ?? word)])),
);
const FORMS_OF = new Map(GROUPS.map((group) => [stemOf(group[0] ?? ""), group]));

/** One stem for all forms of a word: `went` and `gone` are `go`. */
export function rootOf(word: string): string {
  const stem = stemOf(word);
  return FIRST.get(stem) ?? stem;
}

/** The words to look for in place of this one; itself first. */
export function formsOf(word: string): string[] {
  const forms = FORMS_OF.get(rootOf(word)) ?? [];
  return [word, ...forms.filter((form) => stemOf(form) !== stemOf(word))];
}
