/** The rules of the house, held by reading it. */
import { describe, expect, test } from "bun:test";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";

const SRC = join(import.meta.dir, "..", "src");

/** From the bottom up; a folder may import itself and every row below its own. */
const ROWS = [
  ["core"],
  ["privacy", "env"],
  ["hosts", "spool", "transcript", "store", "providers", "api"],
  ["queue", "compress", "search", "context", "outline", "process", "capture"],
  ["server", "mcp", "cli", "viewer"],
];
const PROGRAMS = ROWS.length;
const MAX_LINES = 300;

type Source = { path: string; text: string; folder: string };

function sourcesBelow(dir: string): Source[] {
  return readdirSync(dir).flatMap((name): Source[] => {
    const path = join(dir, name);
    if (statSync(path).isDirectory()) return sourcesBelow(path);
    if (!/\.tsx?$/.test(name)) return [];
    return [{ path: relative(SRC, path), text: readFileSync(path, "utf8"), folder: folderOf(path) }];
  });
}

/** The top folder a file is in; "" for the programs. */
function folderOf(path: string): string {
  const parts = relative(SRC, path).split("/");
  return parts.length > 1 ? (parts[0] ?? "") : "";
}

function rowOf(folder: string): number {
  return folder === "" ? PROGRAMS : ROWS.findIndex((row) => row.includes(folder));
}

/** Every import of a file of ours, static or not. */
function importsOf({ path, text }: Source): string[] {
  const found = text.matchAll(/(?:\bfrom\s*|\bimport\s*\(?\s*|\brequire\(\s*)["'](\.{1,2}\/[^"']+)["']/g);
  return [...found].map((match) => resolve(dirname(join(SRC, path)), match[1] ?? ""));
}

/** The code without comments; texts stay. Good enough for what is searched here. */
function codeOf(text: string): string {
  return text.replace(/\/\*[\s\S]*?\*\//g, "").replace(/(^|[^:"'`\\])\/\/.*$/gm, "$1");
}

const SOURCES = sourcesBelow(SRC).filter(({ path }) => !path.endsWith(".d.ts"));
const inSources = (breaks: (source: Source) => boolean) => SOURCES.filter(breaks).map(({ path }) => path);

describe("imports", () => {
  test("there is a row for every folder", () => {
    expect(SOURCES.length).toBeGreaterThan(50);
    expect([...new Set(SOURCES.map(({ folder }) => folder))].filter((folder) => rowOf(folder) < 0)).toEqual(
      [],
    );
  });

  test("go to the own folder or to a lower row", () => {
    const broken = SOURCES.flatMap((source) =>
      importsOf(source)
        .filter((target) => target.startsWith(SRC))
        .filter((target) => {
          const to = folderOf(target);
          return to === "" || (to !== source.folder && rowOf(to) >= rowOf(source.folder));
        })
        .map((target) => `${source.path} → ${relative(SRC, target)}`),
    );
    expect(broken).toEqual([]);
  });

  test("leave src only for the manifest", () => {
    const out = SOURCES.flatMap(importsOf).filter((target) => !target.startsWith(SRC));
    expect(new Set(out.map((target) => relative(SRC, target)))).toEqual(new Set(["../package.json"]));
  });

  test("of what the machine has carry the node: protocol, and core has none", () => {
    const bare = /from ["'](fs|path|os|crypto|child_process|util|url|http|net|stream)["']/;
    expect(inSources(({ text }) => bare.test(text))).toEqual([]);
    expect(inSources(({ folder, text }) => folder === "core" && /from ["'](?!\.)/.test(text))).toEqual([]);
  });

  test("form no circle between files, but for types", () => {
    const valuesOf = ({ text, ...rest }: Source) => ({
      ...rest,
      text: text.replace(/\bimport type [^;]*;/g, ""),
    });
    const graph = new Map(SOURCES.map((source) => [join(SRC, source.path), importsOf(valuesOf(source))]));
    const done = new Set<string>();
    const visit = (path: string, trail: string[]): string[] => {
      if (trail.includes(path))
        return [[...trail.slice(trail.indexOf(path)), path].map((each) => relative(SRC, each)).join(" → ")];
      if (done.has(path)) return [];
      done.add(path);
      return (graph.get(path) ?? []).flatMap((next) => visit(next, [...trail, path]));
    };
    expect([...graph.keys()].flatMap((path) => visit(path, []))).toEqual([]);
  });
});

describe("what stands only in one place", () => {
  test("SQL: the store", () => {
    const sql =
      /(["'`])\s*(select\s[^"'`]*\bfrom\b|insert\s+(or\s+\w+\s+)?into\b|update\s+\w+\s+set\b|delete\s+from\b|create\s+(table|index|virtual)|pragma\s)/i;
    // The lock is a database that is never written: pragmas of its own, no table.
    expect(
      inSources(
        ({ path, folder, text }) =>
          folder !== "store" && path !== "process/lock.ts" && sql.test(codeOf(text)),
      ),
    ).toEqual([]);
  });

  test("leaving the process: the programs", () => {
    expect(inSources(({ folder, text }) => folder !== "" && /\bprocess\.exit\(/.test(codeOf(text)))).toEqual(
      [],
    );
  });

  test("printing: cli/print.ts; a program writes what it answers", () => {
    const isPrinter = ({ path }: Source) => path === "cli/print.ts";
    expect(inSources((source) => !isPrinter(source) && /\bconsole\.\w+\(/.test(codeOf(source.text)))).toEqual(
      [],
    );
    const writes = /\bprocess\.(stdout|stderr)\.write\(/;
    expect(
      inSources((source) => !isPrinter(source) && source.folder !== "" && writes.test(codeOf(source.text))),
    ).toEqual([]);
  });
});

test("files are short enough to be read at once", () => {
  expect(
    SOURCES.filter(({ text }) => text.split("\n").length - 1 > MAX_LINES).map(({ path }) => path),
  ).toEqual([]);
});

test("folders and files are in kebab-case, and none is named after nothing", () => {
  expect(inSources(({ path }) => !/^[a-z0-9/.-]+\.tsx?$/.test(path))).toEqual([]);
  expect(inSources(({ path }) => /(manager|service|helpers?|utils?|misc|common)\b/.test(path))).toEqual([]);
});
