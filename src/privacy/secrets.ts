/** Hides credentials in any text. */
import { redactAssignments } from "./assignments.ts";
import { redactPlaces } from "./headers.ts";
import { redactPem } from "./pem.ts";
import { redactTokens } from "./tokens.ts";

/** No credential, not even a password in an address, fits into fewer characters. */
const SHORTEST = 7;

/** Rounds after which text that still changes is left as it is; two are enough for any text met so far. */
const MAX_ROUNDS = 4;

/**
 * The text with every credential replaced by `[redacted:<kind>]`: known shapes (cloud, forge, chat and
 * model providers' keys, JWTs, private key blocks), `Authorization` and cookie headers, passwords in
 * addresses, options and assignments, random values of secret-looking names. Hashes, UUIDs, code and prose
 * stay. Applying it again changes nothing. Linear in the text's length; never throws.
 */
export function redactSecrets(text: string): string {
  if (text.length < SHORTEST) return text;
  let before = text;
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    const after = redactTokens(redactAssignments(redactPlaces(redactPem(before))));
    if (after === before) return after;
    before = after;
  }
  return before;
}
