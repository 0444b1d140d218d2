/** Telling what a user wrote from what they pasted. */

/** More lines than this in one go are a paste. */
const OWN_LINES_MAX = 20;
/** The first and the last words around a paste are the user's, when short. */
const AROUND_PASTE_MAX = 5;
/** A longer prompt is not searched past this (UTF-16 units). */
const PROMPT_MAX = 32_768;

const QUOTED_LINE = /^\s*(?:>|\|)/;
/** Somebody's turn in a pasted conversation, or a line of a log. */
const TRANSCRIPT_LINE =
  /^\s*(?:user|human|assistant|system|claude|tool)\s*[:>]|^\s*[❯⏺⎿●]|^\s*\[?\d{4}-\d\d-\d\d[T ]\d\d:\d\d/i;

/** The prompt without fenced code, block quotes, tag blocks, pasted conversations and long pastes. */
export function ownWords(prompt: string): string {
  const lines = withoutFences(prompt.slice(0, PROMPT_MAX)).filter(
    (line) => !QUOTED_LINE.test(line) && !TRANSCRIPT_LINE.test(line),
  );
  const text = lines.join("\n").replace(/<([a-z][\w-]*)(?:\s[^>]{0,400})?>[\s\S]{0,4000}?<\/\1>/gi, "");
  const filled = text.split("\n").filter((line) => line.trim() !== "");
  if (filled.length <= OWN_LINES_MAX) return text.trim();
  const blocks = text.split(/\n\s*\n/).filter((block) => block.trim() !== "");
  const ends = blocks.length > 1 ? [blocks[0] ?? "", blocks.at(-1) ?? ""] : [];
  return ends
    .filter((block) => block.split("\n").length <= AROUND_PASTE_MAX)
    .join("\n\n")
    .trim();
}

/** Lines outside fenced code; a fence that is never closed runs to the end. */
function withoutFences(text: string): string[] {
  let fence = "";
  return text.split(/\r?\n/).filter((line) => {
    const mark = /^\s*(?:[-*]\s+)?(`{3,}|~{3,})/.exec(line)?.[1] ?? "";
    if (fence === "" && mark !== "") {
      fence = mark;
      return false;
    }
    if (fence === "") return true;
    if (mark.startsWith(fence)) fence = "";
    return false;
  });
}

/** As `ownWords` but for the assistant's text: only code blocks go. */
export function withoutCode(text: string): string {
  return withoutFences(text).join("\n");
}
