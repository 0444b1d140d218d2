import { afterEach, describe, expect, test } from "bun:test";
import { summarizeSession } from "../../src/compress/session/summary.ts";
import type { Observation, Summary, SummaryDraft } from "../../src/core/observation.ts";
import { recentSessionSummaries, turnSummaries } from "../../src/store/summaries.ts";
import {
  committed,
  type Draft,
  draftOf,
  editOf,
  failing,
  finding,
  mended,
  passing,
  type Scripted,
  type ScriptedTurn,
  scripted,
} from "./scripted.ts";

const open: Scripted[] = [];
afterEach(() => {
  for (const store of open.splice(0)) store.close();
});

function storeOf(turns: readonly ScriptedTurn[]): Scripted {
  const store = scripted(turns);
  open.push(store);
  store.compress(turns.map((_, at) => at));
  return store;
}

/** The whole session's summary after all its turns were compressed. */
function wholeOf(turns: readonly ScriptedTurn[]): Summary {
  const [whole] = recentSessionSummaries(storeOf(turns).db, 1, 5);
  if (!whole) throw new Error("The session has no summary.");
  return whole;
}

const turn = (summary: Partial<SummaryDraft>, ...drafts: Draft[]): ScriptedTurn => ({ summary, drafts });

describe("what the session was for", () => {
  const asked = (...requests: string[]) =>
    wholeOf(requests.map((request) => turn({ request, filesEdited: ["src/a.ts", "src/b.ts"] }))).request;

  test.each([
    [["Add a tax column to the invoice table"], "Add a tax column to the invoice table"],
    [["ok go on", "Add a tax column to the invoice table", "yes"], "Add a tax column to the invoice table"],
    [
      ["[Request interrupted by user]", "Füge der Rechnung eine Steuerspalte hinzu", "weiter"],
      "Füge der Rechnung eine Steuerspalte hinzu",
    ],
    [["继续", "给发票表格加一列税额，并更新导出功能"], "给发票表格加一列税额，并更新导出功能"],
    [
      ["Add a tax column to the invoice table", "Now export customers as CSV from the admin page"],
      "Add a tax column to the invoice table → Now export customers as CSV from the admin page",
    ],
    [
      ["Add a tax column to the invoice table", "The tax column of the invoice table is too wide"],
      "Add a tax column to the invoice table",
    ],
  ])("%j", (requests, whole) => expect(asked(...requests)).toBe(whole));

  test("by time, not by number: a prompt found late has a higher one", () => {
    const late = { ...turn({ request: "Add a tax column to the invoice table" }), hour: 1 };
    const early = { ...turn({ request: "Explain how invoices are stored in the database" }), hour: 0 };
    expect(wholeOf([late, early]).request).toStartWith("Explain how invoices");
  });
});

describe("what it learned", () => {
  test("the strongest, each once", () => {
    const whole = wholeOf([
      turn(
        { request: "Why is the export slow?" },
        finding("The export is slow because `readRows` opens a connection per row"),
      ),
      turn(
        { request: "Fix it", learned: "The export is slow because `readRows` opens one connection per row." },
        finding("The button is blue"),
      ),
    ]);
    expect(whole.learned).toBe("The export is slow because `readRows` opens a connection per row.");
  });

  test("not what was taken back", () => {
    const whole = wholeOf([
      turn(
        { request: "Why are orders lost?" },
        finding("`syncOrders` drops orders because the queue is full"),
      ),
      turn(
        { request: "Are you sure?" },
        finding("I was wrong: `syncOrders` drops orders because of the timezone, not the queue"),
      ),
    ]);
    expect(whole.learned).toContain("timezone");
    expect(whole.learned).not.toContain("queue is full");
  });
});

describe("what stands at the end", () => {
  test("commits, files by area, the last verdict", () => {
    const whole = wholeOf([
      turn(
        { request: "Add rates", filesEdited: ["src/rates/load.ts", "src/rates/parse.ts", "docs/rates.md"] },
        editOf("src/rates/load.ts", "Added loadRates to src/rates/load.ts"),
        failing("test", "npm test", ["rates.load"]),
      ),
      turn(
        { request: "Go on" },
        passing("Tests pass (`npm test`, 9 passed)"),
        committed("add rates", "aaaaaaa"),
      ),
    ]);
    expect(whole.completed).toBe("Committed “add rates”. Changed 3 files (src/rates 2, docs 1). Tests pass.");
    expect(whole.nextSteps).toBe("");
  });

  test("no commit that was reverted", () => {
    const whole = wholeOf([
      turn({ request: "Add rates" }, committed("add rates", "aaaaaaa")),
      turn(
        { request: "Undo that" },
        { unit: "run:git", title: "Reverted aaaaaaa", facts: ["Reverted aaaaaaa"], type: "change" },
      ),
    ]);
    expect(whole.completed).not.toContain("add rates");
  });

  test("the assistant's words in their language", () => {
    const whole = wholeOf([
      turn({
        request: "Füge Steuern hinzu",
        completed:
          "Die Steuerspalte der Rechnung wird jetzt aus `rates.json` berechnet. Edited src/a.ts: `x`.",
        filesEdited: ["src/a.ts"],
      }),
    ]);
    expect(whole.completed).toStartWith(
      "Die Steuerspalte der Rechnung wird jetzt aus `rates.json` berechnet.",
    );
  });
});

describe("what is left to do", () => {
  const left = (...turns: ScriptedTurn[]) => wholeOf(turns).nextSteps;
  const named = turn({
    request: "Add rates",
    nextSteps: "Add tests for `parseRate`. Document the rate limits in the README.",
  });

  test.each<[string, ScriptedTurn[], string]>([
    ["all of the last turn", [named], "Add tests for `parseRate`. Document the rate limits in the README."],
    [
      "not what a later turn did",
      [named, turn({ request: "Go on", completed: "Added tests for `parseRate`." })],
      "Document the rate limits in the README.",
    ],
    [
      "not what was asked for later",
      [named, turn({ request: "Please document the rate limits in the README" })],
      "Add tests for `parseRate`.",
    ],
    [
      "not what an edit shows as done",
      [
        named,
        turn(
          { request: "Go on" },
          editOf("test/parse.test.ts", "Added tests of parseRate to test/parse.test.ts"),
        ),
      ],
      "Document the rate limits in the README.",
    ],
    [
      "the open items of a plan, but for what its turn did",
      [
        turn(
          { request: "Add rates" },
          {
            unit: "plan",
            title: "Planned 2 steps",
            facts: ["Open: Add `parseRate` to rates.ts", "Open: Show rates on the invoice"],
          },
          editOf("src/rates.ts", "Added parseRate to src/rates.ts", { facts: ["Added: parseRate"] }),
        ),
      ],
      "Show rates on the invoice.",
    ],
    [
      "a check left failing",
      [turn({ request: "Add rates" }, failing("test", "npm test", ["rates.load"]))],
      "`npm test` fails: rates.load.",
    ],
    [
      "not one that was mended",
      [
        turn(
          { request: "Add rates", nextSteps: "`npm test` still fails: rates.load." },
          failing("test", "npm test", ["rates.load"]),
        ),
        turn({ request: "Fix it" }, mended("test", "npm test", ["rates.load"])),
      ],
      "",
    ],
  ])("%s", (_, turns, expected) => expect(left(...turns)).toBe(expected));
});

test("it stays short however long the session was", () => {
  const long = Array.from({ length: 60 }, (_, at) =>
    turn(
      {
        request: `Change number ${at}: ${"please rework the module that does it ".repeat(6)}`,
        learned: `The module${at} fails because \`thing${at}\` is ${"very ".repeat(40)}old.`,
        completed: `The \`thing${at}\` was reworked ${"again ".repeat(40)}.`,
        nextSteps: `Rework \`other${at}\` ${"too ".repeat(40)}.`,
        notes: "A call was interrupted by the user.",
        filesEdited: Array.from({ length: 30 }, (__, file) => `src/area${at}/file${file}.ts`),
        filesRead: Array.from({ length: 30 }, (__, file) => `lib/area${at}/file${file}.ts`),
      },
      committed(`rework number ${at} ${"and more ".repeat(20)}`, "aaaaaaa"),
    ),
  );
  const { request, investigated, learned, completed, nextSteps, notes } = wholeOf(long);
  expect([request, investigated, learned, completed, nextSteps, notes].join("").length).toBeLessThan(1_450);
});

describe("in the store", () => {
  const first = turn({
    request: "Add a tax column to the invoice table",
    learned: "It is slow because of `a_b`.",
  });
  const second = turn({
    request: "Export customers as CSV from the admin page",
    filesEdited: ["a.ts", "b.ts"],
  });

  test("its id stays; turns are told apart from it", () => {
    const store = storeOf([first, second]);
    const [before] = recentSessionSummaries(store.db, 1, 5);
    store.compress([1, 0, 1]);
    expect(recentSessionSummaries(store.db, 1, 5)).toEqual(before ? [before] : []);
    expect(before?.promptNumber).toBeNull();
    expect(turnSummaries(store.db, 1, 5).map((one) => one.promptNumber)).toEqual([1, 2]);
  });

  test("newest session first, one each", () => {
    const store = storeOf([
      { ...first, session: "old" },
      { ...second, session: "new" },
      { ...second, session: "new" },
    ]);
    expect(recentSessionSummaries(store.db, 1, 5).map((one) => one.sessionId)).toEqual(["new", "old"]);
    expect(recentSessionSummaries(store.db, 1, 1).map((one) => one.sessionId)).toEqual(["new"]);
  });

  test("gone when nothing is left of its turns", () => {
    const store = storeOf([first]);
    store.rewrite(0, {});
    store.compress([0]);
    expect(recentSessionSummaries(store.db, 1, 5)).toEqual([]);
  });

  test("nothing of a turn that turned out to be private", () => {
    const store = storeOf([first, second]);
    store.db.run("update prompts set private = 1, text = '' where number = 2");
    store.compress([1]);
    expect(JSON.stringify(recentSessionSummaries(store.db, 1, 5))).not.toContain("CSV");
  });
});

test("no turn with a summary, no summary", () => {
  const note = { ...draftOf(finding("x"), 1), id: 1, supersededBy: null } as unknown as Observation;
  expect(summarizeSession([], [note])).toBeNull();
});
