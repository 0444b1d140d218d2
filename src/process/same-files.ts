/** Whether files still are the ones that were opened. */
import { statSync } from "node:fs";

/**
 * A question that is true as long as each path leads to the file it leads to now. A program that holds a deleted
 * file open goes on writing into it without an error, to nobody's use.
 */
export function sameFiles(paths: readonly string[]): () => boolean {
  const identity = () =>
    paths
      .map((path) => statSync(path, { throwIfNoEntry: false, bigint: true }))
      .map((stat) => `${stat?.dev}:${stat?.ino}`)
      .join();
  const before = identity();
  return () => identity() === before;
}
