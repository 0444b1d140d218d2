/** What the session that starts is told, through the real hook program. */
import { beforeAll, describe, expect, test } from "bun:test";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { remember } from "../support/memories.ts";
import { ensureBuilt, type Json, payloadFor, runHook, toolPayload } from "../support/programs.ts";
import { spooled } from "../support/store.ts";
import { type Place, usePlaces, withoutWorker } from "../support/temp.ts";

const newPlace = usePlaces();
beforeAll(ensureBuilt);

const hook = (place: Place, event: string, fields: Json = {}) =>
  runHook(place, event, payloadFor(place, event, fields));
const start = (place: Place, source = "startup", sessionId = "s1") =>
  hook(place, "SessionStart", { source, session_id: sessionId });

describe("what a starting session is told", () => {
  const titles = Array.from(
    { length: 120 },
    (_, at) => `Finding ${at}: the parser of module ${at} keeps its state between calls`,
  );

  test("HK-15, HK-22: much at startup, less after clear and compact, nothing where the transcript has it", async () => {
    const place = withoutWorker(newPlace("told"));
    remember(place, titles);
    const told = new Map<string, string>();
    for (const source of ["startup", "clear", "compact", "resume", "fork"]) {
      const run = await start(place, source, `s-${source}`);
      told.set(source, run.context);
      expect({ source, exit: run.exitCode, err: run.stderr, notice: run.notice }).toEqual({
        source,
        exit: 0,
        err: "",
        notice: "",
      });
      const keys = Object.keys((run.json?.hookSpecificOutput ?? {}) as Json);
      expect(keys).toEqual(run.context ? ["hookEventName", "additionalContext"] : []);
    }
    const length = (source: string) => told.get(source)?.length ?? 0;
    expect(told.get("startup")).toContain("Finding 119");
    expect(told.get("startup")).toMatch(/\d+ more notes not shown/);
    expect(length("startup")).toBeLessThanOrEqual(9_500);
    expect(length("compact")).toBeGreaterThan(200);
    expect(length("compact")).toBeLessThan(length("startup") / 1.5);
    expect(told.get("clear")).toBe(told.get("compact") ?? "");
    expect([told.get("resume"), told.get("fork")]).toEqual(["", ""]);
  });

  test.each(["10000", "10001", "9500"])(
    "HK-14: a budget of %s characters never exceeds what the host takes",
    async (most) => {
      const place = withoutWorker(newPlace("budget"));
      remember(
        place,
        titles.map((title) => `${title} 李`.repeat(3)),
      );
      const env = {
        CLAUDE_MEM_CONTEXT_MAX_CHARS: most,
        CLAUDE_MEM_CONTEXT_MAX_TOKENS: "10000",
        CLAUDE_MEM_CONTEXT_OBSERVATIONS: "500",
      };
      const run = await runHook(
        place,
        "SessionStart",
        payloadFor(place, "SessionStart", { source: "startup" }),
        { env },
      );
      expect(run.context.length).toBeLessThanOrEqual(9_500);
      expect(run.context.length).toBeGreaterThan(7_000);
    },
  );

  test("a first session is told in one line that memory starts; outside projects nothing", async () => {
    const place = withoutWorker(newPlace("first"));
    expect((await start(place)).context).toContain("from this session on");
    expect(
      (
        await runHook(
          place,
          "SessionStart",
          payloadFor(place, "SessionStart", { source: "startup", cwd: place.home }),
        )
      ).context,
    ).toBe("");
  });

  test("HK-20: reading a well-remembered file is not changed and not denied; the edit after it is kept", async () => {
    const place = withoutWorker(newPlace("read"));
    const file = join(place.project, "src", "a.ts");
    mkdirSync(join(place.project, "src"));
    writeFileSync(file, "export const a = 1;\n".repeat(200));
    remember(place, titles.slice(0, 5));
    const read = await hook(place, "PreToolUse", {
      tool_name: "Read",
      tool_input: { file_path: file },
      tool_use_id: "r",
    });
    expect(read.stdout).not.toMatch(/updatedInput|deny|permissionDecision|"decision"/);
    await runHook(
      place,
      "PostToolUse",
      toolPayload(place, "e", { tool_name: "Edit", tool_input: { file_path: file } }),
    );
    expect(spooled(place).map(({ body }) => body.tool)).toEqual(["Edit"]);
  });
});

describe("one project by whatever way", () => {
  test("a link, a sub-directory and CLAUDE_PROJECT_DIR lead to the same memory", async () => {
    const place = withoutWorker(newPlace("ways"));
    remember(place, ["The one finding"]);
    const link = join(place.root, "link");
    symlinkSync(place.project, link);
    mkdirSync(join(place.project, "src"));
    const ways = [
      { cwd: place.project, env: {} },
      { cwd: link, env: {} },
      { cwd: join(link, "src"), env: {} },
      { cwd: "/usr", env: { CLAUDE_PROJECT_DIR: place.project } },
    ];
    for (const { cwd, env } of ways) {
      const payload = payloadFor(place, "SessionStart", { source: "startup", cwd, session_id: `s-${cwd}` });
      expect((await runHook(place, "SessionStart", payload, { env })).context).toContain("The one finding");
    }
    expect(new Set(spooled(place).map(({ project }) => project?.key))).toEqual(new Set([place.project]));
  });
});
