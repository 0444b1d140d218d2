import { statSync } from "node:fs";

/** Bytes of the store on disk, its write-ahead log included. */
export function sizeOf(path: string): number {
  return [path, `${path}-wal`].reduce(
    (sum, file) => sum + (statSync(file, { throwIfNoEntry: false })?.size ?? 0),
    0,
  );
}
