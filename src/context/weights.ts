/**
 * What makes a memory worth its place at the start of a session. One table: chosen on the even sessions of the
 * recorded ones and held against the odd ones by `npm run bench -- injection`.
 */
export const WEIGHTS = {
  /** By type: what a person must not miss first. */
  type: {
    security_alert: 1.8,
    decision: 1.6,
    bugfix: 1.3,
    feature: 1.2,
    security_note: 1.2,
    discovery: 1.1,
    refactor: 1,
    sensitive: 1,
    change: 0.9,
  } as Record<string, number>,
  /** That checks passed says little a week later: what they checked is told by itself. */
  checks: 0.4,
  /** A whole session in one line. */
  session: 1.3,
  /** A guess or a question counts less than what was seen or settled. */
  hypothesis: 0.6,
  /** For each further time the same was noted, up to five. */
  repeated: 0.1,
  /** After ten days a note counts half. */
  halfLifeDays: 10,
  /** Made on the branch that is checked out now. */
  branch: 1.5,
  /** On top, for a file at the height of the work; others in proportion. */
  file: 0.6,
  /** Each further note of the same session counts so much less: a long session must not fill the page. */
  sameSession: 0.93,

  files: {
    /** An edit fades with the sessions since, once quickly and once slowly: what was just worked on, and what always is. */
    quick: { share: 0.3, halfLife: 1 },
    slow: { share: 0.25, halfLife: 40 },
    /** A file that was read, not edited. */
    read: 0.15,
    readHalfLife: 12,
    /** Edited on the branch that is checked out now. */
    branch: 4,
    /** Differs from the last commit. */
    uncommitted: 2,
    /** Named by a next step that is still open. */
    named: 1,
  },

  /** Share of the whole that is kept for the list of files. */
  filesShare: 0.25,
} as const;

/** Branches on which work of any kind begins: that a session was there says nothing. */
export const COMMON_BRANCHES = /^(?:main|master|trunk|develop|dev|HEAD)$/;
