import { describe, expect, test } from "bun:test";
import { mkdirSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { outlineText, symbolsText, unfoldText } from "../../src/outline/outlines.ts";
import { searchSymbols } from "../../src/outline/search.ts";
import { unfold } from "../../src/outline/unfold.ts";
import { usePlaces } from "../support/temp.ts";

const newPlace = usePlaces();
const CART = `/** A cart of a customer. */
export class Cart {
  /** Adds up the prices. */
  total(): number {
    return 0;
  }
}

export function emptyCart(): Cart {
  return new Cart();
}
`;

function workspace(files: Record<string, string | Uint8Array>) {
  const place = newPlace("outline");
  for (const [path, content] of Object.entries(files)) {
    const file = join(place.project, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, content);
  }
  return { root: place.project, index: join(place.root, "outlines.db"), outside: place.root };
}

describe("an outline", () => {
  test("tells the structure with lines and the first words of comments", async () => {
    const { root } = workspace({ "src/cart.ts": CART });
    expect(await outlineText(root, "src/cart.ts")).toBe(
      [
        "src/cart.ts · TypeScript · 11 lines · ~45 tokens (outline ~35)",
        "2–7 export class Cart — A cart of a customer.",
        "  4–6 total(): number — Adds up the prices.",
        "9–11 export function emptyCart(): Cart",
      ].join("\n"),
    );
  });

  test.each<[string, (root: string) => void, RegExp]>([
    ["../secret.ts", () => undefined, /outside of the workspace/],
    ["/etc/hostname", () => undefined, /outside of the workspace/],
    ["link.ts", (root) => symlinkSync("/etc/hostname", join(root, "link.ts")), /outside of the workspace/],
    ["gone.ts", () => undefined, /There is no file gone\.ts/],
    ["src", () => undefined, /is a directory/],
    ["a\0b", () => undefined, /no path/],
    ["bin.ts", (root) => writeFileSync(join(root, "bin.ts"), new Uint8Array(100)), /binary/],
    [".env", (root) => writeFileSync(join(root, ".env"), "A=1\n"), /secrets/],
  ])("%j is refused with a sentence", async (path, make, why) => {
    const { root } = workspace({ "src/cart.ts": CART });
    make(root);
    expect(outlineText(root, path)).rejects.toThrow(why);
  });
});

describe("one definition", () => {
  test("is its exact source, with its comment", async () => {
    const { root } = workspace({ "src/cart.ts": CART });
    const answer = await unfold(root, "src/cart.ts", "Cart.total");
    expect(answer.source).toBe("  /** Adds up the prices. */\n  total(): number {\n    return 0;\n  }");
  });

  test("several of a name, or none: what it may be", async () => {
    const { root } = workspace({
      "a.py": "class A:\n    def run(self):\n        pass\n\nclass B:\n    def run(self):\n        pass\n",
    });
    const text = await unfoldText(root, "a.py", "run");
    expect(text).toContain("A.run");
    expect(text).toContain("B.run");
    expect(await unfoldText(root, "a.py", "walk")).toContain("defines no such name");
  });
});

describe("a search", () => {
  const files = {
    "src/cart.ts": CART,
    "src/price.go": "package price\n\nfunc RoundTotal(sum int) int { return sum }\n",
    "vendor/lib.ts": "export function roundVendorTotal() {}\n",
    "keep/ignored.ts": "export function roundIgnored() {}\n",
    "keep/kept.ts": "export function roundKept() {}\n",
    ".gitignore": "vendor/\nkeep/*\n!keep/kept.ts\n",
  };

  test("finds by the words of names, and leaves out what git ignores", async () => {
    const { root, index } = workspace(files);
    expect(await symbolsText(root, "round total", { index })).toContain("RoundTotal");
    const { hits } = await searchSymbols(root, "round", { index });
    expect(hits.map((hit) => hit.name).sort()).toEqual(["RoundTotal", "roundKept"]);
  });

  test("parses a file again only where it has changed", async () => {
    const { root, index } = workspace(files);
    expect((await searchSymbols(root, "cart", { index })).parsed).toBeGreaterThan(2);
    expect((await searchSymbols(root, "total", { index })).parsed).toBe(0);
    writeFileSync(join(root, "src/price.go"), "package price\n\nfunc RoundUp(sum int) int { return sum }\n");
    utimesSync(join(root, "src/price.go"), 2_000_000_000, 2_000_000_000);
    const answer = await searchSymbols(root, "round", { index });
    expect(answer.parsed).toBe(1);
    expect(answer.hits.map((hit) => hit.name).sort()).toEqual(["RoundUp", "roundKept"]);
  });

  test("only below a path, and not outside", async () => {
    const { root, index } = workspace(files);
    expect((await searchSymbols(root, "round", { index, path: "keep" })).hits.map((hit) => hit.name)).toEqual(
      ["roundKept"],
    );
    expect(searchSymbols(root, "round", { index, path: ".." })).rejects.toThrow(/outside of the workspace/);
    expect(searchSymbols(root, "  ", { index })).rejects.toThrow(/needs a word/);
  });

  test("links that lead round and round are not followed", async () => {
    const { root, index } = workspace(files);
    symlinkSync(root, join(root, "src", "again"));
    const { hits } = await searchSymbols(root, "emptyCart", { index });
    expect(hits.filter((hit) => hit.name === "emptyCart")).toHaveLength(1);
  });
});
