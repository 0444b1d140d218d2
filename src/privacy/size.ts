/** A size for people: `812 B`, `12 KB`, `41.2 KB`, `5.0 MB`. Units of 1024. */
export function formatSize(bytes: number): string {
  if (bytes < 1024) return `${Math.round(bytes)} B`;
  if (bytes < 1024 * 1024) return `${(bytes / 1024).toFixed(1).replace(/\.0$/, "")} KB`;
  return `${(bytes / 1024 / 1024).toFixed(1)} MB`;
}
