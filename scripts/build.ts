/** Builds the programs: one minified bundle each in `dist/`, and the empty Bun configuration beside them. */
import { rmSync } from "node:fs";
import { join } from "node:path";

const root = join(import.meta.dir, "..");
const out = join(root, "dist");

rmSync(out, { recursive: true, force: true });
const result = await Bun.build({
  entrypoints: ["hook", "worker", "mcp", "cli"].map((name) => join(root, "src", `${name}.ts`)),
  outdir: out,
  target: "bun",
  minify: true,
});
for (const log of result.logs) console.error(log);
if (!result.success) process.exit(1);
await Bun.write(join(out, "bunfig.toml"), "");
