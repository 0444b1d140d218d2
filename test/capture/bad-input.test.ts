/** Whatever comes in: exit code 0, the host's JSON or nothing, not a word on standard error. */
import { beforeAll, describe, expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { readBroken } from "../../src/capture/trouble.ts";
import { listSpool } from "../../src/spool/drain.ts";
import {
  EVENTS,
  each,
  ensureBuilt,
  type HookRun,
  payloadFor,
  runHook,
  startWorker,
  statusOf,
  toolPayload,
  waitForStored,
} from "../support/programs.ts";
import { type Place, usePlaces, withoutWorker } from "../support/temp.ts";

const newPlace = usePlaces();
let place: Place;

beforeAll(async () => {
  await ensureBuilt();
  place = withoutWorker(newPlace("bad-input"));
});

function expectQuiet(name: string, run: HookRun): void {
  const answered = run.stdout === "" || run.json !== null;
  const blocks = /"(permissionDecision|decision|updatedInput|continue)"/.test(run.stdout);
  expect({ name, exit: run.exitCode, stderr: run.stderr, answered, blocks }).toEqual({
    name,
    exit: 0,
    stderr: "",
    answered: true,
    blocks: false,
  });
}

const deep = (levels: number) => `${"[".repeat(levels)}${"]".repeat(levels)}`;
/** The event's payload with these fields' JSON text put in as it is. */
const rawFields = (event: string, fields: string) =>
  `${JSON.stringify(payloadFor(place, event, { tool_name: "Bash", agent_type: "a" })).slice(0, -1)},${fields}}`;
const everyText = (value: unknown) => ({
  session_id: value,
  transcript_path: value,
  cwd: value,
  prompt: value,
  prompt_id: value,
  agent_id: value,
  agent_type: value,
  tool_name: value,
  tool_input: value,
  tool_response: value,
  tool_use_id: value,
  duration_ms: value,
  error: value,
  source: value,
  reason: value,
  last_assistant_message: value,
  stop_hook_active: value,
});

/** Payloads that are no payload: each is counted. */
const BROKEN: [string, string | Uint8Array][] = [
  ["nothing", ""],
  ["white space", " \n\t"],
  ["HK-01: cut in the middle", '{"session_id":"s1","prompt":"hel'],
  ["words", "hello"],
  ["a list", '[{"session_id":"s1"}]'],
  ["null", "null"],
  ["a number", "7"],
  ["nested 100,000 deep", deep(100_000)],
  ["bytes that are no text", Buffer.from([0xff, 0xfe, 0x00, 0x80, 0xc3])],
];

/** Payloads that are objects, and strange. */
const STRANGE: [string, (event: string) => string | Uint8Array][] = [
  ["an empty object", () => "{}"],
  ["null everywhere", (event) => JSON.stringify({ hook_event_name: event, ...everyText(null) })],
  ["numbers everywhere", (event) => JSON.stringify({ hook_event_name: event, ...everyText(7) })],
  ["objects everywhere", (event) => JSON.stringify({ hook_event_name: event, ...everyText({ a: [1] }) })],
  [
    "texts where objects are wanted",
    (event) => JSON.stringify(payloadFor(place, event, { ...everyText("text"), session_id: "s1" })),
  ],
  [
    "nested 100,000 deep inside",
    (event) => rawFields(event, `"tool_input":${deep(100_000)},"tool_response":${deep(100_000)}`),
  ],
  [
    "nested 2,000 deep inside",
    (event) => rawFields(event, `"tool_input":${deep(2_000)},"prompt":${deep(2_000)}`),
  ],
  [
    "5 MB",
    (event) =>
      JSON.stringify(
        payloadFor(place, event, {
          tool_name: "Bash",
          tool_response: { stdout: "line of output\n".repeat(350_000) },
        }),
      ),
  ],
  [
    "invalid UTF-8 in a text",
    (event) =>
      Buffer.concat([
        Buffer.from(`{"session_id":"s1","hook_event_name":"${event}","prompt":"`),
        Buffer.from([0xc3, 0x28, 0xff]),
        Buffer.from('"}'),
      ]),
  ],
  [
    "half characters",
    (event) =>
      rawFields(
        event,
        '"prompt":"a\\ud800","session_id":"s\\udc00","error":"\\ud800","last_assistant_message":"\\ud83d","tool_use_id":"\\ud800","tool_input":{"\\ud800":"\\udfff"}',
      ),
  ],
  [
    "NUL",
    (event) =>
      JSON.stringify(
        payloadFor(place, event, {
          cwd: "/a\0b",
          transcript_path: "/t\0",
          session_id: "s\0",
          prompt: "a\0b",
          tool_name: "B\0",
        }),
      ),
  ],
  [
    "paths upwards",
    (event) =>
      JSON.stringify(
        payloadFor(place, event, {
          session_id: "../../../etc",
          cwd: "../../..",
          transcript_path: "../../../etc/passwd",
          prompt: "x",
          tool_name: "../x",
          tool_use_id: "../../y",
        }),
      ),
  ],
  [
    "paths of 5,000 characters",
    (event) =>
      JSON.stringify(
        payloadFor(place, event, {
          cwd: `/${"d".repeat(5_000)}`,
          transcript_path: `/${"t/".repeat(2_500)}`,
          session_id: "s".repeat(5_000),
          prompt: "x",
          tool_name: "Read",
          tool_input: { file_path: `/${"f".repeat(5_000)}` },
        }),
      ),
  ],
  [
    "a transcript that is a directory, a device",
    (event) => JSON.stringify(payloadFor(place, event, { transcript_path: "/dev/zero", cwd: "/dev/null" })),
  ],
  [
    "a name that means something to JavaScript",
    (event) => rawFields(event, '"__proto__":{"x":1},"constructor":1,"tool_input":{"__proto__":{"y":2}}'),
  ],
];

describe.each(EVENTS)("%s", (event) => {
  test("payloads that are none are counted and harmless", async () => {
    const before = readBroken(place.paths.state.broken).total;
    const runs = await each(BROKEN, ([, input]) => runHook(place, event, input));
    for (const [at, run] of runs.entries()) expectQuiet(BROKEN[at]?.[0] ?? "", run);
    // A session's start tells the count and begins anew.
    if (event === "SessionStart") expect(runs.some((run) => /broken/.test(run.notice))).toBe(true);
    else expect(readBroken(place.paths.state.broken).total).toBe(before + BROKEN.length);
  });

  test("strange payloads are harmless", async () => {
    const runs = await each(STRANGE, ([, make]) => runHook(place, event, make(event)));
    for (const [at, run] of runs.entries()) expectQuiet(STRANGE[at]?.[0] ?? "", run);
  });
});

test("unknown hosts and events, and no words at all", async () => {
  for (const event of ["", "Dance", "__proto__", "constructor", "toString"]) {
    expectQuiet(event, await runHook(place, event, payloadFor(place, event)));
  }
});

describe("after all that", () => {
  test("the worker takes what was kept, and lives", async () => {
    const worker = await startWorker(place);
    await waitForStored(place);
    await runHook(place, "PostToolUse", toolPayload(place, "after"));
    await waitForStored(place);
    expect(listSpool(place.paths.spool)).toEqual([]);
    expect((await statusOf(place))?.pid).toBe(worker.pid);
    await worker.stop();
  });

  test("nothing was set aside as unreadable", () => {
    const bad = existsSync(place.paths.spool.bad);
    expect(bad).toBe(false);
  });
});
