import { existsSync, readdirSync, realpathSync, statSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";

/** Before its install step has run, the `bun` package holds a stub of a few hundred bytes in the binary's place. */
const SMALLEST_BINARY = 1_000_000;

/** The Bun executable of this installation: of the `bun` package, else of its platform package. */
export function findBun() {
  const require = createRequire(import.meta.url);
  let home;
  try {
    home = dirname(realpathSync(require.resolve("bun/package.json")));
  } catch {
    return null;
  }
  const candidates = [join(home, "bin", "bun.exe"), join(home, "bin", "bun")];
  for (const scope of [join(home, "..", "@oven"), join(home, "node_modules", "@oven")]) {
    if (!existsSync(scope)) continue;
    for (const name of readdirSync(scope).sort()) {
      candidates.push(join(scope, name, "bin", process.platform === "win32" ? "bun.exe" : "bun"));
    }
  }
  return candidates.find((path) => isBinary(path)) ?? null;
}

function isBinary(path) {
  const stat = statSync(path, { throwIfNoEntry: false });
  return stat?.isFile() === true && stat.size > SMALLEST_BINARY;
}
