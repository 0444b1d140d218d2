/** What `doctor` looks at in the data directory: its folder, and what was captured into it. */
import { accessSync, constants, existsSync, readdirSync, statfsSync, statSync } from "node:fs";
import { readBroken, readFailures } from "../capture/trouble.ts";
import { messageOf } from "../core/errors.ts";
import { listSpool } from "../spool/drain.ts";
import type { CommandContext } from "./command.ts";
import type { Finding } from "./finding.ts";

/** With less free space a store soon fails to grow. */
const DISK_LOW = 200 * 1024 * 1024;
/** More waiting events than a worker needs a moment for. */
const SPOOL_HIGH = 1_000;

export function directory({ paths }: CommandContext): Finding[] {
  const check = "Data";
  const stat = statSync(paths.data, { throwIfNoEntry: false });
  if (!stat) return [{ check, level: "ok", detail: `${paths.data} is made with the first event` }];
  if (!stat.isDirectory()) {
    return [
      {
        check,
        level: "fault",
        detail: `${paths.data} is not a directory`,
        remedy: "move that file away, or set CLAUDE_MEM_DATA_DIR",
      },
    ];
  }
  try {
    for (const dir of [paths.data, paths.spool.new, paths.spool.tmp, paths.state.root]) {
      if (existsSync(dir)) accessSync(dir, constants.W_OK | constants.X_OK);
    }
  } catch (error) {
    return [
      {
        check,
        level: "fault",
        detail: `cannot be written: ${messageOf(error)}`,
        remedy: `give yourself the right to write: chmod -R u+rwX ${paths.data}`,
      },
    ];
  }
  const findings: Finding[] = [];
  if (process.platform !== "win32" && (stat.mode & 0o077) !== 0) {
    findings.push({
      check,
      level: "fault",
      detail: `${paths.data} can be read by others`,
      remedy: `chmod 700 ${paths.data}`,
    });
  }
  const disk = statfsSync(paths.data);
  const free = Number(disk.bavail) * Number(disk.bsize);
  if (free < DISK_LOW)
    findings.push({
      check,
      level: "fault",
      detail: `only ${Math.floor(free / 1e6)} MB free on its disk`,
      remedy: "make room",
    });
  return findings.length > 0
    ? findings
    : [{ check, level: "ok", detail: `${paths.data}, ${(free / 1e9).toFixed(0)} GB free` }];
}

export function capture({ paths }: CommandContext): Finding[] {
  const check = "Capture";
  const findings: Finding[] = [];
  const failures = readFailures(paths);
  if (failures.consecutive > 0) {
    findings.push({
      check,
      level: "fault",
      detail: `the last ${failures.consecutive} events were not kept: ${failures.last}`,
      remedy: "mend what the sentence names; the next event that is kept clears this",
    });
  }
  const [fresh, told] = [readBroken(paths.state.broken), readBroken(`${paths.state.broken}.told`)];
  const broken = fresh.total + told.total;
  if (broken > 0) {
    const remedy =
      "the host or a shell between it and the hook swallows the payload; reinstall with `npx throughline install`";
    findings.push({
      check,
      level: fresh.total > 0 ? "fault" : "note",
      detail: `${broken} hook payloads arrived broken (${fresh.empty + told.empty} empty)`,
      remedy,
    });
  }
  const waiting = countSafely(() => listSpool(paths.spool).length);
  if (waiting > SPOOL_HIGH)
    findings.push({
      check,
      level: "note",
      detail: `${waiting} events wait in the spool`,
      remedy: "run `npx throughline start`",
    });
  const bad = countSafely(() => readdirSync(paths.spool.bad).length);
  if (bad > 0)
    findings.push({
      check,
      level: "note",
      detail: `${bad} files that hold no event were set aside in ${paths.spool.bad}`,
    });
  return findings.length > 0
    ? findings
    : [{ check, level: "ok", detail: `${waiting} events waiting, none lost` }];
}

function countSafely(count: () => number): number {
  try {
    return count();
  } catch {
    return 0;
  }
}
