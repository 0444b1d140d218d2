/** A disk without room, as a small tmpfs: only root may mount one. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdirSync, readdirSync, readFileSync, rmSync, statfsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseSpoolFile } from "../../src/spool/drain.ts";
import { ensureBuilt, payloadFor, runHook, toolPayload } from "../support/programs.ts";
import { type Place, usePlaces, withoutWorker } from "../support/temp.ts";

const newPlace = usePlaces();
const canMount = process.platform === "linux" && process.getuid?.() === 0;

describe.skipIf(!canMount)("a full disk (root alone can make one)", () => {
  let place: Place;
  let mounted = false;

  beforeAll(async () => {
    await ensureBuilt();
    place = newPlace("full");
    mkdirSync(place.paths.data, { recursive: true });
    const mount = Bun.spawnSync([
      "mount",
      "-t",
      "tmpfs",
      "-o",
      "size=256k,mode=0700",
      "tmpfs",
      place.paths.data,
    ]);
    mounted = mount.exitCode === 0;
    // A container may forbid what root may do elsewhere; then this disk is not to be had.
    if (!mounted) console.log(`no tmpfs here: ${mount.stderr.toString().trim()}`);
    else withoutWorker(place);
  });

  afterAll(() => {
    if (mounted) Bun.spawnSync(["umount", place.paths.data]);
  });

  test("every hook ends well, the user hears of it once, nothing half is left, and room mends it", async () => {
    if (!mounted) return;
    await runHook(place, "PostToolUse", toolPayload(place, "before"));
    const filler = join(place.paths.data, "filler");
    fill(filler);
    const start = await runHook(
      place,
      "SessionStart",
      payloadFor(place, "SessionStart", { source: "startup" }),
    );
    expect(start).toMatchObject({ exitCode: 0, stderr: "" });
    expect(String(start.json?.systemMessage)).toContain("cannot write");
    for (const id of ["a", "b", "c", "d"]) {
      const big = { tool_response: { stdout: `${id} `.repeat(8_000) } };
      const run = await runHook(place, "PostToolUse", toolPayload(place, id, big));
      expect(run).toMatchObject({ exitCode: 0, stdout: "{}", stderr: "" });
    }
    for (const name of readdirSync(place.paths.spool.new))
      expect(parseSpoolFile(readFileSync(join(place.paths.spool.new, name), "utf8"))).not.toBeNull();
    expect(readdirSync(place.paths.spool.tmp)).toEqual([]);

    rmSync(filler);
    const kept = readdirSync(place.paths.spool.new).length;
    await runHook(place, "PostToolUse", toolPayload(place, "after"));
    expect(readdirSync(place.paths.spool.new)).toHaveLength(kept + 1);
  });
});

/** Takes every free block. */
function fill(path: string): void {
  for (let free = statfsSync(path.slice(0, path.lastIndexOf("/"))).bavail; free > 0; free -= 1) {
    try {
      writeFileSync(path, Buffer.alloc(4_096), { flag: "a" });
    } catch {
      return;
    }
  }
}
