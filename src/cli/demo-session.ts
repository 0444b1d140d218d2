/** A small session written for the demo: a note-taking tool whose search forgets accents. */

export type DemoStep = { event: string; say?: string; payload: Record<string, unknown> };

const SESSION = "demo-1";
const base = (promptId: string) => ({ session_id: SESSION, prompt_id: promptId });

let calls = 0;
function tool(
  promptId: string,
  say: string,
  name: string,
  input: Record<string, unknown>,
  response: unknown,
): DemoStep {
  calls += 1;
  const payload = {
    ...base(promptId),
    tool_name: name,
    tool_use_id: `demo_${calls}`,
    tool_input: input,
    tool_response: response,
  };
  return { event: "PostToolUse", say, payload };
}

function failed(promptId: string, say: string, input: Record<string, unknown>, error: string): DemoStep {
  calls += 1;
  return {
    event: "PostToolUseFailure",
    say,
    payload: { ...base(promptId), tool_name: "Bash", tool_use_id: `demo_${calls}`, tool_input: input, error },
  };
}

const TEST = { command: "npm test -- search", description: "Run the search tests" };

export const DEMO_FILES: Record<string, string> = {
  "src/search.ts":
    "export function match(note: string, query: string): boolean {\n  return fold(note).includes(fold(query));\n}\n",
  "package.json": '{ "name": "inkwell", "scripts": { "test": "vitest run" } }\n',
};

export const DEMO_STEPS: readonly DemoStep[] = [
  { event: "SessionStart", say: "startup", payload: { session_id: SESSION, source: "startup" } },
  {
    event: "UserPromptSubmit",
    say: "“Searching for “cafe” doesn't find “Café notes”. Please fix it.”",
    payload: {
      ...base("p1"),
      prompt:
        "Searching for cafe doesn't find my note called Café notes. Please fix the search and keep it fast.",
    },
  },
  tool(
    "p1",
    "Read src/search.ts",
    "Read",
    { file_path: "$PROJECT/src/search.ts" },
    {
      type: "text",
      file: {
        filePath: "$PROJECT/src/search.ts",
        content:
          "export function match(note, query) { return note.toLowerCase().includes(query.toLowerCase()); }",
        numLines: 3,
        startLine: 1,
        totalLines: 3,
      },
    },
  ),
  failed(
    "p1",
    "Bash npm test — fails",
    TEST,
    "Exit code 1\n FAIL  test/search.test.ts > match > ignores accents\nAssertionError: expected false to be true\n\n Tests  1 failed | 6 passed (7)",
  ),
  tool(
    "p1",
    "Edit src/search.ts",
    "Edit",
    {
      file_path: "$PROJECT/src/search.ts",
      old_string: "  return note.toLowerCase().includes(query.toLowerCase());",
      new_string: "  return fold(note).includes(fold(query));",
    },
    {
      filePath: "$PROJECT/src/search.ts",
      structuredPatch: [
        {
          oldStart: 1,
          oldLines: 3,
          newStart: 1,
          newLines: 7,
          lines: [
            " export function match(note: string, query: string): boolean {",
            "-  return note.toLowerCase().includes(query.toLowerCase());",
            "+  return fold(note).includes(fold(query));",
            " }",
            "+",
            "+function fold(text: string): string {",
            '+  return text.normalize("NFD").replace(/\\p{M}/gu, "").toLowerCase();',
            "+}",
          ],
        },
      ],
    },
  ),
  tool("p1", "Bash npm test — passes", "Bash", TEST, {
    stdout: " ✓ test/search.test.ts (7 tests) 12ms\n\n Tests  7 passed (7)",
    stderr: "",
    interrupted: false,
  }),
  {
    event: "Stop",
    payload: {
      ...base("p1"),
      stop_hook_active: false,
      last_assistant_message:
        "Search now ignores accents. The root cause: `match` only lower-cased its texts, so “é” and “e” stayed different; `fold` in src/search.ts now also removes combining marks after NFD normalisation. All 7 search tests pass.\n\nNext steps:\n- Fold the notes once when they are saved: folding on every search takes 40 ms at 10,000 notes.",
    },
  },
  {
    event: "UserPromptSubmit",
    say: "“Remember: tests are run with npm test, never with a global vitest.”",
    payload: {
      ...base("p2"),
      prompt: "Remember: tests are run with npm test, never with a global vitest. Then commit.",
    },
  },
  tool(
    "p2",
    "Bash git commit",
    "Bash",
    { command: "git commit -am 'Ignore accents in search'", description: "Commit the fix" },
    {
      stdout: "[main 3f2a1bc] Ignore accents in search\n 1 file changed, 5 insertions(+), 1 deletion(-)",
      stderr: "",
      interrupted: false,
    },
  ),
  {
    event: "Stop",
    payload: {
      ...base("p2"),
      stop_hook_active: false,
      last_assistant_message: "Committed as “Ignore accents in search”.",
    },
  },
  {
    event: "SessionEnd",
    say: "the session ends",
    payload: { session_id: SESSION, reason: "prompt_input_exit" },
  },
];
