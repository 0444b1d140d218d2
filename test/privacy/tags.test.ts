import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import type { Json } from "../../src/core/event.ts";
import { isWhollyPrivate, stripTags, tagFlood } from "../../src/privacy/tags.ts";

const TABLE: [name: string, input: string, expected: string][] = [
  ["no tag", "plain <b>text</b> a < b", "plain <b>text</b> a < b"],
  ["private", "a<private>x</private>b", "ab"],
  ["any case and attributes", "a<PRIVATE why='x' >x</Private >b", "ab"],
  ["white space inside the tag", "a< private\n>x< / private >b", "ab"],
  ["nesting", "<private>a<private>b</private>c</private>d", "d"],
  ["unclosed", "a<private>b\nc", "a"],
  ["opening tag without its end", "a <private b c", "a "],
  ["lone closing", "a</private>b", "ab"],
  ["self-closing opens too", "a<private/>b", "a"],
  [
    "other names",
    "<privately>a</privately> #include <private/foo.h>",
    "<privately>a</privately> #include <private/foo.h>",
  ],
  ["escaped", "a\\u003cprivate\\u003eb\\u003c/private\\u003ec", "ac"],
  ["escaped upper case and twice", "a\\\\u003Cprivate\\\\u003Eb\\\\u003C\\/private\\\\u003Ec", "ac"],
  ["escaped letters", "a<pri\\u0076ate>b</p\\\\u0072ivate>c", "ac"],
  ["escaped slash and newline", "a<private\\n>b<\\/private>c", "ac"],
  ["halves that would join", "<pri<private></private>vate>x", ""],
  ["private in backticks counts", "`<private>` x", "`"],
  ["wrapper as block", "a\n  <system-reminder>x</system-reminder>\nb", "a\n  \nb"],
  ["wrapper closed inline", "a <System-Reminder>x</system-reminder> b", "a  b"],
  ["wrapper unclosed at line start", "a\n<persisted-output>\nx", "a\n"],
  ["wrapper after an escaped line end", 'a\\n<system-reminder>x"', "a\\n"],
  ["wrapper unclosed inline is a mention", "a <system-reminder> tag", "a <system-reminder> tag"],
  ["quoted mention", 'x.includes("<system-reminder>")', 'x.includes("<system-reminder>")'],
  ["mention at line start", "`<system-reminder>` is a tag", "`<system-reminder>` is a tag"],
  ["mentions before a block", "<system-reminder> tags. a\nb <system-reminder>x</system-reminder>", ""],
  [
    "inline mentions before a block",
    "may hold <system-reminder> tags\n<system-reminder>x</system-reminder>y",
    "may hold <system-reminder> tags\ny",
  ],
  [
    "private across a wrapper's end",
    "a <system-reminder><private>x</system-reminder>y</private>z",
    "a <system-reminder>z",
  ],
  [
    "all wrappers",
    [
      "claude-mem-context",
      "throughline-context",
      "system_instruction",
      "system-instruction",
      "persisted-output",
    ]
      .map((n) => `<${n}>x</${n}>`)
      .join("|"),
    "||||",
  ],
];

describe("stripTags", () => {
  test.each(TABLE)("%s", (_name, input, expected) => {
    expect(stripTags(input).text).toBe(expected);
    expect(stripTags(expected).text).toBe(expected);
  });

  test("counts tags and tells private ones", () => {
    expect(stripTags("<private>a</private><system-reminder>b</system-reminder>")).toEqual({
      text: "",
      tags: 4,
      private: true,
    });
    expect(stripTags("<system-reminder>b</system-reminder>").private).toBe(false);
    expect(stripTags("<private>".repeat(100_000)).tags).toBe(100_000);
  });

  test.each([
    ["<private>x</private>", true],
    [" \n<private>x</private>\\n ", true],
    ["<private>x", true],
    ["<private>x</private> y", false],
    ["", false],
    ["  ", false],
    ["<system-reminder>x</system-reminder>", false],
  ])("isWhollyPrivate(%j) is %p", (text, expected) => {
    expect(isWhollyPrivate(text)).toBe(expected);
  });

  const piece = fc.constantFrom(
    "<private>",
    "</private>",
    "<system-reminder>",
    "</system-reminder>",
    "\n",
    "\\n",
    "a",
    "`",
    '"',
    "<",
    ">",
    "\\",
    "\\u003c",
    "private",
    "/",
    " ",
    "<pri",
    "vate>",
  );
  const noise = fc.array(piece, { maxLength: 12 }).map((parts) => parts.join(""));
  const opening = fc.constantFrom(
    "<private>",
    "< PRIVATE a=1>",
    "\\u003cprivate\\u003e",
    "<pri\\u0076ate\\n>",
    "\\\\u003cprivate >",
  );

  test("what follows an opening private tag never survives", () => {
    fc.assert(
      fc.property(noise, opening, noise, noise, (before, open, inner, after) => {
        const balanced = inner.replaceAll("/", "");
        const text = `${before} ${open}${balanced}MARKED${balanced}</private>${after}`;
        expect(stripTags(text).text).not.toContain("MARKED");
      }),
      { numRuns: 500 },
    );
  });

  test("applying it again changes nothing", () => {
    fc.assert(
      fc.property(noise, (text) => {
        const once = stripTags(text).text;
        expect(stripTags(once).text).toBe(once);
      }),
      { numRuns: 1000 },
    );
  });
});

test("a flood of tags in one text is counted, many over several texts are not", () => {
  const tags = (count: number) => "<private>x</private>".repeat(count / 2);
  expect(tagFlood({ a: [tags(200)] })).toBe(200);
  expect(tagFlood({ a: [tags(60), tags(60)] })).toBe(0);
  expect(tagFlood("a < b".repeat(1_000))).toBe(0);
  let deep: Json = tags(200);
  for (let depth = 0; depth < 50_000; depth += 1) deep = [deep];
  expect(tagFlood(deep)).toBe(0);
});
