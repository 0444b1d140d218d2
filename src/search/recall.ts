/** Memories that bear on what the user has just asked: better none than a wrong one. */
import { identifiersOf, wordsOf } from "../core/tokens.ts";
import { countDocs, countMatching, type Doc, type DocFilter, indexPending } from "../store/fulltext.ts";
import type { Db } from "../store/open.ts";
import { rootOf } from "./forms.ts";
import { rankLexically } from "./rank.ts";
import { WEIGHTS } from "./weights.ts";
import { parseQuery, type Query } from "./words.ts";

export type RecallRequest = {
  prompt: string;
  /** Row id. */
  project: number;
  /** Observations that were told already. */
  exclude: ReadonlySet<number>;
  limit: number;
  /** Unix milliseconds. */
  now: number;
};

/** Shorter prompts ("ok", "go on, please") ask for nothing that memory could know (UTF-16 units). */
const PROMPT_MIN = 20;
/** Of a paste the beginning says what it is about. */
const PROMPT_MAX = 1_500;
const CANDIDATES = 120;
const LOOKED_AT = 8;
/**
 * Measured by `bench context` on recorded sessions, a memory counting as right where the turn then worked on one of
 * its files: of those that share a name of code with the prompt (a file, a symbol) about half are right for the turn
 * and three quarters for the session; of all others a fifth, whatever their score by words. So a shared name is asked
 * for. Only what the user said (decisions, memories kept by hand) names little code: there most of the prompt's words
 * must stand in it, the longer ones counting for more.
 */
const USERS_WORDS_COVER = 0.5;
const USERS_WORDS_MIN = 2;
/** A name that stands in more of the project's documents than this share, or number, tells none of them apart. */
const COMMON_SHARE = 0.015;
const COMMON_MIN = 8;
/** Shorter names are words of everyday as well. */
const NAME_MIN = 5;

/** Row ids of observations, best first; [] where nothing passes. */
export function recallFor(db: Db, request: RecallRequest): number[] {
  const prompt = request.prompt.trim().slice(0, PROMPT_MAX);
  if (prompt.length < PROMPT_MIN) return [];
  indexPending(db);
  const query = parseQuery(prompt);
  if (query.wanted.length === 0) return [];
  const filter: DocFilter = { ...EVERYTHING, project: request.project, kinds: [0] };
  const ranked = rankLexically(db, query, filter, {
    want: CANDIDATES,
    weights: WEIGHTS,
    also: [],
    now: request.now,
  }).ranked;
  const asked = askedOf(db, request.project, prompt, query);
  return (
    ranked
      // What stands around an observation is ranked with it, whatever it is.
      .filter(({ doc }) => doc.kind === 0 && doc.superseded === 0 && !request.exclude.has(doc.item))
      .slice(0, LOOKED_AT)
      .map(({ doc, score }) => ({ doc, score, fit: fitOf(doc, asked) }))
      .filter(({ fit }) => fit > 0)
      .sort((a, b) => b.fit - a.fit || b.score - a.score || b.doc.item - a.doc.item)
      .slice(0, request.limit)
      .map(({ doc }) => doc.item)
  );
}

const EVERYTHING: DocFilter = {
  project: null,
  kinds: [],
  types: [],
  concepts: [],
  file: null,
  session: null,
  pinned: null,
  from: null,
  to: null,
};

type Asked = {
  /** Names of code in the prompt, folded, without their folders. */
  names: string[];
  prompt: string;
  /** Words by root and what each tells. */
  words: Map<string, number>;
};

function askedOf(db: Db, project: number, prompt: string, query: Query): Asked {
  const names = identifiersOf(prompt)
    .map((name) => name.toLowerCase().replace(/^.*[/\\]/, ""))
    .filter((name) => name.length >= NAME_MIN);
  const { docs } = countDocs(db, project);
  const most = Math.ceil(Math.max(COMMON_MIN, docs * COMMON_SHARE));
  const rare = [...new Set(names)].filter((name) => {
    const [wanted] = parseQuery(`${name} `).wanted;
    return wanted !== undefined && countMatching(db, wanted.expression, project, most + 1) <= most;
  });
  // Longer words tell more; counting each in the index would cost more than it brings.
  const words = new Map(query.sequence.map((root) => [root, Math.min(root.length, 10)]));
  return { names: rare, prompt: prompt.toLowerCase(), words };
}

/** How many names of code the memory shares with the prompt; a part of 1 for the user's own words; 0: it does not bear on it. */
function fitOf(doc: Doc, { names, prompt, words }: Asked): number {
  const text = `${doc.title}\n${doc.body}\n${doc.names}\n${doc.files}`.toLowerCase();
  const named = names.filter((name) => text.includes(name)).length + filesNamed(doc, prompt);
  if (named > 0) return named;
  if (doc.origin !== "user" && doc.origin !== "manual") return 0;
  const own = new Set(wordsOf(text).map(rootOf));
  let [all, shared, count] = [0, 0, 0];
  for (const [root, tells] of words) {
    all += tells;
    if (!own.has(root)) continue;
    shared += tells;
    count += 1;
  }
  const cover = all > 0 ? shared / all : 0;
  return count >= USERS_WORDS_MIN && cover >= USERS_WORDS_COVER ? cover : 0;
}

/** Files of the memory that the prompt names: with their ending, or by a name of more than one word. */
function filesNamed(doc: Doc, prompt: string): number {
  const files = new Set(
    doc.files
      .toLowerCase()
      .split("\n")
      .map((path) => path.replace(/^.*\//, "")),
  );
  return [...files].filter((file) => {
    const base = file.replace(/\.\w+$/, "");
    if (file.length < NAME_MIN) return false;
    return prompt.includes(file) || (/[a-z\d][_-][a-z\d]/.test(base) && prompt.includes(base));
  }).length;
}
