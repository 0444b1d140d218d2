import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import type { EventBody, Json, SessionEvent } from "../../src/core/event.ts";
import { redactEvent, redactJson, redactText } from "../../src/privacy/redact.ts";
import { IN_PLACE, R40, SHAPES } from "./samples.ts";

const FILE = "[redacted:secret-file]";
const begin = ["-----BEG", "IN PRIVATE KEY-----"].join("");
const keyLine = `MIIE${R40}${R40.slice(0, 20)}`;

const event = (body: EventBody): SessionEvent => ({
  v: 1,
  kind: "tool",
  key: "k",
  host: "claude-code",
  sessionId: "s",
  at: 1,
  project: null,
  cwd: "/p",
  transcriptPath: null,
  promptId: null,
  agentId: null,
  agentType: null,
  hostPid: null,
  via: "hook",
  body,
});
const redactBody = (body: EventBody): EventBody => redactEvent(event(body)).body;

describe("redactText", () => {
  test("takes away tags, secrets and length", () => {
    const text = `a<private>b</private> ${R40} ${"x".repeat(100_000)} end`;
    const kept = redactText(text);
    expect(kept).toStartWith("a [redacted:high-entropy] xxx");
    expect(kept).toEndWith("x end");
    expect(kept.length).toBeLessThanOrEqual(16_384);
  });

  test("lone surrogates and NUL become U+FFFD", () => {
    expect(redactText("a\ud800b\0c\u2028\ufeffd\r\n")).toBe("a\ufffdb\ufffdc\u2028\ufeffd\r\n");
  });

  test("a secret on any side of a cut is gone", () => {
    for (const size of [20_000, 60_000, 300_000]) {
      for (let shift = -60; shift <= 60; shift += 4) {
        for (const at of [10_900 + shift, size - 5_460 + shift]) {
          const text = `${"x y ".repeat(size / 4).slice(0, at)} ${R40} ${"z w ".repeat(size / 4).slice(0, size - at)}`;
          const kept = redactText(text);
          expect(kept).not.toContain(R40.slice(0, 12));
          expect(kept).not.toContain(R40.slice(-12));
        }
      }
    }
  });

  test("a tag or a key opened in what is left out hides what follows", () => {
    const filler = "word ".repeat(20_000);
    expect(redactText(`${filler}<private>${filler}MARKED`)).not.toContain("MARKED");
    expect(redactText(`${filler}${begin}\n${`${keyLine}\n`.repeat(150)}`)).not.toContain(
      keyLine.slice(0, 30),
    );
    const long = `${filler}${begin}\n${`${keyLine}\n`.repeat(1500)}`;
    expect(redactText(long)).not.toContain(keyLine.slice(0, 30));
  });

  test("applying it again changes nothing", () => {
    const piece = fc.constantFrom(
      "word ",
      "<private>",
      "</private>",
      "<system-reminder>",
      "</system-reminder>",
      "\n",
      "`",
      R40,
      "password=",
      "😀",
      "é",
      "\u0301",
      "x".repeat(100),
      '"',
      "https://a:b1@c ",
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 60 }), fc.integer({ min: 256, max: 900 }), (pieces, max) => {
        const once = redactText(pieces.join(""), max);
        expect(once.length).toBeLessThanOrEqual(max);
        expect(redactText(once, max)).toBe(once);
      }),
      { numRuns: 2000 },
    );
  });
});

describe("redactJson", () => {
  test.each<[string, Json, Json]>([
    ["plain values", { a: 1, b: null, c: true, d: ["x", 2] }, { a: 1, b: null, c: true, d: ["x", 2] }],
    [
      "secret keys",
      { password: "letters", apiKey: "abc12345", token_type: "bearer" },
      { password: "[redacted:password]", apiKey: "[redacted:api-key]", token_type: "bearer" },
    ],
    [
      "types under secret keys",
      { password: "string", token: "req.token" },
      { password: "string", token: "req.token" },
    ],
    [
      "named pairs",
      [{ name: "DB_PASSWORD", value: "hunter2" }],
      [{ name: "DB_PASSWORD", value: "[redacted:password]" }],
    ],
    ["a tag over elements", ["a <private>b", "c", "d</private> e"], ["a  e"]],
    ["elements with line ends", ["a\nb", "c"], ["a\nb", "c"]],
    ["options over elements", ["--password", "hunter2", "--x"], ["--password", "[redacted:password]", "--x"]],
    ["key over elements", ["+a", `+${begin}`, `+${keyLine}`, "+b c"], ["+a", "+[redacted:pem]", "+b c"]],
    [
      "image",
      { media_type: "image/png", data: "zB3+".repeat(256) },
      { media_type: "image/png", data: "[base64 image/png, 768 B]" },
    ],
    ["long keys", { [`x ${R40}`]: 1 }, { "x [redacted:high-entropy]": 1 }],
  ])("%s", (_name, value, expected) => {
    expect(redactJson(value)).toEqual(expected);
    expect(redactJson(expected)).toEqual(expected);
  });

  test("limits depth, width and sum", () => {
    let deep: Json = "bottom";
    for (let i = 0; i < 200; i += 1) deep = [deep, 1];
    expect(JSON.stringify(redactJson(deep))).toContain("[too deep]");
    const wide = redactJson(Array.from({ length: 2000 }, (_, i) => i)) as Json[];
    expect(wide).toHaveLength(500);
    expect(wide[333]).toBe("… [1501 of 2000 left out] …");
    expect(wide[499]).toBe(1999);
    const many = redactJson({
      list: Array.from({ length: 400 }, (_, i) => ({ text: `${i} ${"word ".repeat(1000)}` })),
    });
    expect(JSON.stringify(many).length).toBeLessThan(200_000);
    expect(redactJson(many)).toEqual(many);
  });

  test("`__proto__` is a key like any other", () => {
    const kept = redactJson(JSON.parse('{"__proto__":{"x":1},"constructor":2}')) as object;
    expect(JSON.stringify(kept)).toBe('{"__proto__":{"x":1},"constructor":2}');
    expect(Object.getPrototypeOf(kept)).toBe(Object.prototype);
  });

  test("never throws, never mutates, and applying it again changes nothing", () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 6, stringUnit: "binary" }), (value) => {
        const before = JSON.stringify(value);
        const once = redactJson(value as Json, { max: 40, budget: 200 });
        expect(JSON.stringify(value)).toBe(before);
        expect(redactJson(once, { max: 40, budget: 200 })).toEqual(once);
      }),
      { numRuns: 1000 },
    );
  });
});

describe("redactEvent", () => {
  test.each<[string, EventBody, EventBody]>([
    ["prompt", { prompt: "a <private>b</private>c" }, { prompt: "a c" }],
    [
      "Read",
      { tool: "Read", input: { file_path: "/p/.env" }, response: { file: { content: "A=b" } } },
      { tool: "Read", input: { file_path: "/p/.env" }, response: FILE },
    ],
    [
      "Write",
      { tool: "Write", input: { file_path: "/p/id_rsa", content: "x" }, error: "x" },
      { tool: "Write", input: { file_path: "/p/id_rsa", content: FILE }, error: FILE },
    ],
    [
      "Edit",
      { input: { file_path: ".npmrc", old_string: "x", new_string: "y" } },
      { input: { file_path: ".npmrc", old_string: FILE, new_string: FILE } },
    ],
    [
      "MultiEdit",
      { input: { file_path: "k.pem", edits: [{ old_string: "x" }] } },
      { input: { file_path: "k.pem", edits: FILE } },
    ],
    [
      "Bash",
      { input: { command: "cat .env" }, response: { stdout: "A=b" } },
      { input: { command: "cat .env" }, response: FILE },
    ],
    [
      "Bash writes",
      { input: { command: "cat > .env <<EOF\nA=b\nEOF" } },
      { input: { command: `cat > .env <<EOF\n${FILE}` } },
    ],
    [
      "Bash echoes",
      { input: { command: "echo 'A=b' >> .env" } },
      { input: { command: `echo ${FILE} >> .env` } },
    ],
    ["response names the file", { response: { filePath: "/p/.env", content: "A=b" } }, { response: FILE }],
    [
      "search",
      { tool: "Grep", response: { content: "src/a.ts:1:const A = 1\n.env:2:A=b" } },
      { tool: "Grep", response: { content: `src/a.ts:1:const A = 1\n.env:2:${FILE}` } },
    ],
    [
      "whole files",
      { response: { filePath: "a.ts", originalFile: "long", structuredPatch: [{ lines: ["-a", "+b"] }] } },
      { response: { filePath: "a.ts", structuredPatch: [{ lines: ["-a", "+b"] }] } },
    ],
    [
      "samples",
      { input: { file_path: ".env.example" }, response: { content: "A=b" } },
      { input: { file_path: ".env.example" }, response: { content: "A=b" } },
    ],
  ])("%s", (_name, body, expected) => {
    const before = structuredClone(body);
    expect(redactBody(body)).toEqual(expected);
    expect(body).toEqual(before);
    expect(redactBody(expected)).toEqual(expected);
  });

  test("PV-01: nothing secret is left, whichever field it is in", () => {
    for (const [, secret] of [
      ...SHAPES,
      ...IN_PLACE.map(([text, secret]) => [text, secret, text] as const),
    ]) {
      const text = SHAPES.some(([, shape]) => shape === secret)
        ? `see ${secret} there`
        : (IN_PLACE.find(([, s]) => s === secret)?.[0] ?? "");
      const body = {
        prompt: text,
        message: text,
        error: text,
        input: { a: text, b: [text], c: { d: [text, "x"] } },
        response: text,
      };
      const kept = redactEvent(event(body));
      expect(JSON.stringify(kept)).not.toContain(secret);
      expect(redactEvent(kept)).toEqual(kept);
    }
  });

  test("TK-04: an event of a large image and long lines stays small", () => {
    const response = {
      type: "image",
      file: { base64: "iVBORw0KGgo".repeat(500_000), type: "image/png" },
      text: "ab c".repeat(41_500),
      line: "function(){}".repeat(90_000),
    };
    const kept = redactBody({ response });
    expect(kept.response).toMatchObject({ type: "image", file: { base64: "[base64 image/png, 3.9 MB]" } });
    expect(JSON.stringify(kept).length).toBeLessThan(40_000);
  });

  test("no field is a way around it: names, ids and paths pass it too", () => {
    const token = `ghp_${"a1B2c3D4e5F6g7H8i9J0"}${"k1L2m3N4o5P6q7R8"}`;
    const hidden = "<private>PINEAPPLE</private>";
    const kept = redactEvent({
      ...event({ reason: token, tool: hidden, toolUseId: hidden }),
      cwd: `/srv/${token}/x`,
      agentType: token,
      promptId: hidden,
    });
    expect(JSON.stringify(kept)).not.toContain(token);
    expect(JSON.stringify(kept)).not.toContain("PINEAPPLE");
    expect(redactEvent(kept)).toEqual(kept);
  });

  test("fields of the envelope stay, lone surrogates in paths do not", () => {
    const given = { ...event({ tool: "X" }), cwd: "/a\ud800", transcriptPath: "/t\udc00" };
    expect(redactEvent(given)).toEqual({
      ...given,
      cwd: "/a\ufffd",
      transcriptPath: "/t\ufffd",
    });
  });
});
