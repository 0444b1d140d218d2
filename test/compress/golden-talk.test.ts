import { describe, expect, test } from "bun:test";
import { bash, edit, end, golden, observationsOf, read, tool } from "./turns.ts";

const RESEARCH =
  "Great question!\n\nTokens expire early because `parseToken` in `src/auth.ts` compares seconds with milliseconds. " +
  "Every other caller passes milliseconds.\n\n- `src/auth.ts:42` divides by 1000 before it compares\n- 3 callers are affected by the wrong unit\n- nice";
const MORE =
  "It is read in many places of the program and each of them has its own idea of how long it lives there.";
const SUBAGENT = { agentId: "a1", agentType: "Explore" };

describe("what the assistant found out", () => {
  golden([
    [
      "an answer",
      "why do tokens expire early?",
      [read("src/auth.ts"), end(RESEARCH)],
      [
        "discovery Tokens expire early because `parseToken` in `src/auth.ts` compares seconds with milliseconds.",
      ],
    ],
    [
      "said without being sure",
      "why?",
      [end(`The cache in \`src/c.ts\` is probably stale because nobody clears it. ${MORE}`)],
      ["discovery The cache in `src/c.ts` is probably stale because nobody clears it. (unconfirmed)"],
    ],
    [
      "the sentence after one that only announces it",
      "what is it?",
      [
        end(
          `I have gone through all of it now and looked at every caller there is.\n\n**Found the bug!**\n\n\`load()\` keeps the file open when parsing fails. ${MORE}`,
        ),
      ],
      ["discovery `load()` keeps the file open when parsing fails."],
    ],
    [
      "a sentence in bold type",
      "can it be lost?",
      [
        end(
          `The queue has two ends and a middle. ${MORE}\n\n**A job that is handed back while the worker stops is lost!**\n\nBoth sides are tested.`,
        ),
      ],
      ["discovery A job that is handed back while the worker stops is lost!"],
    ],
    [
      "a list is told with its lead",
      "which tools count?",
      [
        end(
          "Here is how it is.\n\n**The watcher in `watch.ts` only counts files written by these tools:**\n- `Write` and `Edit`\n- `NotebookEdit`\n\nCommands of the shell do not count, whatever they do to the files of the project.",
        ),
      ],
      [
        "discovery The watcher in `watch.ts` only counts files written by these tools: `Write` and `Edit`; `NotebookEdit`",
      ],
    ],
    [
      "a denial stays one",
      "do we have duplicated tests?",
      [
        end(
          `No duplicated tests in \`auth.test.ts\`: the two files look at different sides of the login. ${MORE}`,
        ),
      ],
      [
        "discovery No duplicated tests in `auth.test.ts`: the two files look at different sides of the login.",
      ],
    ],
    [
      "yes and no stay with the answer to a question",
      "is the limit checked twice?",
      [end(`Yes. The limit is checked in \`push()\` and once more in \`drain()\`. ${MORE}`)],
      ["discovery Yes: The limit is checked in `push()` and once more in `drain()`."],
    ],
    [
      "a nod in front goes",
      "the queue has no limit",
      [end(`You're right - the queue in \`src/q.ts\` takes any number of jobs. ${MORE}`)],
      ["discovery The queue in `src/q.ts` takes any number of jobs."],
    ],
    [
      "a root cause is told beside the edit that mends it",
      "the login loops",
      [
        edit("src/auth.ts", [" function check() {", "-  a();", "+  b();", " }"]),
        end(
          "Fixed it.\n\nThe root cause was that `check()` compared the cookie with an old session, so each login began anew.",
        ),
      ],
      [
        "bugfix Changed `a` to `b` in check (src/auth.ts)",
        "discovery The root cause was that `check()` compared the cookie with an old session, so each login began anew.",
      ],
    ],
    [
      "and a trap",
      "speed it up",
      [
        edit("src/q.ts", [" function drain() {", "-  a();", "+  b();", " }"]),
        end(
          "Done, `drain()` is faster now. Careful: `flush()` silently drops jobs that are older than an hour.",
        ),
      ],
      [
        "change Changed `a` to `b` in drain (src/q.ts)",
        "discovery Careful: `flush()` silently drops jobs that are older than an hour.",
      ],
    ],
    [
      "a report of what was done is none",
      "speed it up",
      [
        edit("src/q.ts", [" function drain() {", "-  a();", "+  b();", " }"]),
        end("Changed `drain()` in `src/q.ts` to call `b()` because it is faster. All tests pass."),
      ],
      ["change Changed `a` to `b` in drain (src/q.ts)"],
    ],
    [
      "ways to go are no findings",
      "what could we do?",
      [
        end(
          "Options:\n- Rename `load` to `read_all` in every file that uses it now\n- Keep `load` and add a second function beside it for the others\n\nWhich one do you want?",
        ),
      ],
      [],
    ],
    [
      "the web",
      "look it up",
      [
        tool(
          "WebFetch",
          { url: "https://docs.example.com/a?b=1", prompt: "limits" },
          { code: 200, result: "Requests are limited to 60 a minute for each key." },
        ),
        tool(
          "WebSearch",
          { query: "bun sqlite" },
          { results: [{ content: [{ title: "SQLite", url: "https://bun.sh/sqlite" }] }] },
        ),
      ],
      [
        "discovery docs.example.com/a: Requests are limited to 60 a minute for each key.",
        "discovery Searched the web for “bun sqlite”: SQLite",
      ],
    ],
  ]);

  test("a guess is marked as one", () => {
    const [guess] = observationsOf("why?", [
      end(`The cache in \`src/c.ts\` is probably stale because nobody clears it. ${MORE}`),
    ]);
    expect(guess?.hypothesis).toBe(true);
    const [sure] = observationsOf("why do tokens expire early?", [end(RESEARCH)]);
    expect(sure?.hypothesis ?? false).toBe(false);
  });

  test("a finding carries its gist, its facts and what was read; what is only proposed is no fact", () => {
    const [draft] = observationsOf("why do tokens expire early?", [
      read("src/auth.ts"),
      end(`${RESEARCH}\n\nTo fix it we could:\n- divide in \`refresh()\` as well, which all callers use`),
    ]);
    expect(draft).toMatchObject({
      unit: "finding",
      subtitle: "why do tokens expire early?",
      facts: [
        "`src/auth.ts:42` divides by 1000 before it compares",
        "3 callers are affected by the wrong unit",
      ],
      filesRead: ["src/auth.ts"],
      origin: "assistant",
    });
  });
});

test("rows of a table are facts", () => {
  const [draft] = observationsOf("where does it stand?", [
    end(
      `The limit is checked in two places of \`src/q.ts\` and missing in the third.\n\n| # | Place | State |\n|---|---|---|\n| 1 | \`push()\` | checked |\n| 2 | \`flush()\` | missing |\n\n${MORE}`,
    ),
  ]);
  expect(draft?.facts).toEqual(["`push()` — checked", "`flush()` — missing"]);
});

test("a problem and its fix told under such names stand with the edit", () => {
  const [draft] = observationsOf("go on", [
    edit("src/q.ts", [" function drain() {", "-  a();", "+  b();", "+  c();", " }"]),
    end(
      "Done.\n\n**The bug:** `drain()` read the file before the lock was taken.\n\n**The fix:** `drain()` now takes the lock before it reads.",
    ),
  ]);
  expect(draft).toMatchObject({
    type: "bugfix",
    title: "`drain()` now takes the lock before it reads (q.ts)",
    narrative:
      "Problem: `drain()` read the file before the lock was taken. Fix: `drain()` now takes the lock before it reads.",
    concepts: ["problem-solution", "what-changed"],
  });
});

describe("a subagent's run is one", () => {
  const launch = (description: string, answer: string, id = "a1") =>
    tool(
      "Agent",
      { description, subagent_type: "Explore" },
      { agentId: id, status: "completed", content: [{ type: "text", text: answer }] },
    );
  golden([
    [
      "its own calls included",
      "look into it",
      [
        { ...read("src/auth.ts"), ...SUBAGENT },
        { ...bash("bun test", "3 pass"), ...SUBAGENT },
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
      "filler at its start is passed over",
      "look into it",
      [
        launch(
          "Find limits",
          "Now I have a complete picture. Let me write it up.\n\n## Summary\n\nThe limit lives in `src/limit.ts` and is read once at start.",
        ),
      ],
      ["discovery Find limits: The limit lives in `src/limit.ts` and is read once at start."],
    ],
    [
      "a report's verdict rather than its first line",
      "review it",
      [
        launch(
          "Security review",
          "This PR moves the login to a new file.\n\n## Verdict\n\n**The root cause of the leak is that `open()` follows links out of the folder.**",
        ),
      ],
      [
        "discovery Security review: The root cause of the leak is that `open()` follows links out of the folder.",
      ],
    ],
    [
      "several side by side are one each",
      "review it",
      [
        launch("Speed review", "The loop in `drain()` reads the file once for every job."),
        launch("Style review", "Names in `src/q.ts` follow the house rules without exception.", "a2"),
      ],
      [
        "discovery Speed review: The loop in `drain()` reads the file once for every job.",
        "discovery Style review: Names in `src/q.ts` follow the house rules without exception.",
      ],
    ],
    [
      "one that has not answered yet tells nothing",
      "go",
      [tool("Task", { description: "Wait" }, { agentId: "b", isAsync: true, status: "async_launched" })],
      [],
    ],
  ]);
});
