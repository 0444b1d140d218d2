/** How long a search takes in a store of a hundred thousand and of a million observations. */
import { search } from "../src/search/search.ts";
import { indexPending } from "../src/store/fulltext.ts";
import { type Db, openStore } from "../src/store/open.ts";
import { sizeOf } from "../src/store/size.ts";
import { fillObservations } from "./fill.ts";
import { atMost, createReport, figure, type Report } from "./report.ts";
import { makeScratch, type Scratch } from "./scratch.ts";
import { median, percentile } from "./stats.ts";

const SMALL = 100_000;
const LARGE = 1_000_000;
const ROUNDS = 3;
/** Names, words, a file, common words, a question, a typing error, what is not there. */
const QUERIES = [
  "priceOf",
  "discount before the tax",
  "module-042.ts",
  "src/store/module-120.ts rounding",
  "why is the discount taken first?",
  "case-17 passes",
  "order of discount and tax in the ledger",
  "exported rounds",
  "quantum chromodynamics",
  "disc",
];

type Times = { words: number[]; everywhere: number[]; filled: number; indexed: number; bytes: number };

export async function benchSearch(): Promise<Report> {
  const scratch = makeScratch("search");
  try {
    const small = await timesOf(scratch, SMALL);
    const large = await timesOf(scratch, LARGE);
    return reportOf(small, large);
  } finally {
    await scratch.dispose();
  }
}

/** The half of the store is the project that is asked, the other half another's. */
async function timesOf(scratch: Scratch, count: number): Promise<Times> {
  const paths = scratch.another(`of-${count}`);
  const began = performance.now();
  fillObservations(paths, scratch.project, count / 2, count / 200);
  fillObservations(paths, `${scratch.project}-other`, count / 2, count / 200, "other");
  const filled = performance.now();
  const db = openStore(paths.store, paths.backups);
  indexPending(db);
  db.run("pragma wal_checkpoint(truncate)");
  const indexed = performance.now();
  const project = 1;
  await ask(db, project);
  const times: Times = {
    words: [],
    everywhere: [],
    filled: filled - began,
    indexed: indexed - filled,
    bytes: sizeOf(paths.store),
  };
  for (let round = 0; round < ROUNDS; round += 1) {
    times.words.push(...(await ask(db, project)));
    times.everywhere.push(...(await ask(db, null)));
  }
  db.close();
  return times;
}

async function ask(db: Db, project: number | null): Promise<number[]> {
  const times: number[] = [];
  for (const query of QUERIES) {
    const before = performance.now();
    await search(db, { query, project, now: Date.now() });
    times.push(performance.now() - before);
  }
  return times;
}

function reportOf(small: Times, large: Times): Report {
  const report = createReport("search");
  const row = (name: string, times: Times) => [
    name,
    median(times.words),
    percentile(times.words, 0.95),
    median(times.everywhere),
    percentile(times.everywhere, 0.95),
    times.indexed / 1_000,
    times.bytes / 2 ** 20,
  ];
  report.tables.push({
    title: `${QUERIES.length} kinds of query, ${ROUNDS} rounds, ms; half of each store is the project asked`,
    head: ["observations", "project p50", "p95", "everywhere p50", "p95", "indexed in s", "MiB"],
    rows: [row("100,000", small), row("1,000,000", large)],
  });
  atMost(report, "100,000, project, p50 ms", median(small.words), 15);
  atMost(report, "100,000, project, p95 ms", percentile(small.words, 0.95), 50);
  atMost(report, "1,000,000, project, p95 ms", percentile(large.words, 0.95), 150);
  figure(report, "filled in s", large.filled / 1_000);
  return report;
}
