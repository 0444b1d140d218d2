/** Selection by worth: what comes first, what is put together, what is still open. */
import { describe, expect, test } from "bun:test";
import { usePlaces } from "../support/temp.ts";
import { type Note, openPast } from "./past.ts";

const place = usePlaces();
const SMALL = { CLAUDE_MEM_CONTEXT_OBSERVATIONS: 3 };

function trivial(count: number): Note[] {
  return Array.from({ length: count }, (_, index) => ({
    title: `Edited the text of page number ${index}`,
    filesModified: [`docs/page-${index}.md`, `docs/other-${index}.md`],
  }));
}

describe("worth", () => {
  test("an alert and a decision of last week outlast the small changes of yesterday", () => {
    const past = openPast(place());
    past.session("old", 24 * 5, [
      { title: "A token was written to the log", type: "security_alert" },
      { title: "Amounts are kept in cents", type: "decision", origin: "user" },
    ]);
    past.session("new", 20, trivial(20));
    const { text } = past.tell({ settings: SMALL });
    expect(text).toContain("A token was written to the log");
    expect(text).toContain("Amounts are kept in cents");
  });

  test("work of this branch comes before newer work of others", () => {
    const past = openPast(place());
    past.session(
      "here",
      60,
      [{ title: "Prices are rounded late now", filesModified: ["src/a.ts", "src/b.ts"] }],
      {
        branch: "fix/rounding",
        summary: { request: "Round the prices late", completed: "Prices are rounded late" },
      },
    );
    past.session("there", 20, trivial(20), {
      branch: "feat/other",
      summary: { request: "Rewrite the pages", completed: "Pages are rewritten" },
    });
    const here = past.tell({ settings: SMALL, git: { branch: "fix/rounding" } }).text;
    expect(here).toContain(
      "## Last session (2026-05-18, branch fix/rounding)\n- Asked: Round the prices late",
    );
    expect(here).toContain("Prices are rounded late now");
    const main = past.tell({ settings: SMALL, git: { branch: "main" } }).text;
    expect(main).toContain("- Asked: Rewrite the pages");
  });

  test("what is superseded is not told; a guess is told as one, a repetition with its count", () => {
    const past = openPast(place());
    const [wrong, right, guess] = past.session("s1", 20, [
      { title: "The search is broken" },
      { title: "The parser was wrong, the search is fine" },
      { title: "The cache may be stale after a restart", hypothesis: true },
    ]);
    const again = past.session("s2", 10, [{ title: "The search is fine, once more" }])[0];
    const set = past.db.query("update observations set superseded_by = ?, superseded_how = ? where id = ?");
    set.run(right ?? 0, "corrected", wrong ?? 0);
    set.run(right ?? 0, "repeated", again ?? 0);
    const { text } = past.tell();
    expect(text).not.toContain("The search is broken");
    expect(text).toContain(`- #${right} change (noted 2 times): The parser was wrong`);
    expect(text).toContain(`- #${guess} change (unconfirmed): The cache may be stale`);
  });

  test("ten notes on one file are one line, its test with it, and that says what was done", () => {
    const past = openPast(place());
    const notes = Array.from(
      { length: 10 },
      (_, index): Note => ({
        title: `Changed rule${index} in src/rules/tax.ts`,
        filesModified: index % 2 ? ["src/rules/tax.ts", "src/rules/tax.test.ts"] : ["src/rules/tax.ts"],
      }),
    );
    past.session("s1", 20, [...notes, { title: "Taxes are due in June", type: "discovery" }]);
    const { text } = past.tell();
    const lines = text.split("\n").filter((line) => line.includes("tax"));
    expect(lines).toHaveLength(1);
    expect(lines[0]).toMatch(
      /^- src\/rules\/tax\{,\.test\}\.ts: Changed rule9; Changed rule8 \(10 notes #\d+, #\d+, #\d+, …\)$/,
    );
    expect(text).toContain("Taxes are due in June");
  });

  test("the same said twice of the same files is told once", () => {
    const past = openPast(place());
    past.session("s1", 30, [
      { title: "The nightly import needs the read replica to be up", type: "discovery" },
    ]);
    past.session("s2", 20, [{ title: "The nightly import needs the read replica up", type: "discovery" }]);
    past.session("s3", 10, [
      { title: "The nightly import needs 3 read replicas to be up", type: "discovery" },
    ]);
    expect(past.tell().text.match(/nightly import needs the/g)).toHaveLength(1);
    expect(past.tell().text).toContain("needs 3 read replicas");
  });

  test("the files worked on are named by directory, with how often, the steadiest first", () => {
    const past = openPast(place());
    for (let index = 0; index < 6; index += 1) {
      const filesEdited = [
        `src/once-${index}.ts`,
        "src/core/money.ts",
        ...(index > 3 ? ["src/core/money.test.ts"] : []),
      ];
      past.session(`s${index}`, 100 - index * 10, [], {
        summary: {
          request: `Round ${index}`,
          completed: "Done",
          filesEdited: [...filesEdited, "/etc/hosts", "../x.ts"],
        },
      });
    }
    const { text } = past.tell();
    expect(text).toContain("- src/core/: money{,.test}.ts ×6\n- src/: once-5.ts, once-4.ts");
    expect(text).not.toMatch(/hosts|x\.ts/);
  });
});

describe("unfinished", () => {
  const summary = { request: "Speed up the import", completed: "The import takes half the time" };

  test("next steps that nothing took up; those that a later session did are gone", () => {
    const past = openPast(place());
    past.session("s1", 60, [], {
      summary: {
        ...summary,
        nextSteps: "Add an index on the customer column. Measure the import with a million rows.",
      },
    });
    past.session(
      "s2",
      20,
      [{ title: "Added an index on the customer column", filesModified: ["db/index.sql"] }],
      {
        summary: { request: "Go on", completed: "The index is there" },
      },
    );
    const { text } = past.tell();
    expect(text).toContain("## Unfinished\n- Next (2026-05-18): Measure the import with a million rows.");
    expect(text).not.toContain("Next (2026-05-18): Add an index");
  });

  test("a commit of this checkout takes a step up too; after two weeks none is told", () => {
    const past = openPast(place());
    past.session("s1", 60, [], {
      summary: { ...summary, nextSteps: "Measure the import with a million rows." },
    });
    const commits = [{ at: Date.UTC(2026, 4, 20), subject: "Measure the import with million rows" }];
    const { text } = past.tell({ git: { commits } });
    expect(text).not.toContain("- Next");
    expect(text).toContain("- Committed since the last session: Measure the import");
    expect(past.tell({ now: Date.UTC(2026, 5, 20) }).text).not.toContain("- Next");
  });

  test("a check left red, until something settles it", () => {
    const past = openPast(place());
    const red: Note = {
      unit: "failure:test:npm test",
      title: "`npm test` fails: taxes are rounded twice",
      type: "discovery",
      concepts: ["gotcha"],
    };
    const mended: Note = {
      unit: "failure:lint:npm run lint",
      title: "Fixed `npm run lint`: unused name",
      concepts: ["problem-solution"],
    };
    const [id] = past.session("s1", 20, [red, mended], { summary });
    expect(past.tell().text).toContain(
      `- Failed when last run (2026-05-19): \`npm test\` fails: taxes are rounded twice (#${id})`,
    );
    expect(past.tell().text).not.toContain("Failed when last run (2026-05-19): Fixed");
    past.db.run("update observations set superseded_by = 2, superseded_how = 'settled' where id = 1");
    expect(past.tell().text).not.toContain("Failed when last run");
  });

  test("what is not committed here; what was left on another branch is that branch's", () => {
    const past = openPast(place());
    past.session("s1", 60, [], {
      branch: "feat/a",
      summary: {
        ...summary,
        nextSteps: "Write the page on importing.",
        filesEdited: ["src/a.ts", "src/b.ts", "src/c.ts"],
      },
    });
    past.session("s2", 20, [], {
      branch: "feat/b",
      summary: { request: "Pages", completed: "Pages are there" },
    });
    const uncommitted = (paths: readonly string[]) => paths.filter((path) => path !== "src/b.ts");
    const there = past.tell({ git: { branch: "feat/b", uncommitted } }).text;
    expect(there).toContain("- Uncommitted here: src/{a.ts,c.ts}");
    expect(there).not.toContain("Write the page");
    expect(past.tell({ git: { branch: "feat/a" } }).text).toContain("- Next: Write the page on importing.");
  });
});

describe("going on", () => {
  test("after compact this very session is told, in little room; after clear the one before", () => {
    const past = openPast(place());
    past.session("older", 60, trivial(30), {
      summary: { request: "Rewrite the pages", completed: "Pages are rewritten" },
    });
    past.session(
      "mine",
      2,
      [
        { title: "Use cents, never floats", type: "decision", origin: "user" },
        { title: "Rounding moved to the end", filesModified: ["src/money.ts"] },
      ],
      {
        summary: {
          request: "Round the prices late",
          completed: "Half of it",
          nextSteps: "Move the discount too.",
          filesEdited: ["src/money.ts", "src/tax.ts"],
        },
      },
    );
    past.session("beside", 1, [], { summary: { request: "Something beside", completed: "All of it" } });
    const compact = past.tell({ source: "compact", sessionId: "mine" });
    expect(compact.text).toContain(
      "## This session so far\n- Asked: Round the prices late\n- Done: Half of it\n",
    );
    expect(compact.text).toContain("decision: Use cents, never floats");
    expect(compact.text).toContain("- Changed in it: src/{money.ts,tax.ts}");
    expect(compact.text).toContain("- Next: Move the discount too.");
    expect(compact.text.length).toBeLessThanOrEqual(4_000);
    expect(compact.text).not.toContain("Other files worked on");
    const clear = past.tell({ source: "clear", sessionId: "fresh" }).text;
    expect(clear).toContain("## The session before this one\n- Asked: Something beside");
  });

  test("after compact nothing else is taken for this session", () => {
    const past = openPast(place());
    past.session("older", 60, trivial(3), {
      summary: { request: "Rewrite the pages", completed: "Pages are rewritten" },
    });
    const { text } = past.tell({ source: "compact", sessionId: "unknown" });
    expect(text).not.toContain("## This session so far");
    expect(text).toContain("- session: Rewrite the pages");
  });
});
