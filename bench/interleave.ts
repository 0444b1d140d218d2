/** Taking turns: what is compared is measured in the same minutes, so that the machine's mood is shared. */

/**
 * Runs every variant once a round, the first one another each round, and answers each variant's values.
 * A value is whatever the variant measured of itself, usually milliseconds.
 */
export async function interleave<T>(
  rounds: number,
  variants: Readonly<Record<string, (round: number) => Promise<T>>>,
): Promise<Record<string, T[]>> {
  const names = Object.keys(variants);
  const values: Record<string, T[]> = Object.fromEntries(names.map((name) => [name, []]));
  for (let round = 0; round < rounds; round += 1) {
    for (let turn = 0; turn < names.length; turn += 1) {
      const name = names[(round + turn) % names.length] ?? "";
      const value = await variants[name]?.(round);
      if (value !== undefined) values[name]?.push(value);
    }
  }
  return values;
}
