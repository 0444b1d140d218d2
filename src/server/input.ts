/** Requests, read as the outside world. */
import { AppError } from "../core/errors.ts";

export type Fields = Record<string, unknown>;

/** The body as a JSON object; throws `invalid` for anything else. */
export async function fieldsOf(request: { json: () => Promise<unknown> }): Promise<Fields> {
  const value = await request.json().catch(() => null);
  if (typeof value === "object" && value !== null && !Array.isArray(value)) return value as Fields;
  throw new AppError("invalid", "The body must be a JSON object.");
}

/** A whole number from 0 to `most`, `otherwise` where it is not given; throws `invalid` for anything else. */
export function numberOf(given: Fields, name: string, otherwise: number, most: number): number {
  const value = given[name];
  if (value === undefined || value === "") return otherwise;
  const number = Number(value);
  if (!Number.isSafeInteger(number) || number < 0 || number > most)
    throw new AppError("invalid", `${name} must be a whole number from 0 to ${most}.`);
  return number;
}
