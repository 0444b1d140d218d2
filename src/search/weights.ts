/**
 * Every number the ranking depends on. Set by `bench/tune.ts` on conversations and on recorded sessions; in LoCoMo's
 * case the figure that is reported for a conversation never depends on it (chosen on the others).
 */
export type Weights = {
  /** How many of a term's occurrences count (BM25's k1) and how much a long text's are worth less (b). */
  k1: number;
  b: number;
  /** Occurrences by place: in the title, among files and concepts, among the parts of names. */
  title: number;
  names: number;
  parts: number;
  /** For having more of what is looked for, by rarity, rather than one thing often. */
  coverage: number;
  /** For words that stand next to each other in the query and in the text. */
  adjacent: number;
  /** For a title that the query names in whole (a speaker, a file). */
  titled: number;
  /** What stands one and two before and after in the same session, as a share of its score. */
  before1: number;
  before2: number;
  after1: number;
  after2: number;
  /** The mean of the session's best. */
  session: number;
  sessionBest: number;
  /** The share of the query that the session has as a whole. */
  sessionCover: number;
  /** A question is worth less than what answers it. */
  question: number;
  /** Asked when: what speaks of a time. */
  timed: number;
  /** Words of the best found, looked for in turn. */
  feedback: number;
  feedbackDocs: number;
  feedbackWords: number;
  /** Asked for what the asker said, or for what the assistant did: whose word it is. */
  user: number;
  assistant: number;
  /** Asked for a date: what happened near it. */
  dated: number;
};

export const WEIGHTS: Weights = {
  k1: 1.2,
  b: 0.3,
  title: 1,
  names: 0.5,
  parts: 0.5,
  coverage: 0.3,
  adjacent: 0.7,
  titled: 0.1,
  before1: 0.4,
  before2: 0.3,
  after1: 0.3,
  after2: 0.3,
  session: 0.2,
  sessionBest: 2,
  sessionCover: 0,
  question: 0.2,
  timed: 0.5,
  feedback: 0.2,
  feedbackDocs: 5,
  feedbackWords: 5,
  user: 1.5,
  assistant: 0.2,
  dated: 0.3,
};

/** BM25's weights for the index's columns title, body, names, parts, grams, where candidates are chosen. */
export const COLUMN_WEIGHTS = [2, 1, 0.5, 0.5, 1] as const;

/** Where sessions are looked for: the share of the query a session has as a whole, beside its best items' scores. */
export const SESSION = { cover: 1, further: 0.5, counted: 8 };

/** Added to a score that is 1 for the best by words. */
export const BOOSTS: Readonly<
  Record<"meaning" | "recency" | "pinned" | "superseded" | "project" | "file", number>
> = {
  /** A standard deviation of the cosine. */
  meaning: 0.1,
  /** Just now; halved with every half-life of its type. */
  recency: 0.04,
  pinned: 0.05,
  superseded: -0.2,
  project: 0.1,
  /** It touches a file that the query names. */
  file: 0.1,
};

/** What was decided stays true longer than what was changed. */
export const HALF_LIFE_DAYS: Readonly<Record<string, number>> = {
  decision: 180,
  security_alert: 180,
  security_note: 180,
  discovery: 60,
  bugfix: 60,
  feature: 60,
  refactor: 30,
  change: 30,
};
export const HALF_LIFE_DAYS_ELSE = 30;
