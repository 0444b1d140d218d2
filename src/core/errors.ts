/** The few ways in which something can go wrong that callers tell apart. */
export type ErrorCode = "not_found" | "invalid" | "unavailable" | "store_newer" | "store_broken" | "internal";

/** An error with a code to decide by and a sentence to show. */
export class AppError extends Error {
  constructor(
    readonly code: ErrorCode,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
    this.name = "AppError";
  }

  /** By name: a program's parts are bundles of their own, and each has this class. */
  static override [Symbol.hasInstance](value: unknown): boolean {
    return value instanceof Error && value.name === "AppError";
  }
}

/** The sentence of anything thrown. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
