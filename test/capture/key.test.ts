import { expect, test } from "bun:test";
import type { EventBody, EventKind, SessionEvent } from "../../src/core/event.ts";
import { eventOf, T0 } from "../support/events.ts";

type One = [EventKind, EventBody, Partial<SessionEvent>?];
const call = { tool: "Bash", input: { command: "ls" }, response: { stdout: "a" } };

test.each<[string, One, One]>([
  [
    "a call by two doors",
    ["tool", { ...call, toolUseId: "a" }, { via: "hook" }],
    ["tool", { ...call, toolUseId: "a" }, { via: "mcp", at: T0 + 60_000 }],
  ],
  [
    "a call as success and as failure",
    ["tool", { ...call, toolUseId: "a" }],
    ["tool_failure", { tool: "Bash", toolUseId: "a", error: "no" }],
  ],
  ["a call without the host's id", ["tool", call], ["tool", call, { at: T0 + 60_000, via: "transcript" }]],
  [
    "a prompt with the host's id",
    ["prompt", { prompt: "x" }, { promptId: "p" }],
    ["prompt", { prompt: "x" }, { promptId: "p", at: T0 + 60_000 }],
  ],
  ["a prompt twice in a moment", ["prompt", { prompt: "x" }], ["prompt", { prompt: "x" }, { at: T0 + 500 }]],
  [
    "the same end of a turn",
    ["turn_end", { message: "done" }, { promptId: "p" }],
    ["turn_end", { message: "done" }, { promptId: "p", at: T0 + 60_000 }],
  ],
  [
    "the same end of a turn without ids, in a moment",
    ["turn_end", { message: "done" }],
    ["turn_end", { message: "done" }, { at: T0 + 500 }],
  ],
  [
    "a start twice in a moment",
    ["session_start", { reason: "startup" }],
    ["session_start", { reason: "startup" }, { at: T0 + 500 }],
  ],
])("the same: %s", (_, [kind, body, more], [otherKind, otherBody, otherMore]) => {
  expect(eventOf(kind, body, more).key).toBe(eventOf(otherKind, otherBody, otherMore).key);
});

test.each<[string, One, One]>([
  ["two calls", ["tool", { ...call, toolUseId: "a" }], ["tool", { ...call, toolUseId: "b" }]],
  [
    "two sessions",
    ["tool", { ...call, toolUseId: "a" }],
    ["tool", { ...call, toolUseId: "a" }, { sessionId: "s2" }],
  ],
  [
    "two hosts",
    ["tool", { ...call, toolUseId: "a" }],
    ["tool", { ...call, toolUseId: "a" }, { host: "other" }],
  ],
  [
    "two results of one command without ids",
    ["tool", call],
    ["tool", { ...call, response: { stdout: "b" } }],
  ],
  [
    "the same words said a minute later",
    ["prompt", { prompt: "x" }],
    ["prompt", { prompt: "x" }, { at: T0 + 60_000 }],
  ],
  [
    "the same words under another id",
    ["prompt", { prompt: "x" }, { promptId: "p" }],
    ["prompt", { prompt: "x" }, { promptId: "q" }],
  ],
  [
    "ends of two turns in the same words",
    ["turn_end", { message: "done" }, { promptId: "p" }],
    ["turn_end", { message: "done" }, { promptId: "q" }],
  ],
  [
    "ends of two turns without ids in the same words, a minute apart",
    ["turn_end", { message: "done" }],
    ["turn_end", { message: "done" }, { at: T0 + 60_000 }],
  ],
  [
    "ends of two subagents in the same words",
    ["subagent_end", { message: "done" }, { agentId: "a" }],
    ["subagent_end", { message: "done" }, { agentId: "b" }],
  ],
  ["a start and an end", ["session_start", { reason: "other" }], ["session_end", { reason: "other" }]],
  [
    "a session that is resumed later",
    ["session_start", { reason: "resume" }],
    ["session_start", { reason: "resume" }, { at: T0 + 60_000 }],
  ],
])("not the same: %s", (_, [kind, body, more], [otherKind, otherBody, otherMore]) => {
  expect(eventOf(kind, body, more).key).not.toBe(eventOf(otherKind, otherBody, otherMore).key);
});
