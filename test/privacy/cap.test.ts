import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { capText } from "../../src/privacy/cap.ts";
import { formatSize } from "../../src/privacy/size.ts";

/** Base64 of random-looking bytes that starts as given. */
const base64 = (start: string, length: number): string =>
  start + "aB3+dE5/".repeat(length / 8).slice(start.length);

describe("capText", () => {
  test("short text stays", () => {
    expect(capText("abc")).toBe("abc");
    expect(capText("x".repeat(16_384))).toHaveLength(16_384);
  });

  test("long text keeps head and tail", () => {
    const capped = capText(`HEAD${"x".repeat(60_000)}TAIL`);
    expect(capped.length).toBeLessThanOrEqual(16_384);
    expect(capped).toStartWith("HEAD");
    expect(capped).toEndWith("TAIL");
    expect(capped).toMatch(/x\n… \[\d\d\.\d KB of 58\.6 KB left out\] …\nx/);
    expect(capText(capped)).toBe(capped);
  });

  test.each([
    ["iVBOR", "image/png"],
    ["/9j/", "image/jpeg"],
    ["R0lG", "image/gif"],
    ["UklGR", "image/webp"],
    ["JVBER", "application/pdf"],
    ["zB3+", "data"],
  ])("base64 that starts with %s is %s", (start, type) => {
    expect(capText(`a "${base64(start, 16_384)}==" b`)).toBe(`a "[base64 ${type}, 12 KB]" b`);
  });

  test("a data URI and a neighbouring media type say the type", () => {
    expect(capText(`<img src="data:image/x-icon;base64,${base64("iVBOR", 1024)}">`)).toBe(
      '<img src="[base64 image/x-icon, 768 B]">',
    );
    expect(capText(base64("zB3+", 5 * 1024 * 1024), 16_384, "image/png")).toBe("[base64 image/png, 3.8 MB]");
  });

  test("runs that are not base64 stay", () => {
    expect(capText("a".repeat(2000))).toHaveLength(2000);
    expect(capText("0123456789abcdef".repeat(100))).toHaveLength(1600);
  });

  test("a cut never goes through a character", () => {
    const clusters = ["😀", "👩‍👩‍👧", "é", "👍🏽", "❤️", "🇩🇪", "a", "\r\n", "漢"];
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom(...clusters), { minLength: 200, maxLength: 400 }),
        fc.integer({ min: 100, max: 180 }),
        (list, max) => {
          const text = list.join("");
          const capped = capText(text, max);
          expect(capped.length).toBeLessThanOrEqual(max);
          expect(capped.isWellFormed()).toBe(true);
          const [head = "", tail = ""] = capped.split(/\n… \[.*\] …\n/);
          const whole = [...new Intl.Segmenter("en", { granularity: "grapheme" }).segment(text)].map(
            (s) => s.index,
          );
          if (!/[\u{1f1e6}-\u{1f1ff}]/u.test(text)) {
            expect(whole).toContain(head.length);
            expect(whole).toContain(text.length - tail.length);
          }
        },
      ),
      { numRuns: 300 },
    );
  });
});

test.each([
  [0, "0 B"],
  [812, "812 B"],
  [12_288, "12 KB"],
  [42_189, "41.2 KB"],
  [5_242_880, "5.0 MB"],
])("formatSize(%p) is %p", (bytes, shown) => {
  expect(formatSize(bytes)).toBe(shown);
});
