/** What can be asked of the search, and what it answers. */
import type { DocKind } from "../store/fulltext-docs.ts";

export type SearchRequest = {
  /** Anything; where it says nothing the newest items are the answer. */
  query: string;
  /** Row id; `null` or absent for all projects. */
  project?: number | null;
  /** Where all projects are searched: the one whose items come first of equals. */
  home?: number | null;
  kinds?: readonly DocKind[];
  /** Types of observations; only observations have one. */
  types?: readonly string[];
  concepts?: readonly string[];
  /** A path or its end. */
  file?: string | null;
  /** A name that must occur. */
  symbol?: string | null;
  /** Row id of a session. */
  session?: number | null;
  pinned?: boolean | null;
  /** Unix milliseconds, both included. */
  from?: number | null;
  to?: number | null;
  /** 20 by default, at most 200. */
  limit?: number;
  offset?: number;
  order?: "relevance" | "newest" | "oldest";
  /** Unix milliseconds; what "yesterday" is counted from. */
  now?: number;
};

export type SearchResult = {
  kind: DocKind;
  /** Row id among its kind. */
  id: number;
  type: string;
  title: string;
  snippet: string;
  /** 1 or more is as good as the best by words; only to be compared within one answer. */
  score: number;
  project: { id: number; name: string } | null;
  /** Row id. */
  session: number | null;
  at: number;
  pinned: boolean;
  superseded: boolean;
};

export type SearchAnswer = {
  results: SearchResult[];
  /** How many were found; at least so many where `hasMore` stays true at the end. */
  total: number;
  hasMore: boolean;
  /** What did not work, in a sentence; `null` where all did. */
  degraded: string | null;
};

/** Finds by meaning. */
export type VectorLookup = {
  nearest(
    project: number | null,
    query: string,
    limit: number,
  ): Promise<{ id: number; kind: DocKind; cosine: number }[]>;
  degraded: string | null;
};

/** A session that answers, by what was found in it. */
export type FoundSession = {
  /** Row id. */
  session: number;
  score: number;
  /** Its best items, best first. */
  results: SearchResult[];
};
