/**
 * Builds the programs into `dist/`: a minified bundle each, and the empty Bun configuration beside them.
 *
 * The hook is started for single events, so its loading is most of its life: it is compiled to bytecode (which Bun
 * knows for CommonJS alone), and what only a session start needs is a file of its own. So is the MCP server, which
 * starts while a session's first request is being made; what reads code is a part of its own there, with the grammars
 * packed beside it.
 */
import { existsSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { BunPlugin } from "bun";
import { GRAMMAR_SUFFIX, GRAMMARS } from "../src/outline/grammar-files.ts";

const root = join(import.meta.dir, "..");
const out = join(root, "dist");
// Built beside and then moved, so that a program started meanwhile finds the old files or the new.
const fresh = `${out}.${process.pid}.new`;
const old = `${out}.${process.pid}.old`;
const source = (name: string) => join(root, "src", name);

/** Leaves the import of a part in a program, as the file that stands beside it. */
function beside(filter: RegExp, file: string): BunPlugin {
  return {
    name: file,
    setup(build) {
      build.onResolve({ filter }, () => ({ path: `./${file}`, external: true }));
    },
  };
}

const common = { outdir: fresh, target: "bun", minify: true } as const;
const compiled = { ...common, format: "cjs", bytecode: true } as const;

const results = [
  await Bun.build({
    ...compiled,
    entrypoints: [source("hook.ts")],
    plugins: [beside(/context\/memory\.ts$/, "memory.js")],
  }),
  await Bun.build({ ...compiled, entrypoints: [source("context/memory.ts")] }),
  await Bun.build({
    ...compiled,
    entrypoints: [source("mcp.ts")],
    plugins: [beside(/outline\/outlines\.ts$/, "outlines.js")],
  }),
  await Bun.build({ ...compiled, entrypoints: [source("outline/outlines.ts")] }),
  await Bun.build({ ...common, entrypoints: [source("worker.ts"), source("cli.ts")] }),
];
for (const { logs } of results) for (const log of logs) console.error(log);
await Bun.write(join(fresh, "bunfig.toml"), "");
for (const [name, file] of Object.entries(GRAMMARS)) {
  const grammar = await Bun.file(join(root, "node_modules", file)).bytes();
  await Bun.write(join(fresh, name + GRAMMAR_SUFFIX), Bun.zstdCompressSync(grammar, { level: 12 }));
}
if (!results.every(({ success }) => success)) {
  rmSync(fresh, { recursive: true, force: true });
  process.exit(1);
}
if (existsSync(out)) renameSync(out, old);
renameSync(fresh, out);
rmSync(old, { recursive: true, force: true });
