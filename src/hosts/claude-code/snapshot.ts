/**
 * Undoing what the host's own commands did to its files. They rewrite a file's layout and leave empty entries, so
 * the bytes from before are kept, and come back where nothing else has changed since.
 */

import { chmodSync, readFileSync, rmSync, statSync } from "node:fs";
import { isDeepStrictEqual } from "node:util";
import { writeAtomic } from "../../env/files.ts";

export type Snapshot = {
  path: string;
  /** `null`: the file was not there. */
  content: string | null;
  mode: number;
};

export function takeSnapshot(path: string): Snapshot {
  try {
    return { path, content: readFileSync(path, "utf8"), mode: statSync(path).mode & 0o777 };
  } catch {
    return { path, content: null, mode: 0o600 };
  }
}

type JsonObject = Record<string, unknown>;

/**
 * Takes our entries out of the file. `without` removes them from the parsed content (in place). Where what is left
 * says the same as the snapshot, its bytes (or its absence) are restored; else what is left is written.
 */
export function restore(
  snapshot: Snapshot,
  without: (value: JsonObject) => void,
): "restored" | "edited" | "untouched" {
  let text: string;
  let current: JsonObject;
  try {
    text = readFileSync(snapshot.path, "utf8");
    current = asObject(text);
  } catch {
    return "untouched";
  }
  if (text === snapshot.content) return "untouched";
  const before = snapshot.content === null ? {} : parsed(snapshot.content);
  const ours = structuredClone(current);
  without(ours);
  if (before) dropNewEmpties(ours, before);
  if (before && isDeepStrictEqual(ours, before)) {
    if (snapshot.content === null) rmSync(snapshot.path, { force: true });
    else {
      writeAtomic(snapshot.path, snapshot.content, snapshot.mode);
      chmodSync(snapshot.path, snapshot.mode);
    }
    return "restored";
  }
  if (isDeepStrictEqual(ours, current)) return "untouched";
  writeAtomic(snapshot.path, `${JSON.stringify(ours, null, 2)}\n`, statSync(snapshot.path).mode & 0o777);
  return "edited";
}

/** Empty objects and lists that were not there before are what is left of our entries. */
function dropNewEmpties(value: JsonObject, before: JsonObject): void {
  for (const [key, content] of Object.entries(value)) {
    const isEmpty = typeof content === "object" && content !== null && Object.keys(content).length === 0;
    if (isEmpty && !(key in before)) delete value[key];
  }
}

function asObject(text: string): JsonObject {
  const value: unknown = JSON.parse(text);
  if (typeof value !== "object" || value === null || Array.isArray(value)) throw new Error("not an object");
  return value as JsonObject;
}

function parsed(text: string): JsonObject | null {
  try {
    return asObject(text);
  } catch {
    return null;
  }
}
