/** `npm run bench -- NAME [--json]`: runs one bench, prints its tables, with `--json` one line for programs last. */
import { type Report, reportJson, reportText } from "./report.ts";

const BENCHES: Record<string, () => Promise<Report>> = {
  hook: async () => (await import("./hook.ts")).benchHook(),
  host: async () => (await import("./host.ts")).benchHost(),
  durability: async () => (await import("./durability.ts")).benchDurability(),
  drain: async () => (await import("./drain.ts")).benchDrain(),
  capture: async () => (await import("./capture.ts")).benchCapture(),
  compressor: async () => (await import("./compressor.ts")).benchCompressor(),
  injection: async () => (await import("./injection.ts")).benchInjection(),
  locomo: async () => (await import("./locomo.ts")).benchLocomo(),
  beam: async () => (await import("./beam.ts")).benchBeam(),
  search: async () => (await import("./search.ts")).benchSearch(),
  context: async () => (await import("./context.ts")).benchContext(),
  commits: async () => (await import("./commits.ts")).benchCommits(),
  memory: async () => (await import("./memory.ts")).benchMemory(),
};

const words = process.argv.slice(2);
const name = words.find((word) => !word.startsWith("--")) ?? "";
const bench = Object.hasOwn(BENCHES, name) ? BENCHES[name] : undefined;
if (!bench) {
  const names = Object.keys(BENCHES).join(", ");
  console.error(`${name ? `There is no bench called ${name}` : "Which bench"}? There are: ${names}.`);
  process.exit(1);
}
const before = performance.now();
const report = await bench();
console.log(reportText(report));
console.log(`\n${name}: ${((performance.now() - before) / 1_000).toFixed(0)} s`);
if (words.includes("--json")) console.log(reportJson(report));
process.exit(0);
