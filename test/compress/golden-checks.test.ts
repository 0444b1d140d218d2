import { describe, expect, test } from "bun:test";
import { bash, bashFails, create, edit, end, fails, golden, observationsOf, read, tool } from "./turns.ts";

const VALIDATE = [" function validate(token: string) {", "-  return true;", "+  return token !== '';", " }"];
const TOTAL = ["+export function total(list: number[]) {", "+  return sum(list);", "+}"];

describe("what failed, what was tried, what mended it", () => {
  golden([
    [
      "a failure there from the start and its fix are one",
      "make it work",
      [
        bashFails("bun test auth", "Exit code 1\nTypeError: x is not a function\n 1 fail"),
        edit("src/auth.ts", VALIDATE),
        bash("bun test auth", " 3 pass\n 0 fail"),
      ],
      [
        "change Changed `true` to `token !== ''` in validate (src/auth.ts)",
        "bugfix Fixed `bun test auth`: TypeError: x is not a function — passes after changing validate in auth.ts",
      ],
    ],
    [
      "an own slip, mended at once, is no story of its own",
      "add a total",
      [
        edit("src/sum.ts", TOTAL),
        bashFails("tsc --noEmit", "Exit code 2\nsrc/sum.ts(2,10): error TS2304: Cannot find name 'sum'."),
        edit("src/sum.ts", ["+import { sum } from './math';"]),
        bash("tsc --noEmit"),
      ],
      ["feature Added total to src/sum.ts"],
    ],
    [
      "own tests that broke three times are one",
      "add a total",
      [
        edit("src/sum.ts", TOTAL),
        ...["a", "b", "c"].flatMap((name) => [
          bashFails("bun test", "Exit code 1\n(fail) adds up\n 1 fail"),
          edit("src/sum.ts", [`+const ${name} = part(list);`]),
        ]),
        bash("bun test", " 4 pass\n 0 fail"),
      ],
      [
        "feature Added total to src/sum.ts",
        "bugfix Fixed `bun test`: adds up — passes after changing total in sum.ts",
      ],
    ],
    [
      "what stays red",
      "build it",
      [bashFails("npm run build", "Exit code 2\nsrc/a.ts(1,2): error TS2339: Property 'y' does not exist.")],
      ["discovery `npm run build` fails: a.ts(1,2): error TS2339: Property 'y' does not exist."],
    ],
    [
      "failing tests by name, hidden behind a pipe",
      "run them",
      [bash("go test ./... | tail -20", "--- FAIL: TestLogin (0.01s)\nFAIL\nFAIL shop/api 0.3s")],
      ["discovery `go test ./...` fails: TestLogin"],
    ],
    [
      "a wider run of the tests that passes mends it",
      "go on",
      [
        bashFails("go test ./api -run TestLogin_Twice", "--- FAIL: TestLogin_Twice (0.01s)\nFAIL"),
        edit("api/login.go", [" func Login() {", "-\ta()", "+\tb()", " }"]),
        bash("go test ./api -run TestLogin", "ok  \tshop/api\t0.3s"),
      ],
      [
        "change Changed `a` to `b` in Login (api/login.go)",
        "bugfix Fixed `go test ./api -run TestLogin_Twice`: TestLogin_Twice — passes after changing Login in login.go",
      ],
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
      "checks that pass where nothing else is told",
      "run them",
      [bash("cd api && bun test 2>&1 | tail -5", " 12 pass\n 0 fail")],
      ["discovery Tests pass (`bun test`, 12 passed)"],
    ],
  ]);

  test("a fix tells problem, cause and fix, with the failing names", () => {
    const [, fix] = observationsOf("the login test fails, please fix", [
      bashFails("bun test", "Exit code 1\n(fail) logs in\n 1 fail"),
      edit("src/auth.ts", VALIDATE),
      bash("bun test", " 5 pass\n 0 fail"),
      end("The root cause was that `validate` let an empty token through, so the login never asked again."),
    ]);
    expect(fix).toMatchObject({
      type: "bugfix",
      concepts: ["problem-solution"],
      facts: ["1 failed", "Failing: logs in"],
      filesModified: ["src/auth.ts"],
    });
    expect(fix?.narrative).toBe(
      "Problem: `bun test` failed: logs in. Cause: The root cause was that `validate` let an empty token through, so the login never asked again. Fix: Changed `true` to `token !== ''` in validate (src/auth.ts). It passes after changing validate in auth.ts (5 passed).",
    );
  });

  test("slips and passing checks stand as facts with the work they belong to", () => {
    const [only, ...others] = observationsOf("add a total", [
      create("src/sum.ts", "export function total() {\n  return sum();\n}\n"),
      bashFails("tsc --noEmit", "Exit code 2\nsrc/sum.ts(2,10): error TS2304: Cannot find name 'sum'."),
      edit("src/sum.ts", ["+import { sum } from './math';"]),
      bash("tsc --noEmit"),
      bash("bun test", " 4 pass\n 0 fail"),
    ]);
    expect(others).toEqual([]);
    expect(only?.facts.slice(-2)).toEqual([
      "On the way `tsc --noEmit` failed: sum.ts(2,10): error TS2304: Cannot find name 'sum'.; mended",
      "Verified: types check (`tsc --noEmit`); tests pass (`bun test`, 4 passed)",
    ]);
  });
});

describe("git and other deeds", () => {
  golden([
    [
      "a commit, a push and a pull request keep their subject",
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
    [
      "branch, merge and tag",
      "release",
      [
        bash("git checkout -b release/2"),
        bash("git merge origin/main", "Merge made."),
        bash("git tag v2.0.0"),
      ],
      ["change Created branch release/2, merged origin/main, tagged v2.0.0"],
    ],
    ["installs", "add it", [bash("npm i -D zod hono"), bash("npm ci")], ["change Installed zod and hono"]],
    [
      "other deeds fold into one",
      "clean up",
      [bash("rm src/old.ts"), bash("docker compose up -d", "", "Start the database")],
      ["change Deleted src/old.ts; start the database"],
    ],
    [
      "a tool of a tracker",
      "file it",
      [tool("mcp__tracker__create_issue", { title: "Login loops" }, "https://t.example/1")],
      ["change Created issue “Login loops” (tracker)"],
    ],
  ]);
});

describe("noise leaves nothing", () => {
  const lines = [
    "ls -la",
    "pwd",
    "git status",
    "git diff | head",
    "cat a | grep b",
    "echo hi",
    "sleep 5",
    "cd x && find . -name y",
  ];
  golden([
    ["commands that only look", "look around", lines.map((line) => bash(line, "something")), []],
    [
      "empty searches, reading twice, instructions read at the start",
      "look around",
      [
        read("CLAUDE.md"),
        read("src/a.ts"),
        read("src/a.ts"),
        tool("Grep", { pattern: "x" }, { mode: "content", content: "", numLines: 0 }),
        tool("Glob", { pattern: "*.x" }, { filenames: [] }),
      ],
      [],
    ],
    [
      "slips of the agent's own tools",
      "look around",
      [
        fails("Read", { file_path: "/x" }, "File does not exist."),
        fails("Edit", { file_path: "/x" }, "String to replace not found in file."),
        bashFails("ls nope", "Exit code 2\nls: nope: No such file or directory"),
        fails("WebFetch", { url: "https://a.example/x" }, "Request failed with status code 404"),
        tool("WebFetch", { url: "https://a.example/y" }, { code: 200, result: "" }),
      ],
      ["discovery Read a.example/y"],
    ],
    [
      "a closing that only nods",
      "commit?",
      [
        end(
          "The branch is ready to merge. Let me know if you need anything else, I am happy to help with it whenever you like. Would you like me to push?",
        ),
      ],
      [],
    ],
  ]);
});
