/**
 * Undoing what the host's own commands did to its files. They rewrite a file's layout and leave empty entries, so a
 * copy from before is kept beside each (it may hold the user's secrets, and stays where those are), and comes back
 * where nothing else has changed since.
 */
import { chmodSync, copyFileSync, existsSync, readFileSync, realpathSync, rmSync, statSync } from "node:fs";
import { isDeepStrictEqual } from "node:util";
import { messageOf } from "../../core/errors.ts";
import { readText, writeAtomic } from "../../env/files.ts";

export type Snapshot = {
  /** As the host names it: links are followed only to write, for what they lead to may lie in a repository. */
  path: string;
  existed: boolean;
  mode: number;
};

/** What became of a file; where it had to be left with our entries in it, the reason. */
export type Outcome = "restored" | "edited" | "untouched" | { why: string };

type JsonObject = Record<string, unknown>;

const copyOf = (path: string) => `${path}.before-throughline`;

/** Copies the file beside itself, with its mode; the copy's content is read by `restore` alone. */
export function takeSnapshot(path: string): Snapshot {
  if (!existsSync(path)) return { path, existed: false, mode: 0o600 };
  const mode = modeOf(path);
  rmSync(copyOf(path), { force: true });
  copyFileSync(path, copyOf(path));
  chmodSync(copyOf(path), mode);
  return { path, existed: true, mode };
}

/** Our entries in a file: where they stand (`holder` of the key, "" for the top), and what they are called. */
export type Entries = readonly { holder: string; key: string }[];

/**
 * Takes our entries out of the file. Where what is left says the same as before, the bytes of before (or the file's
 * absence) are restored; else what is left is written. A file that is not JSON is left alone. Never throws.
 */
export function restore(snapshot: Snapshot, entries: Entries): Outcome {
  const { path, existed, mode } = snapshot;
  const before = existed ? readText(copyOf(path)) : null;
  try {
    const text = readIfThere(path);
    if (text === null || text === before) return "untouched";
    const current = parsed(text);
    if (!current) return { why: "it is not valid JSON" };
    // Where the copy is missing nothing is known of before, and nothing but the entries goes.
    const old = existed ? parsed(before ?? "") : {};
    const ours = withoutEntries(current, entries, old);
    if (old && isDeepStrictEqual(ours, old)) {
      if (before === null) rmSync(path, { force: true });
      else writeThrough(path, before, mode);
      return "restored";
    }
    if (isDeepStrictEqual(ours, current)) return "untouched";
    writeThrough(path, asText(ours), modeOf(path));
    return "edited";
  } catch (error) {
    return { why: messageOf(error) };
  } finally {
    rmSync(copyOf(path), { force: true });
  }
}

/**
 * A copy without the entries, and without their holders where those came with them and hold nothing else. `before`
 * is `null` where it is not known.
 */
function withoutEntries(value: JsonObject, entries: Entries, before: JsonObject | null): JsonObject {
  const copy = structuredClone(value);
  for (const { holder, key } of entries) {
    if (holder === "") {
      delete copy[key];
      continue;
    }
    const inner = copy[holder];
    if (typeof inner !== "object" || inner === null) continue;
    delete (inner as JsonObject)[key];
    if (Object.keys(inner).length === 0 && before && !(holder in before)) delete copy[holder];
  }
  // The host's own file of plugins begins with a format number and nothing more.
  if (before && Object.keys(before).length === 0 && isDeepStrictEqual(copy, { version: copy.version }))
    return {};
  return copy;
}

/** Takes `item` out of a list in the file, and the list where it is empty then. Nothing else is touched. Never throws. */
export function dropFromList(path: string, list: string, item: string): Outcome {
  try {
    const text = readIfThere(path);
    // Where it is broken there is nothing to tell: the entry only notes that the plugin is not wanted.
    const value = text === null ? null : parsed(text);
    const items = value?.[list];
    if (!value || !Array.isArray(items) || !items.includes(item)) return "untouched";
    const rest = items.filter((one) => one !== item);
    if (rest.length > 0) value[list] = rest;
    else delete value[list];
    const ending = text?.endsWith("\n") ? "\n" : "";
    writeThrough(path, asText(value).trimEnd() + ending, modeOf(path));
    return "edited";
  } catch (error) {
    return { why: messageOf(error) };
  }
}

/** Replaces what a link leads to, and never the link. */
export function writeThrough(path: string, content: string, mode: number): void {
  writeAtomic(existsSync(path) ? realpathSync(path) : path, content, mode);
}

/** The file's JSON object; `null` where it holds none. */
export function parsed(text: string): JsonObject | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value)
      ? (value as JsonObject)
      : null;
  } catch {
    return null;
  }
}

/** The host's own layout. */
export function asText(value: JsonObject): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}

/** The permissions of what is there; the owner's alone where nothing is. */
export function modeOf(path: string): number {
  return (statSync(path, { throwIfNoEntry: false })?.mode ?? 0o600) & 0o777;
}

/** `null` where there is no file; throws where there is one that cannot be read. */
function readIfThere(path: string): string | null {
  return existsSync(path) ? readFileSync(path, "utf8") : null;
}
