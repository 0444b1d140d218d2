/**
 * How much of what a session will touch the text told at its start names: recorded sessions in the order of time, each
 * told from what happened before it and nothing later. A file counts as named where its whole path is spelled, see
 * `pathsIn`. The state of the developers' checkouts is not recorded: only the branch is given.
 */
import { buildSessionContext } from "../src/context/session.ts";
import { NO_GIT } from "../src/env/git-state.ts";
import { loadSettings } from "../src/env/settings.ts";
import { contentWords, mostNamable, newestLines, pathsIn, seenFiles } from "./injection-named.ts";
import { replay, type Start } from "./injection-replay.ts";
import { atLeast, createReport, figure, type Report } from "./report.ts";
import { dataFolder, PROJECT } from "./sessions.ts";
import { median } from "./stats.ts";

const CHARS = 9_500;
/** Estimated tokens; the last is what `CHARS` of plain text are. */
const BUDGETS = [500, 750, 1_000, 1_500, 2_000, 2_375];
const WHOLE = 2_375;

const WAYS = ["recency", "ours", "best possible"] as const;
type Way = (typeof WAYS)[number];

/** Sums over sessions. */
type Tally = {
  sessions: number;
  shares: number;
  named: number;
  touched: number;
  found: number;
  words: number;
};
type Tallies = Map<string, Tally>;

export async function benchInjection(): Promise<Report> {
  const report = createReport("injection");
  const data = dataFolder();
  if (!data) return report;
  const tallies: Tallies = new Map();
  const times: number[] = [];
  let without = 0;
  replay(data, (start) => {
    if (start.number < 2) return;
    if (start.touched.length === 0) without += 1;
    else for (const tokens of BUDGETS) tellAll(tallies, start, tokens, times);
  });
  reportOn(report, tallies);
  figure(report, "ms to build, warm", median(times));
  report.notes.push(
    `Sessions that touched no file are left out: ${without}. A file that no earlier session saw can be named by nobody; "best possible" knows the answer and names the rest.`,
  );
  return report;
}

function tellAll(tallies: Tallies, start: Start, tokens: number, times: number[]): void {
  const { db, touched } = start;
  const chars = Math.min(CHARS, tokens * 4);
  const before = performance.now();
  const told = ours(start, tokens);
  times.push(performance.now() - before);
  const texts: Record<Way, string> = { recency: newestLines(db, chars), ours: told, "best possible": "" };
  const words = new Set(start.subjects.flatMap((subject) => [...contentWords(subject)]));
  for (const way of WAYS) {
    const text = texts[way];
    const paths = way === "best possible" ? null : pathsIn(text);
    const named = paths
      ? touched.filter((path) => paths.has(path)).length
      : mostNamable(touched, seenFiles(db), chars);
    const held = contentWords(text);
    const found = [...words].filter((word) => held.has(word)).length;
    const half = start.number % 2 === 0 ? "even" : "odd";
    for (const part of ["all", half]) {
      const tally = tallyOf(tallies, way, tokens, part);
      tally.sessions += 1;
      tally.shares += named / touched.length;
      tally.named += named;
      tally.touched += touched.length;
      tally.found += found;
      tally.words += words.size;
    }
  }
}

function ours({ db, now, branch }: Start, tokens: number): string {
  const settings = {
    ...loadSettings("", {}).values,
    CLAUDE_MEM_CONTEXT_MAX_CHARS: CHARS,
    CLAUDE_MEM_CONTEXT_MAX_TOKENS: tokens,
  };
  return buildSessionContext(db, PROJECT, { settings, source: "startup", now, git: { ...NO_GIT, branch } })
    .text;
}

function tallyOf(tallies: Tallies, way: Way, tokens: number, part: string): Tally {
  const key = `${way} ${tokens} ${part}`;
  const known = tallies.get(key) ?? { sessions: 0, shares: 0, named: 0, touched: 0, found: 0, words: 0 };
  tallies.set(key, known);
  return known;
}

const pooled = (tally: Tally) => tally.named / tally.touched;
const mean = (tally: Tally) => tally.shares / tally.sessions;
const subjects = (tally: Tally) => tally.found / tally.words;

function reportOn(report: Report, tallies: Tallies): void {
  const at = (way: Way, tokens: number, part = "all") => tallyOf(tallies, way, tokens, part);
  report.tables.push({
    title: `share of touched files named (pooled; n = ${at("ours", WHOLE).sessions} sessions), and of the words of their commits' subjects`,
    head: ["tokens", "recency", "ours", "best", "ours/recency", "ours/best", "words: recency", "words: ours"],
    rows: BUDGETS.map((tokens) => {
      const [recency, own, best] = [at("recency", tokens), at("ours", tokens), at("best possible", tokens)];
      const shares = [pooled(recency), pooled(own), pooled(best)];
      const ratios = [pooled(own) / pooled(recency), pooled(own) / pooled(best)];
      return [String(tokens), ...shares, ...ratios, subjects(recency), subjects(own)];
    }),
  });
  report.tables.push({
    title: `within ${CHARS} characters; weights were chosen on the even sessions`,
    head: ["sessions", "recency", "ours", "best", "mean: recency", "mean: ours", "mean: best"],
    rows: ["all", "even", "odd"].map((part) => [
      part,
      ...WAYS.map((way) => pooled(at(way, WHOLE, part))),
      ...WAYS.map((way) => mean(at(way, WHOLE, part))),
    ]),
  });
  for (const tokens of [1_500, WHOLE]) {
    for (const way of WAYS) figure(report, `files, ${way}, ${tokens} tokens`, pooled(at(way, tokens)));
  }
  const ratio = (part: string, of: (tally: Tally) => number) =>
    of(at("ours", WHOLE, part)) / of(at("recency", WHOLE, part));
  atLeast(report, "files, ours / recency, pooled", ratio("all", pooled), 1.5);
  atLeast(report, "files, ours / recency, mean", ratio("all", mean), 1.5);
  atLeast(report, "files, ours / recency, odd sessions", ratio("odd", pooled), 1.5);
  figure(
    report,
    "files, ours / best possible",
    pooled(at("ours", WHOLE)) / pooled(at("best possible", WHOLE)),
  );
  figure(report, "subject words, ours / recency", ratio("all", subjects));
}
