/** Draws what `throughline demo` prints as `docs/demo.svg`, the README's picture. */
import { join } from "node:path";

const root = join(import.meta.dir, "..");
const COLUMNS = 108;
const LINE = 19;
const CHARACTER = 7.83;

const ran = Bun.spawnSync(["node", join(root, "bin", "throughline.mjs"), "demo"], {
  stdout: "pipe",
  stderr: "inherit",
});
const text = ran.stdout
  .toString()
  .replace(/The demo's data: .*/, "The demo's data: /tmp/throughline-demo")
  .trimEnd();
const lines = ["$ npx throughline demo", ...text.split("\n")].flatMap(wrapped);
const width = Math.ceil(COLUMNS * CHARACTER + 40);
const height = lines.length * LINE + 44;
const rows = lines.map(
  (line, at) => `<text x="20" y="${36 + at * LINE}" class="${styleOf(line)}">${escaped(line)}</text>`,
);

await Bun.write(
  join(root, "docs", "demo.svg"),
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" role="img" xml:space="preserve" aria-label="What throughline demo prints">
<style>text{font:13px ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;white-space:pre;fill:#d7dae0}.h{fill:#8ab4f8;font-weight:bold}.b{fill:#fff;font-weight:bold}.d{fill:#8b93a1}</style>
<rect width="100%" height="100%" rx="10" fill="#16181d"/>
${rows.join("\n")}
</svg>
`,
);

/** Lines longer than the picture continue below, indented. */
function wrapped(line: string): string[] {
  if (line.length <= COLUMNS) return [line];
  const cut = line.lastIndexOf(" ", COLUMNS);
  return [line.slice(0, cut), ...wrapped(`    ${line.slice(cut + 1)}`)];
}

function styleOf(line: string): string {
  if (line.startsWith("#")) return "h";
  if (/^(\$|A recorded|The next session)/.test(line)) return "b";
  if (/^(\s{2}\w|<\/?throughline|No model|With Claude)/.test(line)) return "d";
  return "";
}

function escaped(line: string): string {
  return line.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
