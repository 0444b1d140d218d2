/** Reading a log of lines that another program is still writing: by slices, from an offset, with bounded memory. */
import { closeSync, fstatSync, openSync, readSync, statSync } from "node:fs";
import { AppError, messageOf } from "../core/errors.ts";
import { hashText } from "../env/hash.ts";

/** Longer lines (bytes) are passed over and counted: nothing a session does needs as much. */
const LINE_MAX = 64 * 1024 * 1024;
const CHUNK = 256 * 1024;
/** The end of a record has its id and its time in it: enough to know the place again. */
const MARK_BYTES = 512;
const NEWLINE = 10;

export type Line = { text: string; offset: number; length: number };

export type Slice = {
  lines: Line[];
  /** Where the next slice begins: after the last whole line. */
  next: number;
  /** Lines too long to be read. */
  tooLong: number;
  /** Nothing but perhaps the beginning of a line is left. */
  atEnd: boolean;
};

export type LineFile = {
  /** Bytes. */
  size: number;
  /** Unix milliseconds of the last change. */
  changedAt: number;
  /** Tells the file, as far as it was read, from another that took its name or its place. */
  markAt: (offset: number) => string;
  /** Whole lines from `offset` on, about `bytes` of them and at least one. */
  slice: (offset: number, bytes: number) => Slice;
  /** What stands behind the last line end, in a file that nobody writes any more. */
  rest: (offset: number) => Line | null;
  /** One line again; "" where it is no longer there. */
  line: (offset: number, length: number) => string;
  close: () => void;
};

/** Opens a regular file. Throws `unavailable` with a sentence for one that is missing, a folder, or not ours to read. */
export function openLines(path: string): LineFile {
  const fd = open(path);
  const stat = fstatSync(fd);
  const { size } = stat;
  const read = (offset: number, length: number): Buffer => {
    const bytes = Buffer.allocUnsafe(Math.max(0, Math.min(length, size - offset)));
    let got = 0;
    while (got < bytes.length) {
      const more = readSync(fd, bytes, got, bytes.length - got, offset + got);
      if (more === 0) break;
      got += more;
    }
    return bytes.subarray(0, got);
  };
  return {
    size,
    changedAt: stat.mtimeMs,
    markAt: (offset) => {
      const before = read(Math.max(0, offset - MARK_BYTES), Math.min(MARK_BYTES, offset));
      return `${stat.dev}:${stat.ino}:${hashText(before.toString("latin1"))}`;
    },
    slice: (offset, bytes) => sliceOf(read, size, offset, bytes),
    rest: (offset) => {
      if (size - offset > LINE_MAX || size <= offset) return null;
      const text = read(offset, size - offset).toString("utf8");
      return text.trim() === "" ? null : { text, offset, length: size - offset };
    },
    line: (offset, length) => (length > LINE_MAX ? "" : read(offset, length).toString("utf8")),
    close: () => closeSync(fd),
  };
}

/** Looked at before it is opened: opening a pipe would wait for somebody who writes to it. */
function open(path: string): number {
  try {
    if (statSync(path).isFile()) return openSync(path, "r");
  } catch (error) {
    throw new AppError("unavailable", `${path} cannot be read: ${messageOf(error)}`);
  }
  throw new AppError("unavailable", `${path} is not a file.`);
}

type Read = (offset: number, length: number) => Buffer;

function sliceOf(read: Read, size: number, from: number, wanted: number): Slice {
  const slice: Slice = { lines: [], next: from, tooLong: 0, atEnd: false };
  let held: Buffer[] = [];
  let heldBytes = 0;
  let skipping = false;
  for (let at = from; at < size; ) {
    const chunk = read(at, CHUNK);
    if (chunk.length === 0) break;
    at += chunk.length;
    let start = 0;
    for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, start)) {
      const length = heldBytes + end - start;
      if (skipping) slice.tooLong += 1;
      else {
        const bytes =
          held.length > 0 ? Buffer.concat([...held, chunk.subarray(start, end)]) : chunk.subarray(start, end);
        slice.lines.push({ text: bytes.toString("utf8"), offset: slice.next, length });
      }
      slice.next += length + 1;
      start = end + 1;
      [held, heldBytes, skipping] = [[], 0, false];
      if (slice.next - from >= wanted) return { ...slice, atEnd: slice.next >= size };
    }
    heldBytes += chunk.length - start;
    if (heldBytes > LINE_MAX) [held, skipping] = [[], true];
    else if (!skipping) held.push(Buffer.from(chunk.subarray(start)));
  }
  return { ...slice, atEnd: true };
}
