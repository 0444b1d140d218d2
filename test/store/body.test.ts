import { expect, test } from "bun:test";
import { decodeBody, encodeBody } from "../../src/store/body.ts";

const long = {
  tool: "Bash",
  toolUseId: "toolu_1",
  input: { command: "echo ü".repeat(90) },
  response: { stdout: "李\u{1f600}" },
};

test.each([
  ["a short one is plain JSON", { message: "Done." }],
  ["a long one comes back as it was", long],
  [
    "one that cannot be packed",
    { message: Buffer.from(crypto.getRandomValues(new Uint8Array(400))).toString("base64") },
  ],
])("%s", (_, body) => {
  expect(decodeBody(encodeBody(body))).toEqual(body);
});

test("common tools' bodies take less than half", () => {
  const packed = encodeBody({
    tool: "Read",
    toolUseId: "toolu_01ABCDEFGHIJKLMNOP",
    input: { file_path: "/srv/shop/src/price.ts" },
    response: {
      type: "text",
      file: {
        filePath: "/srv/shop/src/price.ts",
        content: "export {};",
        numLines: 1,
        startLine: 1,
        totalLines: 1,
      },
    },
  });
  expect(typeof packed).toBe("object");
  expect(packed.length).toBeLessThan(150);
});

test("bodies packed before there were common parts are read as well", () => {
  const packed = Bun.deflateSync(Buffer.from(JSON.stringify(long)), { level: 3 });
  expect(decodeBody(packed)).toEqual(long);
});
