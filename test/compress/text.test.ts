import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { cutText, firstSentence, oneLine, sentencesOf } from "../../src/core/text.ts";

const CUTS: [string, string, number, string][] = [
  ["fits", "abc", 3, "abc"],
  ["at a word", "one two three four", 12, "one two…"],
  ["no room", "abcdef", 1, ""],
  ["inside a long word", "abcdefghij", 5, "abcd…"],
  ["never inside a family", "ab👨‍👩‍👧cd", 6, "ab…"],
  ["never inside a flag", "🇩🇪🇫🇷", 7, "🇩🇪…"],
  ["never before an accent", "cafe\u0301s", 5, "caf…"],
];

describe("text", () => {
  for (const [name, text, max, wanted] of CUTS)
    test(`cut: ${name}`, () => expect(cutText(text, max)).toBe(wanted));

  test("a cut is never too long and leaves no half of a pair", () => {
    fc.assert(
      fc.property(
        fc.string({ unit: "grapheme", maxLength: 200 }),
        fc.integer({ min: 2, max: 80 }),
        (text, max) => {
          const cut = cutText(text, max);
          expect(cut.length).toBeLessThanOrEqual(max);
          if (text.isWellFormed()) expect(cut.isWellFormed()).toBe(true);
        },
      ),
    );
  });

  test("sentences end at points that end something", () => {
    expect(sentencesOf("See a.ts, e.g. line 3. Then 1.5 s! 好的。再见")).toEqual([
      "See a.ts, e.g. line 3.",
      "Then 1.5 s!",
      "好的。",
      "再见",
    ]);
    expect(firstSentence("1. do it\nnow")).toBe("1. do it now");
    expect(oneLine(" a\r\n\tb\u0000c ")).toBe("a b c");
  });
});
