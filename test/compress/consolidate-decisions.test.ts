import { afterEach, describe, expect, test } from "bun:test";
import { decision, finding, linksIn, type Scripted, scripted } from "./scripted.ts";

let store: Scripted | undefined;
afterEach(() => store?.close());

function linkOf(older: string, newer: string, pinned = false): string | null {
  store = scripted([{ drafts: [decision(older, { pinned })] }, { session: "s2", drafts: [decision(newer)] }]);
  store.compress([0, 1]);
  const rows = store.db
    .query("select superseded_how from observations where superseded_by is not null")
    .values();
  return (rows[0]?.[0] as string | undefined) ?? null;
}

describe("a later rule of the user on the same matter takes the place of the earlier", () => {
  const REPLACED: [string, string][] = [
    ["Always use npm", "From now on use pnpm"],
    ["Always use npm for this project", "Use pnpm instead of npm"],
    ["Remember: we use Jest for unit tests", "From now on we use Vitest for unit tests"],
    ["Always indent with tabs", "Always indent with spaces"],
    ["Always run the e2e tests before pushing", "Never run the e2e tests before pushing"],
    ["The dev server always runs on port 3000", "From now on the dev server runs on port 4000"],
    ["Which database for the cache? → Redis", "Which database for the cache? → Postgres"],
    ["Immer npm verwenden", "Ab jetzt pnpm statt npm verwenden"],
    ["Wir haben beschlossen, Jest zu nutzen", "Ab sofort nutzen wir Vitest"],
    ["Siempre usa npm", "A partir de ahora usa pnpm en lugar de npm"],
    ["Toujours utiliser npm", "Désormais utiliser pnpm au lieu de npm"],
    ["总是使用 npm", "从现在开始使用 pnpm"],
    ["今後は npm を使ってください", "これからは npm ではなく pnpm を使ってください"],
  ];
  test.each(REPLACED)("%s / %s", (older, newer) => expect(linkOf(older, newer)).toBe("corrected"));
});

describe("rules that hold side by side both stand", () => {
  const BOTH: [string, string][] = [
    ["Always use npm", "Always write tests first"],
    ["Always use npm in the docs folder", "Use pnpm in the mobile app"],
    ["Never use npm", "From now on use pnpm"],
    ["Always use npm or pnpm", "Always use yarn in CI"],
    ["Always merge main before a review", "Never rebase shared branches"],
    ["Never commit to main", "Always branch off develop"],
    ["Always answer in English", "Write the German translations by hand"],
    ["Immer Tests schreiben", "Immer die Doku aktualisieren"],
    ["Siempre usa comillas simples", "Nunca uses var"],
    ["总是写测试", "总是更新文档"],
  ];
  test.each(BOTH)("%s / %s", (older, newer) => expect(linkOf(older, newer)).toBeNull());
});

describe("the same rule said again", () => {
  const AGAIN: [string, string][] = [
    ["Always run the linter before committing", "Always run the linter before committing, please"],
    ["Immer vor dem Commit den Linter laufen lassen", "Vor dem Commit immer den Linter laufen lassen!"],
    ["总是在提交之前运行测试", "提交之前总是运行测试"],
  ];
  test.each(AGAIN)("%s / %s", (older, newer) => expect(linkOf(older, newer)).toBe("repeated"));
});

describe("whose word it is", () => {
  test("a pinned rule gives way to the user's newer word alone, and keeps its pin", () => {
    expect(linkOf("Remember: use npm", "From now on use pnpm", true)).toBe("corrected");
    expect(store?.db.query("select pinned from observations order by id limit 1").values()).toEqual([[1]]);
  });

  test("a pinned rule said again stands", () => {
    expect(linkOf("Remember: always run the linter", "Always run the linter", true)).toBeNull();
  });

  test("the assistant's word takes nothing from the user's", () => {
    store = scripted([
      { drafts: [decision("Always use npm")] },
      { drafts: [finding("From now on the project uses pnpm instead of npm", { type: "decision" })] },
    ]);
    store.compress([0, 1]);
    expect(linksIn(store.db)).toEqual([]);
  });
});
