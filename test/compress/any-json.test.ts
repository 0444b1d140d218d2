import { expect, test } from "bun:test";
import fc from "fast-check";
import { compressLocally } from "../../src/compress/local/compress.ts";
import { EVENT_KINDS, type Json } from "../../src/core/event.ts";
import { CONCEPTS, OBSERVATION_TYPES } from "../../src/core/observation.ts";
import type { StoredEvent, Turn } from "../../src/core/turn.ts";
import { bash, edit, end, turnOf } from "./turns.ts";

const TOOLS = [
  "Bash",
  "Edit",
  "MultiEdit",
  "Write",
  "NotebookEdit",
  "Read",
  "Grep",
  "Task",
  "Agent",
  "WebFetch",
  "WebSearch",
  "TaskOutput",
  "mcp__a__create_b",
  "",
];
const KEYS = [
  "file_path",
  "command",
  "old_string",
  "new_string",
  "content",
  "edits",
  "url",
  "query",
  "results",
  "structuredPatch",
  "lines",
  "agentId",
  "description",
  "title",
  "task",
  "stdout",
];
const text = fc.oneof(
  fc.string({ unit: "grapheme" }),
  fc.string({ unit: "binary" }),
  fc.constantFrom(
    "bun test && git commit -m 'x",
    "$(cat <<EOF",
    "/a/../b",
    "remember: x",
    "FAIL\n--- FAIL: A",
  ),
);
const json = fc.letrec<{ value: Json }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    text,
    fc.constantFrom<Json>(null, true, 0, -1.5),
    fc.array(tie("value"), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom(...KEYS), tie("value"), { maxKeys: 4 }),
  ),
})).value;

const loose = fc.record(
  {
    tool: fc.oneof(fc.constantFrom(...TOOLS), json),
    toolUseId: json,
    input: json,
    response: json,
    error: json,
    message: json,
    prompt: json,
    interrupted: json,
    summarize: json,
  },
  { requiredKeys: [] },
);
const event = fc.record({
  id: fc.nat(),
  kind: fc.constantFrom(...EVENT_KINDS),
  at: fc.nat(),
  agentId: fc.constantFrom(null, "a1"),
  agentType: fc.constantFrom(null, "Explore"),
  cwd: fc.constantFrom(null, "/a", "C:\\a"),
  // Stored bodies came from outside once: their fields may be anything.
  body: loose.map((body) => body as unknown as StoredEvent["body"]),
});
const turn: fc.Arbitrary<Turn> = fc.record({
  root: fc.constantFrom(null, "/a", "/", "C:\\a"),
  promptNumber: fc.nat(),
  prompt: text,
  events: fc.array(event, { maxLength: 12 }),
});

test("whatever the events hold, nothing is thrown and every draft is well made", () => {
  fc.assert(
    fc.property(turn, (given) => {
      const once = compressLocally(given);
      expect(compressLocally(given)).toEqual(once);
      const units = once.observations.map((draft) => draft.unit);
      expect(new Set(units).size).toBe(units.length);
      for (const draft of once.observations) {
        expect(draft.title.length).toBeGreaterThan(0);
        expect(draft.title.length).toBeLessThanOrEqual(110);
        expect(OBSERVATION_TYPES as readonly string[]).toContain(draft.type);
        for (const concept of draft.concepts) expect(CONCEPTS as readonly string[]).toContain(concept);
        if (draft.type === "decision") expect(draft.origin).toBe("user");
      }
    }),
    { numRuns: 1_500 },
  );
});

test("a thousand events of every kind come to a few observations", () => {
  const line = `src/a.ts:1:2: error TS1: ${"x".repeat(200)}`;
  const events = Array.from({ length: 1_000 }, (_, at) =>
    at % 2 === 0
      ? edit(`src/f${at % 40}.ts`, [`+export function f${at}() {`, "+}"])
      : bash("tsc | tail", `${line}\n`.repeat(80)),
  );
  const { observations, summary } = compressLocally(turnOf("go", [...events, end("All of it is done.")]));
  expect(observations.length).toBeLessThanOrEqual(12);
  expect(summary).not.toBeNull();
});
