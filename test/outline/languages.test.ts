/** What is found in a file of each language: `kind name@line` of every definition, children behind their parent. */
import { expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Definition } from "../../src/outline/definition.ts";
import { outlineOf } from "../../src/outline/outline.ts";

function flat(definitions: readonly Definition[], above = ""): string[] {
  return definitions.flatMap(({ kind, name, line, children }) => [
    `${kind} ${above}${name}@${line}`,
    ...flat(children, `${above}${name}.`),
  ]);
}

test.each<[string, string, string[]]>([
  [
    "a.ts",
    "/** Adds. */\nexport function add(a: number, b: number): number {\n  return a + b;\n}\nexport class Cart {\n  total(): number {\n    return 0;\n  }\n}\ninterface Item { price: number }\n",
    ["function add@2", "class Cart@5", "method Cart.total@6", "interface Item@10"],
  ],
  [
    "a.tsx",
    "export const View = () => <p>hi</p>;\nfunction useCart() { return 1; }\n",
    ["View@1", "function useCart@2"],
  ],
  ["a.js", "class A {\n  run() {}\n}\nconst go = async () => {};\n", ["class A@1", "method A.run@2", "go@4"]],
  [
    "a.py",
    'class Cart:\n    def total(self):\n        """Sums."""\n        return 0\n\ndef add(a, b):\n    return a + b\n',
    ["class Cart@1", "method Cart.total@2", "function add@6"],
  ],
  [
    "a.go",
    "package a\n\ntype Cart struct {\n\tItems []int\n}\n\nfunc (c *Cart) Total() int { return 0 }\n\nfunc Add(a, b int) int { return a + b }\n",
    ["struct Cart@3", "Total@7", "function Add@9"],
  ],
  [
    "a.rs",
    "pub struct Cart { items: u8 }\n\nimpl Cart {\n    pub fn total(&self) -> u8 { 0 }\n}\n\nfn add(a: u8) -> u8 { a }\n",
    ["struct Cart@1", "total@4", "function add@7"],
  ],
  [
    "A.java",
    "package a;\n\npublic class Cart {\n    int total() { return 0; }\n}\n",
    ["class Cart@3", "method Cart.total@4"],
  ],
  [
    "a.c",
    "struct cart { int items; };\n\nint add(int a, int b) {\n  return a + b;\n}\n",
    ["struct cart@1", "function add@3"],
  ],
  [
    "a.cpp",
    "namespace shop {\nclass Cart {\n public:\n  int total() { return 0; }\n};\n}\n\nint add(int a) { return a; }\n",
    ["class", "Cart@2", "total@4", "function add@8"],
  ],
  [
    "A.cs",
    "namespace Shop {\n  class Cart {\n    public int Total() { return 0; }\n  }\n}\n",
    ["class", "Cart@2", "Total@3"],
  ],
  ["a.rb", "class Cart\n  def total\n    0\n  end\nend\n", ["class Cart@1", "method Cart.total@2"]],
  [
    "a.php",
    "<?php\nclass Cart {\n  function total() { return 0; }\n}\nfunction add($a) { return $a; }\n",
    ["class Cart@2", "method Cart.total@3", "function add@5"],
  ],
  [
    "a.swift",
    "class Cart {\n  func total() -> Int { return 0 }\n}\nfunc add(a: Int) -> Int { return a }\n",
    ["class Cart@1", "method Cart.total@2", "function add@4"],
  ],
  [
    "a.kt",
    "class Cart {\n  fun total(): Int = 0\n}\nfun add(a: Int): Int = a\n",
    ["class Cart@1", "method Cart.total@2", "function add@4"],
  ],
  [
    "a.sh",
    "#!/bin/sh\nbuild() {\n  echo hi\n}\nfunction ship {\n  echo go\n}\n",
    ["function build@2", "function ship@5"],
  ],
  [
    "a.md",
    "# Title\n\ntext\n\n## Use\n\n```sh\n# no heading\n```\n\n## More\n",
    ["section Title@1", "Use@5", "More@11"],
  ],
  ["Makefile", "build:\n\tcc a.c\n\ntest: build\n\t./a\n", []],
])("%s", async (name, text, wanted) => {
  const root = mkdtempSync(join(tmpdir(), "throughline-outline-"));
  writeFileSync(join(root, name), text);
  const { definitions } = await outlineOf(root, name);
  rmSync(root, { recursive: true });
  const found = flat(definitions);
  for (const one of wanted)
    expect(
      found.some((other) => other.includes(one)),
      `${one} in ${found.join(", ")}`,
    ).toBe(true);
});
