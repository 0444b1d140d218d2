import { describe, expect, test } from "bun:test";
import { bash, create, edit, editAt, end, golden, observationsOf, ROOT, read, tool } from "./turns.ts";

const RETRY = "export class Backoff {}\nexport function withRetry() {\n  return 1;\n}\n";
const IN_VALIDATE = [
  " function validate(token: string) {",
  "-  return true;",
  "+  return token !== '';",
  " }",
];
const SUBAGENT = { agentId: "a1", agentType: "Explore" };
const HANDLER = [
  "package web",
  "",
  "func Serve(addr string) error {",
  "\tmux := newMux()",
  "\tmux.Handle(addr)",
  "\tmux.Handle(addr)",
  "\tmux.Handle(addr)",
  "\treturn run(mux)",
  "}",
].join("\n");

describe("what changed in a file", () => {
  golden([
    [
      "a value inside a function",
      "tighten it",
      [edit("src/auth.ts", IN_VALIDATE)],
      ["change Changed `true` to `token !== ''` in validate (src/auth.ts)"],
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
      "the function around a hunk that does not show it, from an earlier read",
      "log it",
      [
        read("web/serve.go", HANDLER),
        editAt("web/serve.go", 5, [" \tmux.Handle(addr)", "+\taudit.Record(addr)"]),
      ],
      ["change Changed Serve in web/serve.go: now calls audit.Record"],
    ],
    [
      "also after an earlier edit moved the lines",
      "log it",
      [
        read("web/serve.go", HANDLER),
        editAt("web/serve.go", 1, [" package web", "+", "+func Stop() {", "+\thalt()", "+}"]),
        editAt("web/serve.go", 9, [" \tmux.Handle(addr)", "+\taudit.Record(addr)"]),
      ],
      ["feature Added Stop, changed Serve in web/serve.go"],
    ],
    [
      "from a search with line numbers",
      "log it",
      [
        tool(
          "Grep",
          { pattern: "x", path: `${ROOT}/a.py` },
          { content: "3:def load(path):\n4-    body = path" },
        ),
        editAt("a.py", 4, ["     body = path", "+    audit(path)"]),
      ],
      ["change Changed load in a.py: now calls audit"],
    ],
    [
      "from the old text of the edit",
      "log it",
      [
        tool(
          "Edit",
          {
            file_path: `${ROOT}/b.go`,
            old_string: "func Close() {\n\ta()\n\tb()\n\tc()\n\td()\n}",
            new_string: "func Close() {\n\ta()\n\tb()\n\tc()\n\td()\n\tflushAll()\n}",
          },
          {
            structuredPatch: [{ oldStart: 11, lines: [" \tb()", " \tc()", " \td()", "+\tflushAll()", " }"] }],
          },
        ),
      ],
      ["change Changed Close in b.go: now calls flushAll"],
    ],
    [
      "one call put for another",
      "go on",
      [edit("a.go", [" func Root() string {", "-\tdir := os.Getwd()", "+\tdir := repo.Top()", " }"])],
      ["change Changed `os.Getwd` to `repo.Top` in Root (a.go)"],
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
      "the same rename in several files is one",
      "call it step",
      ["a", "b", "c"].map((name) =>
        edit(`src/${name}.ts`, ["-use(phase, 1);", "-drop(phase);", "+use(step, 1);", "+drop(step);"]),
      ),
      ["change Renamed phase to step in 3 files: src/a.ts, src/b.ts and src/c.ts"],
    ],
    [
      "a source and its tests are one",
      "add parsing",
      [
        edit("src/auth.go", ["+func Parse() {", "+}"]),
        edit("src/auth_test.go", ["+func TestParse(t *testing.T) {", "+}"]),
      ],
      ["feature Added Parse to src/auth.go; TestParse in auth_test.go"],
    ],
    [
      "a name that moved to another file",
      "split it",
      [
        edit("src/all.ts", ["-export function readOrders() {", "-  return 1;", "-}"]),
        edit("src/orders.ts", ["+export function readOrders() {", "+  return 1;", "+}"]),
      ],
      ["refactor Moved readOrders from src/all.ts to src/orders.ts"],
    ],
    [
      "a section of prose",
      "explain the set-up",
      [edit("docs/setup.md", [" ## Install", "-Run npm", "+Run bun"])],
      ["change Edited docs/setup.md: section Install (“Run bun”)"],
    ],
    [
      "a value",
      "wait longer",
      [edit("src/a.ts", ["-  timeout: 10,", "+  timeout: 30,"])],
      ["change Changed `10` to `30` in src/a.ts"],
    ],
    [
      "a reworded message keeps the words before it",
      "say it",
      [
        edit("src/a.ts", [
          "-  say('To go on with the other one instead');",
          "+  say('To go on with the other one instead, close here');",
        ]),
      ],
      ["change Changed `the other one instead` to `the other one instead, close here` in src/a.ts"],
    ],
    [
      "an import",
      "go on",
      [edit("src/a.ts", ['+import { z } from "zod";'])],
      ["change Imported `zod` in src/a.ts"],
    ],
    [
      "where no name is known, the assistant's words about the file",
      "steady",
      [
        edit("scripts/run.sh", ['-id="$(date +%s)"', '+id="$(uuidgen)"', "+export id"]),
        end("Done.\n\n- `scripts/run.sh` now makes a random id for each session instead of the time."),
      ],
      ["change `scripts/run.sh` now makes a random id for each session instead of the time"],
    ],
    [
      "edits of a subagent are the turn's",
      "tighten it",
      [{ ...edit("src/auth.ts", IN_VALIDATE), ...SUBAGENT }],
      ["change Changed `true` to `token !== ''` in validate (src/auth.ts)"],
    ],
    [
      "an old and a new text without a patch",
      "go on",
      [
        tool("Edit", {
          file_path: `${ROOT}/m.go`,
          old_string: "func Run() {\n\ta()",
          new_string: "func Run() {\n\tb()\n\tcheckAll()",
        }),
      ],
      ["change Changed Run in m.go: now calls checkAll"],
    ],
    [
      "several edits in one call",
      "go on",
      [
        tool("MultiEdit", {
          file_path: `${ROOT}/m.ts`,
          edits: [
            { old_string: "", new_string: "export function first() {}" },
            { old_string: "", new_string: "export function second() {}" },
          ],
        }),
      ],
      ["feature Added first and second to m.ts"],
    ],
    [
      "a cell of a notebook",
      "go on",
      [tool("NotebookEdit", { notebook_path: `${ROOT}/n.ipynb`, new_source: "frame = load_frame(path)" })],
      ["change n.ipynb now calls load_frame"],
    ],
    [
      "a patch as text",
      "go on",
      [
        tool("apply_patch", {
          input:
            "*** Begin Patch\n*** Update File: src/a.ts\n@@ function total() {\n-  return 1;\n+  return count(all);\n*** Add File: src/b.ts\n+export const LIMIT = 3;\n*** End Patch",
        }),
      ],
      ["change Changed `1` to `count(all)` in total (src/a.ts)", "feature Created src/b.ts (LIMIT)"],
    ],
    [
      "a file written by a command",
      "go on",
      [bash("cat > src/gen.py <<'EOF'\ndef build(path):\n    pass\nEOF", "")],
      ["feature Wrote src/gen.py (build)"],
    ],
  ]);
});

test("files are listed as modified whatever wrote, moved or deleted them", () => {
  const files = (command: string) =>
    observationsOf("go", [bash(command)]).flatMap((one) => one.filesModified);
  expect(files("sed -i 's/a/b/' src/a.ts")).toEqual(["src/a.ts"]);
  expect(files("git mv src/a.ts src/b.ts && ls")).toEqual(["src/a.ts", "src/b.ts"]);
  expect(files("rm -f old.txt && mv src/x.ts src/y.ts")).toEqual(["old.txt", "src/x.ts", "src/y.ts"]);
  expect(files("gofmt -w cmd/main.go")).toEqual(["cmd/main.go"]);
  expect(files("npx prettier --write src/a.ts src/b.ts")).toEqual(["src/a.ts", "src/b.ts"]);
  expect(files("echo done >> notes/log.md")).toEqual(["notes/log.md"]);
  expect(files("git restore src/a.ts")).toEqual(["src/a.ts"]);
  expect(files("git add src/a.ts src/b.ts && git commit -m 'Add both'")).toEqual(["src/a.ts", "src/b.ts"]);
  for (const none of [
    "rm -rf /tmp/x",
    "cp a.txt ~/b.txt",
    "echo x > $DIR/f.json",
    "rm .git/index.lock",
    "cat a > /dev/null",
  ])
    expect(files(none)).toEqual([]);
});
