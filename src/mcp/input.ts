/** A tool's arguments, read as the outside world. */
import { AppError } from "../core/errors.ts";

/** More at once would fill a context for little use. */
const IDS_MAX = 50;

/** Observation ids, `#12` as well as 12, each once; throws `invalid` for anything else. */
export function idsOf(value: unknown): number[] {
  const list = Array.isArray(value) ? value : [value];
  const ids = list.map((one) => Number(String(one).replace(/^#/, "")));
  if (list.length === 0 || !ids.every((id) => Number.isSafeInteger(id) && id > 0)) {
    throw new AppError("invalid", "ids must be a list of observation numbers.");
  }
  return [...new Set(ids)].slice(0, IDS_MAX);
}

export function idOf(value: unknown): number {
  const [id] = idsOf(value);
  if (id === undefined) throw new AppError("invalid", "id must be an observation number.");
  return id;
}

/** A text, or "" where it is not given; throws `invalid` for anything else. */
export function textOf(input: Record<string, unknown>, name: string): string {
  const value = input[name] ?? "";
  if (typeof value !== "string") throw new AppError("invalid", `${name} must be a text.`);
  return value;
}
