import { describe, expect, test } from "bun:test";
import { compressLocally } from "../../src/compress/local/compress.ts";
import { bash, bashFails, create, edit, end, fails, ROOT, read, tool, turnOf } from "./turns.ts";

type Events = Parameters<typeof turnOf>[1];

/** `type title` of each observation, in order. */
function linesOf(prompt: string, events: Events): string[] {
  return compressLocally(turnOf(prompt, events)).observations.map((one) => `${one.type} ${one.title}`);
}

const RETRY = "export class Backoff {}\nexport function withRetry() {\n  return 1;\n}\n";
const IN_VALIDATE = [
  " function validate(token: string) {",
  "-  return true;",
  "+  return token !== '';",
  " }",
];
const SUBAGENT = { agentId: "a1", agentType: "Explore" };
const RESEARCH =
  "Great question!\n\nTokens expire early because `parseToken` in `src/auth.ts` compares seconds with milliseconds. " +
  "Every other caller passes milliseconds.\n\n- `src/auth.ts:42` divides by 1000\n- 3 callers are affected\n- nice";

const TABLE: [string, string, Events, string[]][] = [
  [
    "an edit inside a function",
    "tighten it",
    [edit("src/auth.ts", IN_VALIDATE)],
    ["change Changed validate in src/auth.ts"],
  ],
  [
    "a series of edits is one, and what came and went again is not told",
    "add parsing",
    [
      edit("src/auth.ts", ["+export function parseToken() {", "+}"]),
      edit("src/auth.ts", ["+function scratch() {", "+}"]),
      edit("src/auth.ts", ["-function scratch() {", "-}"]),
    ],
    ["feature Added parseToken to src/auth.ts"],
  ],
  [
    "a new file",
    "add retries",
    [create("src/retry.ts", RETRY)],
    ["feature Created src/retry.ts (Backoff, withRetry)"],
  ],
  [
    "a rename",
    "rename it",
    [edit("src/a.py", ["-def load(path):", "+def read_all(path):"])],
    ["refactor Renamed load to read_all in src/a.py"],
  ],
  [
    "a section of prose",
    "explain the set-up",
    [edit("docs/setup.md", [" ## Install", "-Run npm", "+Run bun"])],
    ["change Edited docs/setup.md: section Install"],
  ],
  [
    "a value",
    "wait longer",
    [edit("src/a.ts", ["-  timeout: 10,", "+  timeout: 30,"])],
    ["change Changed `10` to `30` in src/a.ts"],
  ],
  [
    "a fix where the prompt asks for one and sources changed",
    "fix the login bug",
    [edit("src/auth.ts", IN_VALIDATE), edit("README.md", [" # Shop", "+Now with login"])],
    ["bugfix Changed validate in src/auth.ts", "change Edited README.md: section Shop"],
  ],
  [
    "edits of a subagent are the turn's",
    "tighten it",
    [{ ...edit("src/auth.ts", IN_VALIDATE), ...SUBAGENT }],
    ["change Changed validate in src/auth.ts"],
  ],
  [
    "an old and a new text without a patch",
    "go on",
    [
      tool("Edit", {
        file_path: `${ROOT}/m.go`,
        old_string: "func Run() {",
        new_string: "func Run(n int) {",
      }),
    ],
    ["change Changed Run in m.go"],
  ],
  [
    "tests that pass",
    "run them",
    [bash("cd api && bun test 2>&1 | tail -5", " 12 pass\n 0 fail")],
    ["discovery Tests pass (`bun test`, 12 passed)"],
  ],
  [
    "tests that fail, hidden behind a pipe",
    "run them",
    [bash("go test ./... | tail -20", "--- FAIL: TestLogin (0.01s)\nFAIL\nFAIL shop/api 0.3s")],
    ["discovery `go test ./...` fails: TestLogin"],
  ],
  [
    "a failure and its mending are one",
    "make it work",
    [
      bashFails("bun test auth", "Exit code 1\nTypeError: x is not a function\n 1 fail"),
      edit("src/auth.ts", IN_VALIDATE),
      bash("bun test auth", " 3 pass\n 0 fail"),
    ],
    [
      "change Changed validate in src/auth.ts",
      "bugfix Fixed `bun test auth`: TypeError: x is not a function — passes after changing src/auth.ts",
    ],
  ],
  [
    "an unresolved build",
    "build it",
    [bashFails("npm run build", "Exit code 2\nsrc/a.ts(1,2): error TS2339: Property 'y' does not exist.")],
    ["discovery `npm run build` fails: a.ts(1,2): error TS2339: Property 'y' does not exist."],
  ],
  [
    "the same error twice is one",
    "build it",
    [
      bashFails("go build ./...", "a.go:1:2: undefined: x"),
      bashFails("go build ./...", "a.go:1:2: undefined: x"),
    ],
    ["discovery `go build ./...` fails: a.go:1:2: undefined: x"],
  ],
  [
    "git",
    "ship it",
    [
      bash(
        "git add -A && git commit -m \"$(cat <<'EOF'\nAdd retries\n\nMore words\nEOF\n)\"",
        "[main 1a2b3c4] Add retries\n 1 file",
      ),
      bash("git push origin main", "   1a2..3c4  main -> main"),
      bash('gh pr create --title "Retries" --body "x"', "https://github.com/o/r/pull/7"),
    ],
    ["change Committed “Add retries”, pushed main, opened PR “Retries”"],
  ],
  ["installs", "add it", [bash("npm i -D zod hono"), bash("npm ci")], ["change Installed zod and hono"]],
  [
    "noise leaves nothing",
    "look around",
    [
      "ls -la",
      "pwd",
      "git status",
      "git diff | head",
      "cat a | grep b",
      "echo hi",
      "sleep 5",
      "cd x && find . -name y",
    ].map((line) => bash(line, "something")),
    [],
  ],
  [
    "slips leave nothing",
    "look around",
    [
      fails("Read", { file_path: "/x" }, "File does not exist."),
      fails("Edit", { file_path: "/x" }, "String to replace not found in file."),
      bashFails("ls nope", "Exit code 2\nls: nope: No such file or directory"),
    ],
    [],
  ],
  [
    "a refused command and the way round it",
    "publish",
    [
      bashFails("git push --force", "error: failed to push: blocked by hook"),
      bash("git push --force-with-lease"),
    ],
    [
      "discovery `git push --force` was blocked: failed to push: blocked by hook — worked as `git push --force-with-lease`",
      "change Pushed the branch",
    ],
  ],
  [
    "other deeds fold into one",
    "clean up",
    [bash("rm src/old.ts"), bash("docker compose up -d", "", "Start the database")],
    ["change Deleted src/old.ts; start the database"],
  ],
  [
    "a subagent",
    "look into it",
    [
      { ...read("src/auth.ts"), ...SUBAGENT },
      {
        kind: "subagent_end",
        body: { message: "The session is kept in `src/session.ts` by a cookie." },
        ...SUBAGENT,
      },
      tool(
        "Agent",
        { description: "Find sessions", subagent_type: "Explore" },
        { agentId: "a1", status: "completed" },
      ),
    ],
    ["discovery Find sessions: The session is kept in `src/session.ts` by a cookie."],
  ],
  [
    "research",
    "why do tokens expire early?",
    [read("src/auth.ts"), end(RESEARCH)],
    [
      "discovery Tokens expire early because `parseToken` in `src/auth.ts` compares seconds with milliseconds.",
    ],
  ],
  [
    "research that is not sure",
    "why?",
    [
      end(
        `The cache in \`src/c.ts\` is probably stale because nobody clears it. ${"It is read in many places. ".repeat(6)}`,
      ),
    ],
    ["discovery The cache in `src/c.ts` is probably stale because nobody clears it. (unconfirmed)"],
  ],
  [
    "the web",
    "look it up",
    [
      tool(
        "WebFetch",
        { url: "https://docs.example.com/a?b=1", prompt: "limits" },
        { code: 200, result: "Requests are limited to 60 a minute." },
      ),
      tool(
        "WebSearch",
        { query: "bun sqlite" },
        { results: [{ content: [{ title: "SQLite", url: "https://bun.sh/sqlite" }] }] },
      ),
    ],
    [
      "discovery docs.example.com/a: Requests are limited to 60 a minute.",
      "discovery Searched the web for “bun sqlite”: SQLite",
    ],
  ],
];

describe("observations of a turn", () => {
  for (const [name, prompt, events, wanted] of TABLE) {
    test(name, () => expect(linesOf(prompt, events)).toEqual(wanted));
  }
});

describe("drafts", () => {
  test("an edit says whose words its reason is, and names files from inputs alone", () => {
    const turn = turnOf("make validate strict please", [
      edit("src/auth.ts", IN_VALIDATE),
      end("Done. `src/auth.ts` now refuses empty tokens."),
    ]);
    const [draft] = compressLocally(turn).observations;
    expect(draft).toMatchObject({
      unit: "edit:src/auth.ts",
      narrative: "The assistant at the end: `src/auth.ts` now refuses empty tokens.",
      facts: ["+1 −1 lines in 1 edit", "Changed: validate", "return true; → return token !== '';"],
      filesModified: ["src/auth.ts"],
      filesRead: [],
      origin: "tool",
      evidence: [2],
      at: turn.events[1]?.at ?? 0,
    });
  });

  test("a finding carries its gist, its facts and what was read", () => {
    const [draft] = compressLocally(
      turnOf("why do tokens expire early?", [read("src/auth.ts"), end(RESEARCH)]),
    ).observations;
    expect(draft).toMatchObject({
      unit: "finding",
      subtitle: "why do tokens expire early?",
      facts: ["`src/auth.ts:42` divides by 1000", "3 callers are affected"],
      filesRead: ["src/auth.ts"],
      origin: "assistant",
    });
  });

  test("at most twelve; the slightest edits fold into one that lists all files", () => {
    const edits = Array.from({ length: 30 }, (_, at) =>
      edit(`src/f${at}.ts`, [`+export function f${at}() {}`]),
    );
    const { observations } = compressLocally(turnOf("spread it", edits));
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
    const units = events.map((_, at) =>
      compressLocally(turnOf("go", events.slice(0, at + 1))).observations.map((one) => one.unit),
    );
    expect(units[0]).toEqual(["failure:test:bun test"]);
    for (const later of units.slice(1))
      expect(later.toSorted()).toEqual(["edit:src/a.ts", "failure:test:bun test"]);
  });
});
