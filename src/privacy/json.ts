/** Redaction of plain JSON, value by value, within a budget. */
import type { Json } from "../core/event.ts";
import { TEXT_MAX } from "./cap.ts";
import { judgeName } from "./secret-names.ts";
import { isSecretValue } from "./secret-values.ts";
import { cleanText, redactText } from "./text.ts";

export type JsonOptions = {
  /** UTF-16 units one string may keep. */
  max?: number;
  /** UTF-16 units after which strings are cut harder. */
  budget?: number;
};

/** UTF-16 units a whole value may keep before its strings are cut harder. */
const BUDGET = 65_536;
/** What a string may keep once the budget is used up, and at last. */
const MAX_WHEN_SPENT = 256;
const MAX_DEPTH = 64;
const MAX_ITEMS = 500;
const MAX_NODES = 20_000;
const LONG_KEY = 24;
const TOO_DEEP = "[too deep]";
const LEFT_OUT = "[left out]";
/** Parts the elements of a joined list: white space to every rule, and in no text by accident. */
const SEAM = "\n\v\f\v";

type Walk = { max: number; budget: number; used: number; nodes: number };

/**
 * A copy of the value with every string made fit to be kept (see `redactText`), values of secret-looking
 * keys hidden, and size limited: 64 levels, 500 elements or keys on one level, `max` for one string and
 * `budget` for all. A list of strings is one text, so that what one element opens hides the next.
 * Applying it again changes nothing.
 */
export function redactJson(value: Json, options: JsonOptions = {}): Json {
  const walk = { max: options.max ?? TEXT_MAX, budget: options.budget ?? BUDGET, used: 0, nodes: 0 };
  return visit(value, walk, 0);
}

function visit(value: Json, walk: Walk, depth: number, type?: string): Json {
  walk.nodes += 1;
  if (typeof value === "string") return takeText(value, walk, type);
  if (value === null || typeof value !== "object")
    return typeof value === "number" || typeof value === "boolean" ? value : null;
  if (walk.nodes > MAX_NODES) return LEFT_OUT;
  if (depth >= MAX_DEPTH) return TOO_DEEP;
  if (!Array.isArray(value)) return visitObject(value, walk, depth);
  if (value.length > 0 && value.every((item) => typeof item === "string")) return visitLines(value, walk);
  return shorten(value).map((item) => visit(item, walk, depth + 1));
}

function takeText(text: string, walk: Walk, type?: string): string {
  const left = walk.budget - walk.used;
  const max =
    walk.nodes > MAX_NODES || walk.used > 2 * walk.budget ? LEFT_OUT.length : Math.max(MAX_WHEN_SPENT, left);
  const kept = max === LEFT_OUT.length ? leaveOut(text) : redactText(text, Math.min(walk.max, max), type);
  walk.used += kept.length;
  return kept;
}

function leaveOut(text: string): string {
  const kept = text.length <= LEFT_OUT.length ? redactText(text) : LEFT_OUT;
  return kept.length <= LEFT_OUT.length ? kept : LEFT_OUT;
}

function visitLines(lines: string[], walk: Walk): Json[] {
  const joined = lines.map(cleanText).join(SEAM);
  const left = Math.max(MAX_WHEN_SPENT, walk.budget - walk.used);
  const kept = redactText(joined, Math.min(walk.max, left));
  walk.used += kept.length;
  walk.nodes += Math.min(lines.length, MAX_ITEMS);
  const parts = kept.split(SEAM);
  // A cut may go through a seam.
  return shorten(kept === joined ? parts : parts.map((part) => part.replace(/^[\v\f]+|[\v\f]+$/g, "")));
}

function shorten(items: Json[]): Json[] {
  if (items.length <= MAX_ITEMS) return items;
  const head = Math.floor((MAX_ITEMS * 2) / 3);
  const tail = MAX_ITEMS - head - 1;
  const left = items.length - head - tail;
  return [...items.slice(0, head), `… [${left} of ${items.length} left out] …`, ...items.slice(-tail)];
}

function visitObject(value: { [key: string]: Json }, walk: Walk, depth: number): Json {
  const keys = Object.keys(value);
  const type = mediaType(value);
  const copy: { [key: string]: Json } = {};
  for (const key of keys.slice(0, MAX_ITEMS)) {
    const name = redactKey(key);
    const item = value[key] ?? null;
    const kept =
      hideNamed(key, item) ??
      (key === "value" ? hidePaired(value, item) : null) ??
      visit(item, walk, depth + 1, type);
    // Plain assignment of `__proto__` would set the prototype instead of a key.
    if (name === "__proto__")
      Object.defineProperty(copy, name, {
        value: kept,
        enumerable: true,
        configurable: true,
        writable: true,
      });
    else copy[name] = kept;
  }
  return copy;
}

function redactKey(key: string): string {
  return key.length < LONG_KEY && /^[\w.$ /-]*$/.test(key) ? key : redactText(key, 256);
}

/** The replacement of a string whose key says that it is a secret; `null` where it is to be read as text. */
function hideNamed(key: string, item: Json): string | null {
  if (typeof item !== "string" || item.length === 0) return null;
  const name = judgeName(key);
  if (name.level === 0) return null;
  const where = { quoted: true, tight: false, alone: true, inCall: false };
  return isSecretValue(name.level, item, where) ? `[redacted:${name.kind}]` : null;
}

/** `{"name": "DB_PASSWORD", "value": "…"}`. */
function hidePaired(pair: { [key: string]: Json }, item: Json): string | null {
  const name = pair.name ?? pair.key;
  return typeof name === "string" ? hideNamed(name, item) : null;
}

function mediaType(value: { [key: string]: Json }): string | undefined {
  for (const key of ["media_type", "mediaType", "mimeType", "mime_type", "type"]) {
    const type = value[key];
    if (typeof type === "string" && /^[\w.+-]{1,64}\/[\w.+-]{1,64}$/.test(type)) return type;
  }
  return undefined;
}
