import { expect, test } from "bun:test";
import { dataDirOf, pathsOf } from "../../src/env/paths.ts";

test.each([
  ["nothing said", { HOME: "/home/u" }, undefined, "/home/u/.throughline"],
  ["empty", { HOME: "/home/u", CLAUDE_MEM_DATA_DIR: "" }, undefined, "/home/u/.throughline"],
  ["absolute", { HOME: "/home/u", CLAUDE_MEM_DATA_DIR: "/data/x/../y/" }, undefined, "/data/y"],
  ["in the home", { HOME: "/home/u", CLAUDE_MEM_DATA_DIR: "~/mem" }, undefined, "/home/u/mem"],
  ["the home itself", { HOME: "/home/u", CLAUDE_MEM_DATA_DIR: "~" }, undefined, "/home/u"],
  [
    "relative: never the project's",
    { HOME: "/home/u", CLAUDE_MEM_DATA_DIR: "mem" },
    undefined,
    "/home/u/mem",
  ],
  ["chosen at installation", { HOME: "/home/u" }, "/chosen", "/chosen"],
  [
    "the environment over the installation",
    { HOME: "/home/u", CLAUDE_MEM_DATA_DIR: "/mine" },
    "/chosen",
    "/mine",
  ],
  [
    "another's tilde is a name",
    { HOME: "/home/u", CLAUDE_MEM_DATA_DIR: "~bob/x" },
    undefined,
    "/home/u/~bob/x",
  ],
])("data directory: %s", (_, env, fallback, expected) => {
  expect(dataDirOf(env, fallback)).toBe(expected);
});

test.each([
  ["short", "/home/u/.throughline", true],
  ["long", `/home/${"u".repeat(120)}/.throughline`, false],
  ["few characters of many bytes", `/home/${"李".repeat(30)}/.throughline`, false],
])("socket path: %s", (_, data, inside) => {
  const { socket } = pathsOf(data, "linux");
  expect(Buffer.byteLength(socket)).toBeLessThanOrEqual(100);
  expect(socket.startsWith(data)).toBe(inside);
});

test("socket of a long path: one for each data directory, and always the same", () => {
  const data = `/home/${"u".repeat(120)}/.throughline`;
  expect(pathsOf(data, "linux").socket).toBe(pathsOf(data, "linux").socket);
  expect(pathsOf(data, "linux").socket).not.toBe(pathsOf(`${data}2`, "linux").socket);
});

test("Windows has a named pipe and a program with its ending", () => {
  const paths = pathsOf("C:\\Users\\u\\.throughline", "win32");
  expect(paths.socket).toMatch(/^\\\\\.\\pipe\\throughline-[0-9a-f]{16}$/);
  expect(paths.runtime.endsWith("bun.exe")).toBe(true);
});

test("everything lies in the data directory", () => {
  const flat = (value: unknown): string[] =>
    typeof value === "string" ? [value] : Object.values(value as object).flatMap(flat);
  const all = flat(pathsOf("/home/u/.throughline", "linux"));
  expect(all.filter((path) => !path.startsWith("/home/u/.throughline"))).toEqual([]);
});
