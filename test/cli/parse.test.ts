import { describe, expect, test } from "bun:test";
import { COMMANDS } from "../../src/cli/index.ts";
import { helpText, parseWords } from "../../src/cli/parse.ts";

describe("words of the command line", () => {
  const table: [string, string][] = [
    ["", "help"],
    ["help", "help"],
    ["--help", "help"],
    ["help doctor", "help doctor"],
    ["doctor --help", "help doctor"],
    ["--version", "run version"],
    ["status --json", 'run status {"json":true}'],
    ["logs -n 5", 'run logs {"lines":"5"}'],
    ["uninstall --purge", 'run uninstall {"purge":true}'],
    ["nonsense", "fail"],
    ["status --nonsense", "fail"],
    ["status extra", "fail"],
    ["logs --lines", "fail"],
  ];
  test.each(table)("%p → %p", (words, expected) => {
    const parsed = parseWords(words.split(" ").filter(Boolean), COMMANDS);
    const said =
      parsed.do === "run"
        ? `run ${parsed.command.name}${Object.keys(parsed.flags).length ? ` ${JSON.stringify(parsed.flags)}` : ""}`
        : parsed.do === "help"
          ? `help${parsed.command ? ` ${parsed.command.name}` : ""}`
          : "fail";
    expect(said).toBe(expected);
    if (parsed.do === "fail") expect(parsed.why).toMatch(/`throughline .*` lists/);
  });

  test("help fits a screen", () => {
    const lines = helpText(COMMANDS, null).split("\n");
    expect(lines.length).toBeLessThanOrEqual(24);
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(100);
  });
});
