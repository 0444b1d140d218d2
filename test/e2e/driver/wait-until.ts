/** Resolves with the first value that is not null or undefined; rejects after `timeoutMs` (30 000). */
export async function waitUntil<T>(
  look: () => T | null | undefined,
  what: string,
  timeoutMs = 30_000,
): Promise<T> {
  const deadline = performance.now() + timeoutMs;
  for (;;) {
    const value = look();
    if (value !== null && value !== undefined) return value;
    if (performance.now() > deadline) throw new Error(`${what}: not within ${timeoutMs} ms`);
    await Bun.sleep(50);
  }
}
