import { describe, expect, test } from "bun:test";
import { compressLocally } from "../../src/compress/local/compress.ts";
import { edit, end, type Made, turnOf } from "./turns.ts";

const MENU = `There are two ways to keep prices.

1. **One table (Recommended)** - every price with the dates it holds
2. **A column on the product** - simple, but the past is gone

Which one do you prefer?`;
const LETTERS = "Wie soll das heißen?\n\nA) Preisliste\nB) Tarif\n";
const NEXT = "All done.\n\n1. Commit the changes\n2. Open a pull request\n\nWhat would you like to do next?";
const OFFER = "The parser is slow because it copies the input. Should I make it read in place?";

function made(
  prompt: string,
  previous: string,
  events: Made[] = [end("I have written that down in the plan.")],
) {
  const { observations, summary } = compressLocally({ ...turnOf(prompt, events), previous });
  return {
    told: observations.map((one) => `${one.type} ${one.title}`),
    observations,
    request: summary?.request,
  };
}

describe("a short answer is told with what it answers", () => {
  test.each<[string, string, string[], string]>([
    [
      "2",
      MENU,
      ["decision A column on the product - simple, but the past is gone"],
      "“2” to: A column on the product - simple, but the past is gone",
    ],
    [
      "option 1, we need the past",
      MENU,
      ["decision One table - every price with the dates it holds"],
      "“option 1, we need the past” to: One table - every price with the dates it holds",
    ],
    [
      "let's go with 1",
      MENU,
      ["decision One table - every price with the dates it holds"],
      "“let's go with 1” to: One table - every price with the dates it holds",
    ],
    ["b", LETTERS, ["decision Tarif"], "“b” to: Tarif"],
    ["2", NEXT, [], "“2” to: Open a pull request"],
    ["yes", OFFER, [], "“yes” to: Should I make it read in place?"],
    ["ja, mach das", OFFER, [], "“ja, mach das” to: Should I make it read in place?"],
    ["7", MENU, [], "7"],
    ["2 tests fail now, can you look?", MENU, [], "2 tests fail now, can you look?"],
    ["yes", "", [], "yes"],
    ["add a test", MENU, [], "add a test"],
  ])("%s", (prompt, previous, told, request) => {
    const result = made(prompt, previous);
    expect(result.told).toEqual(told);
    expect(result.request).toBe(request);
  });

  test("the decision keeps question, option, and the user's own words; it is the user's", () => {
    const [decision] = made("1, we need the past", MENU).observations;
    expect(decision).toMatchObject({
      origin: "user",
      concepts: ["trade-off"],
      facts: ["Not chosen: A column on the product - simple, but the past is gone"],
    });
    expect(decision?.narrative).toContain("Asked: Which one do you prefer?");
    expect(decision?.narrative).toContain("In the user's words: 1, we need the past");
  });
});

describe("what was wrong makes a mending of the edits it names alone", () => {
  const BUG = "Prices can be kept now. The root cause of the wrong totals was that roundCents rounded twice.";
  test("the others stay what they are", () => {
    const edits = [
      edit("src/price.ts", ["+export function keepPrice() {", "+}"]),
      edit("src/round.ts", [
        " export function roundCents(value) {",
        "-  return round(round(value));",
        "+  return round(value);",
        " }",
      ]),
      edit("src/store.ts", ["+export function openPrices() {", "+}"]),
      end(BUG),
    ];
    const types = made("keep prices with their dates", "", edits).observations.map(
      (one) => `${one.type} ${one.unit}`,
    );
    expect(types).toContain("bugfix edit:src/round.ts");
    expect(types).toContain("feature edit:src/price.ts");
    expect(types).toContain("feature edit:src/store.ts");
  });
});
