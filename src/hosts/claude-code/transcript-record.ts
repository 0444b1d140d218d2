/** The fields of a transcript's records, each of which may be missing or of another type. */

export type Fields = Record<string, unknown>;

export function asFields(value: unknown): Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Fields) : {};
}

/**
 * The record itself; or the subagent's own that some hosts hand up through the main file, wrapped in a report of its
 * progress.
 */
export function unwrapped(value: unknown): Fields {
  const record = asFields(value);
  const data = asFields(record.data);
  if (record.type !== "progress" || data.type !== "agent_progress") return record;
  const { sessionId, cwd, gitBranch, timestamp, uuid } = record;
  const inner = asFields(data.message);
  return { sessionId, cwd, gitBranch, timestamp, uuid, ...inner, agentId: data.agentId, isSidechain: true };
}

/** The blocks of a record's message; [] where its content is plain text. */
export function blocksOf(record: Fields): Fields[] {
  const { content } = asFields(record.message);
  return Array.isArray(content) ? content.map(asFields) : [];
}

/** The text of a record's message; thinking, calls and results are not said. */
export function wordsIn(record: Fields): string {
  return wordsOf(asFields(record.message).content);
}

/** The text of a content: plain, or its text blocks. */
export function wordsOf(content: unknown): string {
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return "";
  return content
    .map(asFields)
    .flatMap((block) => (block.type === "text" && typeof block.text === "string" ? [block.text] : []))
    .join("\n");
}

/** Unix milliseconds; `null` for a record without a time. */
export function timeOf(record: Fields): number | null {
  const at = Date.parse(textOf(record.timestamp));
  return Number.isFinite(at) && at > 0 ? at : null;
}

/** `HEAD` is what the host writes outside a repository and on no branch. */
export function branchOf(record: Fields): string | null {
  const branch = textOf(record.gitBranch).slice(0, 256);
  return branch === "" || branch === "HEAD" ? null : branch;
}

export function pathOf(value: unknown): string | null {
  const path = textOf(value);
  return path === "" || path.includes("\0") ? null : path;
}

/** A short text, such as an id or a name; "" for anything else. */
export function textOf(value: unknown): string {
  return typeof value === "string" && value.length <= 4_096 ? value : "";
}
