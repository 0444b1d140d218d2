import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { redactSecrets } from "../../src/privacy/secrets.ts";
import { IN_PLACE, ORDINARY, R40, SHAPES } from "./samples.ts";

describe("redactSecrets", () => {
  test.each(SHAPES)("%s by its shape", (kind, secret) => {
    for (const [before, after] of [
      ["", ""],
      ["see ", " there"],
      ['{"a":"', '"}'],
      ["x\\n", "\\n"],
      ["(", ")."],
      ["a=", "&b"],
    ]) {
      const hidden = redactSecrets(`${before}${secret}${after}`);
      expect(hidden).not.toContain(secret.slice(-16));
      expect(redactSecrets(hidden)).toBe(hidden);
    }
    expect(redactSecrets(`see ${secret} there`)).toBe(`see [redacted:${kind}] there`);
  });

  test.each(IN_PLACE)("%j", (text, secret) => {
    const hidden = redactSecrets(text);
    expect(hidden).not.toContain(secret);
    expect(hidden).toContain("[redacted:");
    expect(redactSecrets(hidden)).toBe(hidden);
  });

  test.each(ORDINARY)("keeps %j", (text) => {
    expect(redactSecrets(text)).toBe(text);
  });

  test("keeps what stands around a secret", () => {
    expect(redactSecrets("a: 1\npassword: hunter2x # old\nb: 2")).toBe(
      "a: 1\npassword: [redacted:password] # old\nb: 2",
    );
    expect(redactSecrets(`run --token ${R40} --name x`)).toBe("run --token [redacted:token] --name x");
  });

  const parts = fc.constantFrom(
    "password",
    "token",
    "=",
    ":",
    " ",
    '"',
    "'",
    "\\",
    "\n",
    "[redacted:token]",
    "[redacted:",
    "]",
    "://",
    "@",
    "a1b2c3d4",
    "Authorization",
    "Bearer ",
    "-----BEGIN PRIVATE KEY-----",
    "MIIEabcdefgh123456789012345678",
    "Cookie: ",
    ";",
    ",",
    "x",
    "--",
    "sk-",
    "eyJ",
    ".",
    R40,
  );

  test("never throws, and applying it again changes nothing", () => {
    fc.assert(
      fc.property(fc.array(parts, { maxLength: 20 }), (pieces) => {
        const once = redactSecrets(pieces.join(""));
        expect(redactSecrets(once)).toBe(once);
      }),
      { numRuns: 3000 },
    );
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 300 }), (text) => {
        const once = redactSecrets(text);
        expect(redactSecrets(once)).toBe(once);
      }),
    );
  });

  test("hides a credential wherever it stands", () => {
    fc.assert(
      fc.property(
        fc.string({ maxLength: 80 }),
        fc.string({ maxLength: 80 }),
        fc.constantFrom(...SHAPES.slice(0, 30)),
        (before, after, [, secret]) => {
          expect(redactSecrets(`${before} ${secret} ${after}`)).not.toContain(secret);
        },
      ),
      { numRuns: 1000 },
    );
  });
});
