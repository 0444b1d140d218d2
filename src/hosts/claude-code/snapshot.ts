/**
 * Undoing what the host's own commands did to its files. They rewrite a file's layout and leave empty entries, so a
 * copy from before is kept beside each (it may hold the user's secrets, and stays where those are), and comes back
 * where nothing else has changed since.
 */
import { chmodSync, copyFileSync, existsSync, readFileSync, realpathSync, rmSync, statSync } from "node:fs";
import { isDeepStrictEqual } from "node:util";
import { writeAtomic } from "../../env/files.ts";

export type Snapshot = {
  /** The file itself, links followed. */
  path: string;
  existed: boolean;
  mode: number;
};

export type Outcome = "restored" | "edited" | "untouched" | "unreadable";

type JsonObject = Record<string, unknown>;

const copyOf = (path: string) => `${path}.before-throughline`;

export function takeSnapshot(path: string): Snapshot {
  if (!existsSync(path)) return { path, existed: false, mode: 0o600 };
  const real = realpathSync(path);
  const mode = statSync(real).mode & 0o777;
  copyFileSync(real, copyOf(real));
  chmodSync(copyOf(real), mode);
  return { path: real, existed: true, mode };
}

/** Our entries in a file: where they stand (`holder` of the key, "" for the top), and what they are called. */
export type Entries = readonly { holder: string; key: string }[];

/**
 * Takes our entries out of the file. Where what is left says the same as before, the bytes of before (or the file's
 * absence) are restored; else what is left is written. A file that is not JSON is left alone.
 */
export function restore(snapshot: Snapshot, entries: Entries): Outcome {
  const { path, existed, mode } = snapshot;
  try {
    if (!existsSync(path)) return "untouched";
    const text = readFileSync(path, "utf8");
    const before = existed ? readFileSync(copyOf(path), "utf8") : null;
    if (text === before) return "untouched";
    const current = asObject(text);
    const old = before === null ? {} : asObject(before);
    const ours = withoutEntries(current, entries, old);
    if (isDeepStrictEqual(ours, old)) {
      if (before === null) rmSync(path, { force: true });
      else writeAtomic(path, before, mode);
      return "restored";
    }
    if (isDeepStrictEqual(ours, current)) return "untouched";
    writeAtomic(path, `${JSON.stringify(ours, null, 2)}\n`, statSync(path).mode & 0o777);
    return "edited";
  } catch {
    return "unreadable";
  } finally {
    rmSync(copyOf(path), { force: true });
  }
}

/** A copy without the entries, and without their holders where those came with them and hold nothing else. */
function withoutEntries(value: JsonObject, entries: Entries, before: JsonObject): JsonObject {
  const copy = structuredClone(value);
  for (const { holder, key } of entries) {
    if (holder === "") {
      delete copy[key];
      continue;
    }
    const inner = copy[holder];
    if (typeof inner !== "object" || inner === null) continue;
    delete (inner as JsonObject)[key];
    if (Object.keys(inner).length === 0 && !(holder in before)) delete copy[holder];
  }
  // The host's own file of plugins begins with a format number and nothing more.
  if (Object.keys(before).length === 0 && isDeepStrictEqual(copy, { version: copy.version })) return {};
  return copy;
}

/** Takes `item` out of a list in the file, and the list where it is empty then. Nothing else is touched. */
export function dropFromList(path: string, list: string, item: string): Outcome {
  try {
    if (!existsSync(path)) return "untouched";
    const real = realpathSync(path);
    const value = asObject(readFileSync(real, "utf8"));
    const items = value[list];
    if (!Array.isArray(items) || !items.includes(item)) return "untouched";
    const rest = items.filter((one) => one !== item);
    if (rest.length > 0) value[list] = rest;
    else delete value[list];
    writeAtomic(real, JSON.stringify(value, null, 2), statSync(real).mode & 0o777);
    return "edited";
  } catch {
    return "unreadable";
  }
}

function asObject(text: string): JsonObject {
  const value: unknown = JSON.parse(text);
  if (typeof value !== "object" || value === null || Array.isArray(value)) throw new Error("not an object");
  return value as JsonObject;
}
