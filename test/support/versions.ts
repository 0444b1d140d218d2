/** The programs of another version, built from the same sources. */
import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const ROOT = join(import.meta.dir, "..", "..");

/** Builds the programs as version `version` below `dir`; answers the folder they are in. */
export async function buildAs(version: string, dir: string): Promise<string> {
  const checkout = join(dir, `checkout-${version}`);
  mkdirSync(checkout, { recursive: true });
  for (const part of ["src", "scripts", "tsconfig.json"])
    cpSync(join(ROOT, part), join(checkout, part), { recursive: true });
  const manifest = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")) as Record<string, unknown>;
  writeFileSync(join(checkout, "package.json"), JSON.stringify({ ...manifest, version }));
  symlinkSync(join(ROOT, "node_modules"), join(checkout, "node_modules"));
  const child = Bun.spawn([process.execPath, join(checkout, "scripts", "build.ts")], {
    cwd: checkout,
    stdio: ["ignore", "ignore", "inherit"],
  });
  if ((await child.exited) !== 0) throw new Error(`Version ${version} could not be built.`);
  return join(checkout, "dist");
}
