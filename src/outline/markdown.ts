/** Headings of a Markdown text, as a tree of sections. */
import { cutText, firstSentence, oneLine } from "../core/text.ts";
import { redactSecrets } from "../privacy/secrets.ts";
import type { Definition } from "./definition.ts";

type Heading = { level: number; name: string; row: number; at: number };

const NAME_MAX = 160;
const DOC_MAX = 140;

/** `#` headings and underlined ones, outside code fences and front matter; a section ends where the next begins. */
export function markdownSections(text: string): Definition[] {
  const lines = text.split("\n");
  const headings = headingsOf(lines);
  const top: Definition[] = [];
  const open: { level: number; section: Definition }[] = [];
  headings.forEach((heading, index) => {
    const next = headings.slice(index + 1).find(({ level }) => level <= heading.level);
    const end = next ? next.row : lines.length - (lines.at(-1) === "" ? 1 : 0);
    const section: Definition = {
      kind: "section",
      name: heading.name,
      owner: null,
      signature: `${"#".repeat(heading.level)} ${heading.name}`,
      doc: leadOf(lines, heading.row + 1, headings[index + 1]?.row ?? lines.length),
      line: heading.row + 1,
      end,
      from: heading.row + 1,
      start: heading.at,
      stop: next ? next.at : text.length,
      children: [],
    };
    while ((open.at(-1)?.level ?? 0) >= heading.level) open.pop();
    (open.at(-1)?.section.children ?? top).push(section);
    open.push({ level: heading.level, section });
  });
  return top;
}

function headingsOf(lines: readonly string[]): Heading[] {
  const found: Heading[] = [];
  let fence: string | null = null;
  let at = 0;
  let matterEnd = lines[0]?.trim() === "---" ? lines.indexOf("---", 1) : -1;
  if (matterEnd > 100) matterEnd = -1;
  lines.forEach((line, row) => {
    const start = at;
    at += line.length + 1;
    if (row <= matterEnd) return;
    const mark = /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1];
    if (mark && fence === null) fence = mark;
    else if (
      mark &&
      fence !== null &&
      mark[0] === fence[0] &&
      mark.length >= fence.length &&
      /^\s*[`~]+\s*$/.test(line)
    )
      fence = null;
    if (mark || fence !== null) return;
    const heading = headingAt(line, lines[row + 1] ?? "");
    if (heading) found.push({ ...heading, row, at: start });
  });
  return found;
}

function headingAt(line: string, below: string): { level: number; name: string } | null {
  const marked = /^ {0,3}(#{1,6})\s+(\S.*?)\s*#*\s*$/.exec(line);
  if (marked?.[1] && marked[2]) return { level: marked[1].length, name: plain(marked[2]) };
  const underline = /^ {0,3}(=+|-{3,})\s*$/.exec(below)?.[1];
  if (!underline || !/^ {0,3}[^\s>|#*+-]/.test(line)) return null;
  return { level: underline.startsWith("=") ? 1 : 2, name: plain(line.trim()) };
}

function plain(text: string): string {
  const bare = text.replace(/!?\[([^\]]*)\]\([^)]*\)/g, "$1").replace(/[`*]|(?<!\w)_|_(?!\w)/g, "");
  return cutText(redactSecrets(oneLine(bare)), NAME_MAX) || text.slice(0, NAME_MAX);
}

/** The first sentence below a heading, where it is prose. */
function leadOf(lines: readonly string[], from: number, to: number): string | null {
  let row = from;
  while (row < to && /^\s*(?:[=-]+\s*)?$/.test(lines[row] ?? "")) row += 1;
  if (row >= to || /^\s*(?:[`~]{3}|[|<!#>]|[-*+]\s|\d+[.)]\s)/.test(lines[row] ?? "")) return null;
  const prose: string[] = [];
  for (; row < to && prose.length < 8 && (lines[row] ?? "").trim() !== ""; row += 1)
    prose.push(lines[row] ?? "");
  return cutText(redactSecrets(firstSentence(prose.join(" ").slice(0, 1_000))), DOC_MAX) || null;
}
