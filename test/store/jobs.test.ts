import { beforeEach, describe, expect, test } from "bun:test";
import { ingest } from "../../src/store/ingest.ts";
import {
  claimJob,
  countJobs,
  failJob,
  finishJob,
  nextJobAt,
  pruneJobs,
  releaseLeases,
  wantJob,
} from "../../src/store/jobs.ts";
import { type Db, openStore } from "../../src/store/open.ts";
import { eventOf, T0 } from "../support/events.ts";
import { usePlaces } from "../support/temp.ts";

const newPlace = usePlaces();
const LEASE = 60_000;
let db: Db;

beforeEach(() => {
  const { paths } = newPlace("jobs");
  db = openStore(paths.store, paths.backups);
  ingest(db, [eventOf("session_start", { reason: "startup" })], { now: T0, isAlive: () => false });
});

const want = (promptNumber: number, runAt = T0) =>
  wantJob(db, "compress", { sessionRow: 1, promptNumber }, runAt, T0);
const claim = (owner = "w1", now = T0) => claimJob(db, owner, now, LEASE);
function claimed(owner = "w1", now = T0) {
  const job = claim(owner, now);
  if (!job) throw new Error("nothing to claim");
  return job;
}

describe("claiming", () => {
  test("nothing where nothing is wanted or due", () => {
    expect(claim()).toBeNull();
    want(1, T0 + 100);
    expect(claim()).toBeNull();
    expect(claim("w1", T0 + 100)).toMatchObject({ promptNumber: 1, attempts: 1, generation: 1 });
  });

  test("what waits longest comes first, each job goes to one", () => {
    want(1, T0 - 10);
    want(2, T0 - 20);
    expect([claimed("w1").promptNumber, claimed("w2").promptNumber, claim("w3")]).toEqual([2, 1, null]);
  });

  test("a lease that ran out frees the job; who had it has it no more", () => {
    want(1);
    const first = claimed("w1");
    expect(claim("w2", T0 + LEASE)).toBeNull();
    const second = claimed("w2", T0 + LEASE + 1);
    expect(second.attempts).toBe(2);
    expect(finishJob(db, first, "w1", T0)).toBe(false);
    failJob(db, first, "w1", "late", null, T0);
    expect(countJobs(db, T0 + LEASE + 2)).toEqual({ pending: 0, processing: 1, failed: 0 });
    expect(finishJob(db, second, "w2", T0)).toBe(true);
  });

  test("wanted again, it is due at the sooner time", () => {
    want(1, T0 + 500);
    want(1, T0 + 100);
    want(1, T0 + 900);
    expect(nextJobAt(db)).toBe(T0 + 100);
  });
});

describe("finishing", () => {
  test("ends it; wanting it later opens it again", () => {
    want(1);
    expect(finishJob(db, claimed(), "w1", T0)).toBe(true);
    expect(nextJobAt(db)).toBeNull();
    want(1, T0 + 5);
    expect(claimed("w1", T0 + 5)).toMatchObject({ attempts: 1, generation: 2 });
  });

  test("does not hide a wish that came meanwhile", () => {
    want(1);
    const job = claimed();
    want(1, T0 + 5);
    finishJob(db, job, "w1", T0);
    expect(countJobs(db, T0)).toEqual({ pending: 1, processing: 0, failed: 0 });
    expect(claimed("w1", T0 + 5).generation).toBe(2);
  });
});

describe("failing", () => {
  test("again later, then for good; a new wish opens it", () => {
    want(1);
    failJob(db, claimed(), "w1", "why", T0 + 50, T0);
    expect(claim()).toBeNull();
    failJob(db, claimed("w1", T0 + 50), "w1", "w".repeat(10_000), null, T0 + 50);
    expect(countJobs(db, T0 + 60)).toEqual({ pending: 0, processing: 0, failed: 1 });
    expect(db.query("select length(error) as n, attempts from jobs").get()).toEqual({
      n: 2_000,
      attempts: 2,
    });
    expect(claim("w1", T0 + 1_000_000)).toBeNull();
    want(1, T0 + 70);
    expect(claimed("w1", T0 + 70).attempts).toBe(1);
    expect(countJobs(db, T0 + 70)).toEqual({ pending: 0, processing: 1, failed: 0 });
  });

  test.each([
    ["for good", null],
    ["until later", T0 + 1_000_000],
  ])("%s does not hide a wish that came meanwhile", (_, retryAt) => {
    want(1);
    const job = claimed();
    want(1, T0 + 5);
    failJob(db, job, "w1", "why", retryAt, T0);
    expect(claim("w1", T0 + 5)).toMatchObject({ generation: 2, attempts: 1 });
  });
});

test("leases go back: one owner's, or everyone's", () => {
  for (const number of [1, 2, 3]) want(number);
  claimed("w1");
  claimed("w2");
  releaseLeases(db, "w1");
  expect(countJobs(db, T0)).toEqual({ pending: 2, processing: 1, failed: 0 });
  releaseLeases(db);
  expect(countJobs(db, T0)).toEqual({ pending: 3, processing: 0, failed: 0 });
});

test("finished work is forgotten, failed work is not", () => {
  want(1);
  finishJob(db, claimed(), "w1", T0);
  want(2);
  failJob(db, claimed(), "w1", "why", null, T0);
  pruneJobs(db, T0 + 1);
  expect(db.query("select prompt_number as n from jobs").all()).toEqual([{ n: 2 }]);
});
