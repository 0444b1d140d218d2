import { expect, test } from "bun:test";
import { createScreen } from "./screen.ts";

const TABLE: [name: string, chunks: string[], expected: string][] = [
  ["plain lines", ["one\r\ntwo"], "one\ntwo"],
  ["colours are dropped", ["\x1b[1;31mred\x1b[0m text"], "red text"],
  ["moving right leaves blanks", ["a\x1b[3Cb"], "a   b"],
  ["overwriting", ["hello\rJ"], "Jello"],
  ["up and down", ["a\r\nb\x1b[Ac"], "ac\nb"],
  ["absolute position", ["\x1b[2;3Hx\x1b[Hy"], "y\n  x"],
  ["erase to the end of the line", ["hello\x1b[3D\x1b[K"], "he"],
  ["erase the screen", ["hello\r\nthere\x1b[2J\x1b[Hnew"], "new"],
  ["a sequence split over two chunks", ["a\x1b[", "3", "1mb\x1b", "[0m"], "ab"],
  ["a window title", ["\x1b]0;title\x07a\x1b]8;;\x1b\\b"], "ab"],
  ["private modes and charsets", ["\x1b[?2026ha\x1b(Bb\x1b[>1u\x1b=c"], "abc"],
  ["lines that scroll off are kept", ["1\r\n2\r\n3\r\n4\r\n5"], "1\n2\n3\n4\n5"],
  ["wrapping at the last column", ["0123456789ab"], "0123456789\nab"],
  ["wide characters take two cells", ["漢字\x1b[1;5Hx"], "漢字x"],
];

for (const [name, chunks, expected] of TABLE) {
  test(name, () => {
    const screen = createScreen(10, 4);
    for (const chunk of chunks) screen.write(chunk);
    expect(screen.text()).toBe(expected);
  });
}
