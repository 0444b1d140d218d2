import { describe, expect, test } from "bun:test";
import { compressLocally } from "../../src/compress/local/compress.ts";
import { bash, edit, end, read, tool, turnOf } from "./turns.ts";

describe("a turn's summary", () => {
  test("tells asked, looked into, learned, done and next", () => {
    const turn = turnOf("fix the login\n```\nlong log\n```\nsoon", [
      read("src/auth.ts"),
      tool("Grep", { pattern: "parseToken" }),
      edit("src/auth.ts", [" function parseToken() {", "-  return 1;", "+  return 2;", " }"]),
      bash("bun test", "5 pass\n0 fail"),
      end(
        "Done. Fixed `parseToken` in `src/auth.ts`. The root cause was a unit mix-up.\n\n## Next steps\n- Update the docs",
      ),
    ]);
    expect(compressLocally(turn).summary).toEqual({
      request: "fix the login soon",
      investigated: "Read src/auth.ts",
      learned: "The root cause was a unit mix-up.",
      completed:
        "Fixed `parseToken` in `src/auth.ts`. Changed `1` to `2` in parseToken (src/auth.ts). Tests pass (`bun test`, 5 passed).",
      nextSteps: "Update the docs.",
      notes: "",
      filesRead: ["src/auth.ts"],
      filesEdited: ["src/auth.ts"],
      at: 1_700_000_000_000 + 5_000,
    });
  });

  test("claims no green tests while one fails, and says what is left", () => {
    const { summary } = compressLocally(
      turnOf("go on", [
        edit("src/a.ts", ["+export const a = 1;"]),
        bash("bun test | tail", "(fail) adds up\n 1 fail"),
        end("Added `a` to src/a.ts and all tests pass."),
      ]),
    );
    expect(summary?.completed).toBe("Added a to src/a.ts.");
    expect(summary?.nextSteps).toBe("`bun test` still fails: adds up.");
  });

  test("offers and questions are no next steps, open tasks are", () => {
    const { summary } = compressLocally(
      turnOf("go on", [
        tool("TaskCreate", { subject: "Write the docs" }, { task: { id: "1" } }),
        tool("TaskCreate", { subject: "Add the parser" }, { task: { id: "2" } }),
        tool("TaskUpdate", { taskId: "2", status: "completed" }),
        edit("src/a.ts", ["+export const a = 1;"]),
        end(
          "Added `a` to src/a.ts.\n\nNext steps:\n- Would you like me to commit?\n- Shall I go on with the docs?",
        ),
      ]),
    );
    expect(summary?.nextSteps).toBe("Write the docs.");
  });

  test("what is found out is learned; where only searches were made, they are told", () => {
    const { summary } = compressLocally(
      turnOf("where is it?", [
        tool("Grep", { pattern: "limit" }),
        end(
          "The limit is read in `src/limit.ts`, once, when the server starts. Options:\n- move it to `src/b.ts`",
        ),
      ]),
    );
    expect(summary?.learned).toBe("The limit is read in `src/limit.ts`, once, when the server starts.");
    expect(summary?.investigated).toBe("Searched for `limit`");
  });

  const none: [string, Parameters<typeof turnOf>[1]][] = [
    ["no end", [read("a.ts")]],
    ["an end without words", [{ kind: "turn_end", body: { message: " " } }]],
    ["a summary is not wanted", [{ kind: "turn_end", body: { message: "Words.", summarize: false } }]],
    ["only a subagent ended", [{ kind: "subagent_end", body: { message: "Words." }, agentId: "a" }]],
  ];
  for (const [name, events] of none) {
    test(`none: ${name}`, () => expect(compressLocally(turnOf("x", events)).summary).toBeNull());
  }

  test("an API error is noted", () => {
    const { summary } = compressLocally(
      turnOf("x", [{ kind: "turn_failure", body: { error: "overloaded", message: "Half done." } }]),
    );
    expect(summary?.notes).toBe("Ended with an error: overloaded");
  });
});
