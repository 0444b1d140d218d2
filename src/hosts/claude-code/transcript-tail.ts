/** The end of a transcript, for the one thing a hook may need of it. */
import { closeSync, fstatSync, openSync, readSync } from "node:fs";
import { asFields, wordsIn } from "./transcript-record.ts";

/** Read backwards by such steps, and no further than the limit: a transcript may hold hundreds of megabytes. */
const STEP = 64 * 1024;
const LIMIT = 4 * 1024 * 1024;

/**
 * The text of the last assistant message in a Claude Code transcript (JSON Lines), read from the end.
 * "" where the file is missing, broken, or says nothing within its last 4 MiB.
 */
export function lastAssistantText(path: string): string {
  let fd: number;
  try {
    fd = openSync(path, "r");
  } catch {
    return "";
  }
  try {
    const stat = fstatSync(fd);
    if (!stat.isFile()) return "";
    return searchBackwards(fd, stat.size);
  } catch {
    return "";
  } finally {
    closeSync(fd);
  }
}

function searchBackwards(fd: number, size: number): string {
  const chunks: Buffer[] = [];
  for (let end = size; end > 0 && size - end < LIMIT; ) {
    const start = Math.max(0, end - STEP);
    const chunk = Buffer.alloc(end - start);
    readSync(fd, chunk, 0, chunk.length, start);
    end = start;
    const newline = start === 0 ? -1 : chunk.indexOf(10);
    if (start > 0 && newline < 0) {
      chunks.unshift(chunk);
      continue;
    }
    const whole = Buffer.concat([chunk.subarray(newline + 1), ...chunks]).toString("utf8");
    for (const line of whole.split("\n").reverse()) {
      const text = assistantText(line);
      if (text) return text;
    }
    chunks.length = 0;
    if (newline >= 0) chunks.push(chunk.subarray(0, newline));
  }
  return "";
}

function assistantText(line: string): string {
  if (!line.includes('"assistant"')) return "";
  try {
    const record = asFields(JSON.parse(line));
    return record.type === "assistant" && record.isSidechain !== true ? wordsIn(record) : "";
  } catch {
    return "";
  }
}
