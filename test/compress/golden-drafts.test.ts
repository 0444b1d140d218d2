import { expect, test } from "bun:test";
import { compressLocally } from "../../src/compress/local/compress.ts";
import { bash, bashFails, edit, end, observationsOf, turnOf } from "./turns.ts";

const IN_VALIDATE = [
  " function validate(token: string) {",
  "-  return true;",
  "+  return token !== '';",
  " }",
];

test("an edit says whose words its reason is, and names files from inputs alone", () => {
  const turn = turnOf("make validate strict please", [
    edit("src/auth.ts", IN_VALIDATE),
    end("Done. `src/auth.ts` now refuses empty tokens, as `src/other.ts` does."),
  ]);
  const [draft] = compressLocally(turn).observations;
  expect(draft).toMatchObject({
    unit: "edit:src/auth.ts",
    narrative: "The assistant at the end: `src/auth.ts` now refuses empty tokens, as `src/other.ts` does.",
    facts: ["+1 −1 lines in 1 edit", "Changed: validate", "return true; → return token !== '';"],
    filesModified: ["src/auth.ts"],
    filesRead: [],
    origin: "tool",
    evidence: [2],
    at: turn.events[1]?.at ?? 0,
  });
});

test("types follow what happened: a fix, a refactoring, a feature; tests and prose are changes", () => {
  const typeOf = (prompt: string, path: string, lines: string[], closing = "Done with all of it now.") =>
    observationsOf(prompt, [edit(path, lines), end(closing)])[0]?.type;
  const added = ["+export function total() {", "+}"];
  expect(typeOf("fix the login bug", "src/a.ts", IN_VALIDATE)).toBe("bugfix");
  expect(
    typeOf("go on", "src/a.ts", IN_VALIDATE, "The problem was that `validate` took any token at all."),
  ).toBe("bugfix");
  expect(typeOf("rename it", "src/a.ts", IN_VALIDATE)).toBe("refactor");
  expect(typeOf("yes", "src/a.ts", ["-function old() {", "-}"], "Removed the dead code in `src/a.ts`.")).toBe(
    "refactor",
  );
  expect(typeOf("add a total", "src/a.ts", added)).toBe("feature");
  expect(typeOf("fix the test", "src/a.test.ts", added)).toBe("change");
  expect(typeOf("fix the docs", "README.md", ["+More words"])).toBe("change");
});

test("at most twelve; the slightest edits fold into one that lists all files", () => {
  const edits = Array.from({ length: 30 }, (_, at) =>
    edit(`src/f${at}.ts`, [`+export function f${at}() {}`]),
  );
  const observations = observationsOf("spread it", edits);
  expect(observations.length).toBe(12);
  const folded = observations.find((one) => one.unit === "edit:*");
  expect(folded?.title).toStartWith("Changed 19 more files: ");
  expect(new Set(observations.flatMap((one) => one.filesModified)).size).toBe(30);
});

test("later events leave the units as they were", () => {
  const events = [
    bashFails("bun test", "(fail) logs in\n 1 fail"),
    edit("src/a.ts", IN_VALIDATE),
    bash("bun test", "4 pass\n0 fail"),
    end("`src/a.ts` is fixed."),
  ];
  const units = events.map((_, at) => observationsOf("go", events.slice(0, at + 1)).map((one) => one.unit));
  expect(units[0]).toEqual(["failure:test:bun test"]);
  for (const later of units.slice(1))
    expect(later.toSorted()).toEqual(["edit:src/a.ts", "failure:test:bun test"]);
});
