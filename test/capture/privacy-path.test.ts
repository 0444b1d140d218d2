/** From the host's payload to the last byte in the data directory. */
import { beforeAll, describe, expect, test } from "bun:test";
import { lstatSync } from "node:fs";
import {
  ensureBuilt,
  type Json,
  payloadFor,
  runHook,
  startWorker,
  toolPayload,
  waitForIdle,
  waitForStored,
} from "../support/programs.ts";
import { count, filesHolding, rows, spooled, storeAsText, treeOf } from "../support/store.ts";
import { type Place, usePlaces, withoutWorker } from "../support/temp.ts";

const newPlace = usePlaces();
beforeAll(ensureBuilt);

/** Built from parts, so that no scanner takes this file for a leak. */
const SECRETS: Record<string, { text: string; secret: string }> = Object.fromEntries(
  (
    [
      ["cloud key", "the key is ", `AKIA${"Q3EXAMPLE7"}${"KLMN4P"}`],
      ["forge token", "pushed with ", `ghp_${"a1B2c3D4e5F6g7H8i9J0"}${"k1L2m3N4o5P6q7R8"}`],
      ["chat token", "", `xoxb-${"123456789012"}-${"1234567890123"}-${"AbCdEfGhIjKlMnOpQrStUvWx"}`],
      [
        "JWT",
        "",
        `eyJ${"hbGciOiJIUzI1NiJ9"}.eyJ${"zdWIiOiIxMjM0NTY3ODkwIn0"}.${"dozjgNryP4J3jVmNHl0w5N_XgL0n3I9PlFUP0THsR8U"}`,
      ],
      ["password", "password=", `hunter2${"Sunshine"}!9`],
      ["bearer", "Authorization: Bearer ", `q8Zt${"R4vN2mLx7PbKc9WsYd3F"}`],
      ["connection", "postgres://app:", `s3cr3t${"Pa55w0rd"}`],
      ["random value", "API_SECRET=", `${"Zk7vQ1mX9pR4tB8n"}${"W2cL6yH3sD5fG0jKaEuT4iVo"}`],
    ] as const
  ).map(([kind, before, secret]) => [
    kind,
    { text: `${before}${secret}${kind === "connection" ? "@db.test/x" : ""}`, secret },
  ]),
);
const PEM_BODY = "MIIEvQIBADANBgkqhkiG9w0BAQEFAASC".repeat(3);
const PEM = [`-----BEGIN ${"PRIVATE"} KEY-----`, PEM_BODY, `-----END ${"PRIVATE"} KEY-----`].join("\n");
const ALL = `${Object.values(SECRETS)
  .map(({ text }) => text)
  .join("\n")}\n${PEM}\n`;

const hook = (place: Place, event: string, fields: Json) =>
  runHook(place, event, payloadFor(place, event, fields));

test("PV-01, SE-11: no secret in any byte, every file the owner's alone", async () => {
  const before = process.umask(0o022);
  const place = newPlace("secrets");
  try {
    await hook(place, "SessionStart", { source: "startup" });
    await hook(place, "UserPromptSubmit", { prompt: `use this:\n${ALL}` });
    await runHook(
      place,
      "PostToolUse",
      toolPayload(place, "a", {
        tool_input: { command: `cat x <<E\n${ALL}E` },
        tool_response: { stdout: ALL, stderr: ALL, list: [{ deep: ALL }] },
      }),
    );
    await runHook(
      place,
      "PostToolUse",
      toolPayload(place, "w", {
        tool_name: "Write",
        tool_input: { file_path: `${place.project}/a.ts`, content: ALL },
      }),
    );
    await hook(place, "PostToolUseFailure", {
      tool_name: "Bash",
      tool_input: { command: "x" },
      tool_use_id: "f",
      error: ALL,
    });
    await hook(place, "SubagentStop", { agent_type: "Explore", agent_id: "a", last_assistant_message: ALL });
    await hook(place, "PostCompact", { trigger: "auto", compact_summary: ALL });
    await hook(place, "Stop", { last_assistant_message: `Done with the deployment. ${ALL}` });
    await hook(place, "UserPromptSubmit", { session_id: "s2", prompt: `{"broken": "${ALL}` });
    await runHook(place, "PostToolUse", `{"tool_response": ${JSON.stringify(ALL)}`);
    await hook(place, "Stop", { session_id: "s2", last_assistant_message: "ok" });
    await waitForIdle(place);
  } finally {
    process.umask(before);
  }
  const stored = storeAsText(place);
  for (const [kind, secret] of [
    ...Object.entries(SECRETS).map(([kind, one]) => [kind, one.secret] as const),
    ["PEM", PEM_BODY] as const,
  ]) {
    expect({ kind, files: filesHolding(place.paths.data, secret), stored: stored.includes(secret) }).toEqual({
      kind,
      files: [],
      stored: false,
    });
  }
  expect(stored).toContain("[redacted:");
  for (const path of treeOf(place.paths.data)) {
    const stat = lstatSync(path);
    expect({ path, mode: stat.mode & 0o777 }).toEqual({ path, mode: stat.isDirectory() ? 0o700 : 0o600 });
  }
});

const CANARY = "Canary value that must not stay";

describe("PV-03: of a secret file the path may be kept, not the content", () => {
  const files = [
    ".env",
    ".env.production",
    "id_rsa",
    "server.pem",
    "credentials.json",
    ".npmrc",
    "kubeconfig",
  ];
  test("by Read, Write, Edit and Bash", async () => {
    const place = newPlace("secret-files");
    for (const name of files) {
      const path = `${place.project}/${name}`;
      const call = (tool: string, input: Json, response: unknown) =>
        runHook(
          place,
          "PostToolUse",
          toolPayload(place, `${tool}-${name}`, {
            tool_name: tool,
            tool_input: input,
            tool_response: response,
          }),
        );
      await call("Read", { file_path: path }, { type: "text", file: { filePath: path, content: CANARY } });
      await call("Write", { file_path: path, content: CANARY }, { filePath: path, content: CANARY });
      await call(
        "Edit",
        { file_path: path, old_string: "x", new_string: CANARY },
        { filePath: path, structuredPatch: [{ lines: [`+${CANARY}`] }] },
      );
      await call("Bash", { command: `cat ${name}` }, { stdout: CANARY, stderr: "" });
    }
    await waitForStored(place);
    expect(count(place, "events where kind = 'tool'")).toBe(files.length * 4);
    expect(filesHolding(place.paths.data, CANARY)).toEqual([]);
    expect(storeAsText(place)).not.toContain(CANARY);
  });
});

describe("private words", () => {
  test("a part of a prompt is not kept, the rest is", async () => {
    const place = withoutWorker(newPlace("private"));
    await hook(place, "UserPromptSubmit", { prompt: `make it fast <private>${CANARY}</private> please` });
    expect(JSON.stringify(spooled(place))).not.toContain(CANARY);
    expect(spooled(place)[0]?.body.prompt).toContain("make it fast");
  });

  test.each([
    ["with the host's prompt ids", { prompt_id: "p1" }, { prompt_id: "p2" }],
    ["without", {}, {}],
  ])("a wholly private prompt hides its whole turn, %s", async (_, first, second) => {
    const place = newPlace("private");
    await hook(place, "SessionStart", { source: "startup" });
    const seen = [
      await hook(place, "UserPromptSubmit", { prompt: `<private>${CANARY}</private>`, ...first }),
      await runHook(
        place,
        "PostToolUse",
        toolPayload(place, "hidden", { tool_response: { stdout: CANARY }, ...first }),
      ),
      await hook(place, "PostToolUseFailure", {
        tool_name: "Bash",
        tool_input: { command: CANARY },
        tool_use_id: "x",
        error: CANARY,
        ...first,
      }),
      await hook(place, "Stop", { last_assistant_message: CANARY, ...first }),
    ];
    for (const run of seen) expect({ exit: run.exitCode, err: run.stderr }).toEqual({ exit: 0, err: "" });
    await hook(place, "UserPromptSubmit", { prompt: "now in the open", ...second });
    await runHook(place, "PostToolUse", toolPayload(place, "shown", second));
    await hook(place, "Stop", { last_assistant_message: "Done.", ...second });
    await waitForIdle(place);
    expect(filesHolding(place.paths.data, CANARY)).toEqual([]);
    expect(storeAsText(place)).not.toContain(CANARY);
    expect(rows(place, "select key from events where kind = 'tool'")).toEqual([
      { key: "claude-code:s1:tool:toolu_shown" },
    ]);
    expect(rows(place, "select private from prompts order by number")).toEqual([
      { private: 1 },
      { private: 0 },
    ]);
    expect(rows(place, "select prompt_number from summaries where prompt_number = 1")).toEqual([]);
  });

  test("a private turn outlives the worker", async () => {
    const place = newPlace("private");
    const worker = await startWorker(place);
    await hook(place, "UserPromptSubmit", { prompt: `<private>${CANARY}</private>` });
    await waitForStored(place);
    await worker.kill();
    await runHook(place, "PostToolUse", toolPayload(place, "hidden"));
    await waitForStored(place);
    expect(count(place, "events where kind = 'tool'")).toBe(0);
  });
});
