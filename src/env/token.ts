/** The secret that lets a caller in over TCP. */
import { readText, writeAtomic } from "./files.ts";
import type { Paths } from "./paths.ts";

/** The data directory's token, made on first need: 32 random bytes as hex, readable by the owner alone. */
export function ensureToken(paths: Paths): string {
  const found = readText(paths.token)?.trim();
  if (found && /^[0-9a-f]{64}$/.test(found)) return found;
  const token = Buffer.from(crypto.getRandomValues(new Uint8Array(32))).toString("hex");
  writeAtomic(paths.token, `${token}\n`);
  return token;
}
