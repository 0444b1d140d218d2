/** Git's index file (gitformat-index(5), versions 2 to 4), as far as the state of a few files needs it. */

export type IndexEntry = {
  /** Last change and size of the file when git last looked, as the index keeps them: 32 bits each. */
  seconds: number;
  nanos: number;
  size: number;
  /** Only intended to be added, or in conflict. */
  unsettled: boolean;
  /** The user said not to look at it, or it is not checked out. */
  skipped: boolean;
};

export type GitIndex = {
  entries: Map<string, IndexEntry>;
  /** Whether something was staged in the file's directory since a tree was last written of it. */
  isStale: (path: string) => boolean;
};

const FIXED = 40;
const EXTENDED = 0x4000;

/** The entries of `paths`; `null` for what is no such file or keeps its entries elsewhere (split index). */
export function readIndex(data: Buffer, paths: readonly string[], hashBytes: number): GitIndex | null {
  if (data.length < 12 || data.toString("latin1", 0, 4) !== "DIRC") return null;
  const version = data.readUInt32BE(4);
  if (version < 2 || version > 4) return null;
  const wanted = new Map(paths.map((path) => [Buffer.from(path).toString("latin1"), path]));
  const entries = new Map<string, IndexEntry>();
  try {
    const end = walk(data, version, hashBytes, wanted, entries);
    const extensions = extensionsFrom(data, end, data.length - hashBytes);
    if (extensions.has("link")) return null;
    const tree = extensions.get("TREE");
    const stale = tree ? staleDirs(tree, hashBytes) : null;
    return { entries, isStale: (path) => stale === null || stale.has(dirOf(path)) };
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}

/** Goes through all entries, keeps those wanted, answers where they end. Names are compared as bytes (latin1). */
function walk(
  data: Buffer,
  version: number,
  hashBytes: number,
  wanted: ReadonlyMap<string, string>,
  entries: Map<string, IndexEntry>,
): number {
  const nameOf = version === 4 ? namesByDifference(data) : namesInFull(data, wanted);
  const count = data.readUInt32BE(8);
  let at = 12;
  for (let number = 0; number < count; number += 1) {
    const flagsAt = at + FIXED + hashBytes;
    const flags = data.readUInt16BE(flagsAt);
    const isExtended = version > 2 && (flags & EXTENDED) !== 0;
    const { name, end } = nameOf(at, flagsAt + (isExtended ? 4 : 2), flags & 0xfff);
    const path = name === null ? undefined : wanted.get(name);
    if (path !== undefined) {
      const more = isExtended ? data.readUInt16BE(flagsAt + 2) : 0;
      entries.set(path, entryAt(data, at, flags, more));
    }
    at = end;
  }
  return at;
}

/** Reads the name at `nameAt` of the entry at `start`; `null` for one that nobody wants. `end`: of the entry. */
type NameReader = (start: number, nameAt: number, length: number) => { name: string | null; end: number };

/** Versions 2 and 3: the whole name, padded with one to eight zeros to a multiple of eight. */
function namesInFull(data: Buffer, wanted: ReadonlyMap<string, string>): NameReader {
  const lengths = new Set([...wanted.keys()].map((name) => name.length));
  return (start, nameAt, stated) => {
    const length = stated === 0xfff ? data.indexOf(0, nameAt) - nameAt : stated;
    if (length < 0) throw new RangeError("an entry has no end");
    const name = lengths.has(length) ? data.toString("latin1", nameAt, nameAt + length) : null;
    return { name, end: start + ((nameAt + length - start + 8) & ~7) };
  };
}

/** Version 4: how much of the name before is dropped, and what comes instead. */
function namesByDifference(data: Buffer): NameReader {
  let previous = "";
  return (_, nameAt) => {
    const [dropped, from] = offsetAt(data, nameAt);
    const end = data.indexOf(0, from);
    if (end < 0) throw new RangeError("an entry has no end");
    previous = previous.slice(0, previous.length - dropped) + data.toString("latin1", from, end);
    return { name: previous, end: end + 1 };
  };
}

function entryAt(data: Buffer, start: number, flags: number, more: number): IndexEntry {
  return {
    seconds: data.readUInt32BE(start + 8),
    nanos: data.readUInt32BE(start + 12),
    size: data.readUInt32BE(start + 36),
    unsettled: (flags & 0x3000) !== 0 || (more & 0x2000) !== 0,
    skipped: (flags & 0x8000) !== 0 || (more & 0x4000) !== 0,
  };
}

/** The number format of pack offsets: seven bits a byte, each continuation adding one. */
function offsetAt(data: Buffer, from: number): [number, number] {
  let at = from;
  let byte = data.readUInt8(at);
  let value = byte & 0x7f;
  while (byte & 0x80) {
    at += 1;
    byte = data.readUInt8(at);
    value = (value + 1) * 128 + (byte & 0x7f);
  }
  return [value, at + 1];
}

function extensionsFrom(data: Buffer, from: number, end: number): Map<string, Buffer> {
  const found = new Map<string, Buffer>();
  for (let at = from; at + 8 <= end; ) {
    const size = data.readUInt32BE(at + 4);
    found.set(data.toString("latin1", at, at + 4), data.subarray(at + 8, at + 8 + size));
    at += 8 + size;
  }
  return found;
}

/** Directories ("" is the top) of the cache tree that hold no tree: their entries changed since. */
function staleDirs(tree: Buffer, hashBytes: number): Set<string> {
  const stale = new Set<string>();
  const open: { path: string; left: number }[] = [];
  for (let at = 0; at < tree.length; ) {
    const nameEnd = tree.indexOf(0, at);
    const lineEnd = tree.indexOf(10, nameEnd);
    if (nameEnd < 0 || lineEnd < 0) break;
    const [count = 0, subtrees = 0] = tree
      .toString("latin1", nameEnd + 1, lineEnd)
      .split(" ")
      .map(Number);
    while (open.at(-1)?.left === 0) open.pop();
    const parent = open.at(-1);
    if (parent) parent.left -= 1;
    const name = tree.toString("utf8", at, nameEnd);
    const path = parent?.path ? `${parent.path}/${name}` : name;
    if (count < 0) stale.add(path);
    open.push({ path, left: subtrees });
    at = lineEnd + 1 + (count < 0 ? 0 : hashBytes);
  }
  return stale;
}

function dirOf(path: string): string {
  return path.includes("/") ? path.slice(0, path.lastIndexOf("/")) : "";
}
