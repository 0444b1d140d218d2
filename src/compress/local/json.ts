/** Reading JSON of any shape: whatever is not as expected is empty. */
import type { Json } from "../../core/event.ts";

export type JsonObject = { [key: string]: Json };

/** Longer texts (UTF-16 units) are read at their head and tail only, which keeps hostile input cheap. */
const READ_MAX = 40_000;
const DEPTH_MAX = 6;

/** The object itself, or an empty one for anything else. */
export function objectOf(value: Json | undefined): JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? value : {};
}

/** The list itself, or an empty one for anything else. */
export function listOf(value: Json | undefined): Json[] {
  return Array.isArray(value) ? value : [];
}

/** The string itself, or "" for anything else. */
export function stringOf(value: Json | undefined): string {
  return typeof value === "string" ? value : "";
}

/** The words of a tool's result: plain text, `stdout` and `stderr`, or content blocks, in that order of trust. */
export function outputOf(response: Json | undefined): string {
  return bounded(collect(response, 0)).replace(HOST_NOTE, "");
}

/** The text, or its head and tail where it is very long. */
export function bounded(text: string): string {
  return text.length <= READ_MAX
    ? text
    : `${text.slice(0, READ_MAX / 2)}\n${text.slice(text.length - READ_MAX / 2)}`;
}

/** A line the host adds to what a command printed. */
const HOST_NOTE = /^Shell cwd was reset to .*$/gm;
const TEXT_KEYS = ["stdout", "stderr", "result", "text", "content", "message", "error"] as const;

function collect(value: Json | undefined, depth: number): string {
  if (typeof value === "string") return value;
  if (depth > DEPTH_MAX || typeof value !== "object" || value === null) return "";
  const parts = Array.isArray(value) ? value.slice(0, 50) : TEXT_KEYS.map((key) => value[key] ?? null);
  return parts
    .map((part) => collect(part, depth + 1))
    .filter((part) => part !== "")
    .join("\n");
}
