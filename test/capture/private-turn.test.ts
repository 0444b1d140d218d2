/** A turn whose prompt is wholly private, through the real hook program, in every order its events may come. */
import { beforeAll, describe, expect, test } from "bun:test";
import { ensureBuilt, type Json, payloadFor, runHook, toolPayload } from "../support/programs.ts";
import { filesHolding } from "../support/store.ts";
import { type Place, usePlaces, withoutWorker } from "../support/temp.ts";

const newPlace = usePlaces();
beforeAll(ensureBuilt);

const WORD = "PINEAPPLE";
const PRIVATE = { prompt: "<private>buy shares of ACME</private>" };
const PUBLIC = { prompt: "and now the tests" };

const say = (place: Place, event: string, fields: Json) =>
  runHook(place, event, payloadFor(place, event, fields));
const call = (place: Place, fields: Json) =>
  runHook(place, "PostToolUse", toolPayload(place, "late", { tool_response: { stdout: WORD }, ...fields }));

describe("nothing of a private turn is kept", () => {
  const p1 = { prompt_id: "p1" };
  const p2 = { prompt_id: "p2" };
  const table: [string, ((place: Place) => Promise<unknown>)[]][] = [
    [
      "a tool call in it",
      [(place) => say(place, "UserPromptSubmit", { ...PRIVATE, ...p1 }), (place) => call(place, p1)],
    ],
    [
      "a tool call without ids",
      [
        (place) => say(place, "UserPromptSubmit", { ...PRIVATE, prompt_id: "" }),
        (place) => call(place, { prompt_id: "" }),
      ],
    ],
    [
      "a tool call that comes after the next prompt",
      [
        (place) => say(place, "UserPromptSubmit", { ...PRIVATE, ...p1 }),
        (place) => say(place, "UserPromptSubmit", { ...PUBLIC, ...p2 }),
        (place) => call(place, p1),
      ],
    ],
    [
      "its end",
      [
        (place) => say(place, "UserPromptSubmit", { ...PRIVATE, ...p1 }),
        (place) => say(place, "Stop", { ...p1, last_assistant_message: WORD }),
      ],
    ],
    [
      "the summary that a later compaction makes of the session",
      [
        (place) => say(place, "UserPromptSubmit", { ...PRIVATE, ...p1 }),
        (place) => say(place, "UserPromptSubmit", { ...PUBLIC, ...p2 }),
        (place) =>
          say(place, "PostCompact", { ...p2, trigger: "auto", compact_summary: `The user told ${WORD}.` }),
      ],
    ],
  ];
  test.each(table)("%s", async (_, steps) => {
    const place = withoutWorker(newPlace("private"));
    for (const step of steps) await step(place);
    expect(filesHolding(place.paths.data, WORD)).toEqual([]);
    expect(filesHolding(place.paths.data, "ACME")).toEqual([]);
  });

  test("but the turn after it is", async () => {
    const place = withoutWorker(newPlace("private"));
    await say(place, "UserPromptSubmit", { ...PRIVATE, ...p1 });
    await say(place, "UserPromptSubmit", { ...PUBLIC, ...p2 });
    await call(place, p2);
    expect(filesHolding(place.paths.data, WORD)).toHaveLength(1);
  });
});
