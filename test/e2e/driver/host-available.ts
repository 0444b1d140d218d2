import { existsSync, statSync } from "node:fs";
import { join } from "node:path";

const PACKAGES = join(import.meta.dir, "../../../node_modules/@anthropic-ai");
/** Without its platform package the installed `bin/claude.exe` is a stub of a few kilobytes. */
const STUB_MAX_BYTES = 1_000_000;

function isProgram(path: string): boolean {
  return existsSync(path) && statSync(path).size > STUB_MAX_BYTES;
}

/** Absolute path of the real Claude Code program among the dev dependencies, null when this platform has none. */
export function claudePath(): string | null {
  const name = process.platform === "win32" ? "claude.exe" : "claude";
  const candidates = [
    join(PACKAGES, `claude-code-${process.platform}-${process.arch}`, name),
    join(PACKAGES, `claude-code-${process.platform}-${process.arch}-musl`, name),
    join(PACKAGES, "claude-code/bin/claude.exe"),
  ];
  return candidates.find(isProgram) ?? null;
}

/** One line that says why tests with the real program are skipped, null when they can run. */
export function hostSkipReason(): string | null {
  if (process.platform === "win32") return "skipped: the driver needs a POSIX terminal and /proc or signals";
  if (claudePath() === null) {
    return `skipped: no Claude Code program for ${process.platform}-${process.arch} in node_modules`;
  }
  return null;
}
