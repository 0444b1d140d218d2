/**
 * Orders two versions `a.b.c[-pre]`: negative where `a` is older. A pre-release is older than its release;
 * anything unreadable is the oldest.
 */
export function compareVersions(a: string, b: string): number {
  const [x, y] = [parts(a), parts(b)];
  for (let at = 0; at < 3; at += 1) {
    const difference = (x.numbers[at] ?? -1) - (y.numbers[at] ?? -1);
    if (difference !== 0) return difference;
  }
  if (x.pre === y.pre) return 0;
  if (x.pre === "" || y.pre === "") return x.pre === "" ? 1 : -1;
  return x.pre < y.pre ? -1 : 1;
}

function parts(version: string): { numbers: number[]; pre: string } {
  const match = /^v?(\d+)\.(\d+)\.(\d+)(?:-([\w.-]+))?/.exec(version);
  return match ? { numbers: match.slice(1, 4).map(Number), pre: match[4] ?? "" } : { numbers: [], pre: "" };
}
