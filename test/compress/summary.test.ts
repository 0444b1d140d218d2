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
      investigated: "Read src/auth.ts; searched for `parseToken`",
      learned: "The root cause was a unit mix-up.",
      completed:
        "Fixed `parseToken` in `src/auth.ts`. Changed parseToken in src/auth.ts. Tests pass (`bun test`, 5 passed).",
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
