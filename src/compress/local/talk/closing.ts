/** Reading the assistant's closing message: headings, prose and bullets, and the sentences in them. */
import { oneLine, sentencesOf } from "../../../core/text.ts";
import type { Turn } from "../../../core/turn.ts";
import { withoutCode } from "./own-words.ts";
import { contentWords, isEmptyWords, marked } from "./sentences.ts";
import { PROPOSAL } from "./signals.ts";

export type Paragraph = {
  /** A row is one of a table, its cells in one line. */
  kind: "heading" | "bullet" | "prose" | "row";
  text: string;
  /** The heading above; "" where none. */
  heading: string;
  /** The line ending in a colon that a bullet stands under; "" where none. */
  lead: string;
  /** What is in bold type. */
  bold: string[];
};

const MESSAGE_MAX = 24_000;
/** A bold line of so many words is no heading but what the writer wants to be read. */
const SENTENCE_WORDS = 7;

/** The last closing message of the main agent, with the event it came from; `null` where there is none. */
export function closingOf(turn: Turn): { text: string; id: number; at: number } | null {
  const event = turn.events.findLast(
    (one) =>
      (one.kind === "turn_end" || one.kind === "turn_failure") &&
      !one.agentId &&
      typeof one.body.message === "string" &&
      one.body.message.trim() !== "",
  );
  return event
    ? { text: String(event.body.message).slice(0, MESSAGE_MAX), id: event.id, at: event.at }
    : null;
}

const RULER = /^\s*(?:\||-{3,}|={3,}|\*{3,})/;
const BULLET = /^\s*(?:[-*•]|\d{1,2}[.)])\s+(.+)$/;

/** The message without code blocks, by paragraph, bullet and row of a table, marks of Markdown removed. */
export function paragraphsOf(message: string): Paragraph[] {
  const found: Paragraph[] = [];
  let heading = "";
  let lead = "";
  let prose: string[] = [];
  let inTable = false;
  const close = () => {
    if (prose.length === 0) return;
    const text = plain(prose.join(" "));
    lead = /[:：]$/.test(text) ? (sentencesOf(text).at(-1) ?? "") : "";
    found.push({ kind: "prose", text, heading, lead: "", bold: boldIn(prose.join(" ")) });
    prose = [];
  };
  for (const line of withoutCode(message).split("\n")) {
    if (/^\s*>/.test(line)) continue;
    const title = headingOf(line);
    const bullet = BULLET.exec(line)?.[1];
    const row = rowOf(line, inTable);
    inTable = /^\s*\|/.test(line);
    if (row !== "") found.push({ kind: "row", text: row, heading, lead, bold: [] });
    if (title || bullet || line.trim() === "" || RULER.test(line)) close();
    if (title) {
      heading = plain(title).replace(/:$/, "");
      lead = "";
      found.push({ kind: "heading", text: heading, heading, lead: "", bold: [] });
    } else if (bullet) {
      found.push({ kind: "bullet", text: plain(bullet), heading, lead, bold: boldIn(bullet) });
    } else if (line.trim() !== "" && !RULER.test(line)) {
      prose.push(line);
    }
  }
  close();
  return found.filter((paragraph) => paragraph.text !== "");
}

/** A table's row as `cell — cell`; "" for its head, its rule and rows of one cell. A bare number in front is left out. */
function rowOf(line: string, inTable: boolean): string {
  if (!inTable || !/^\s*\|.*\|\s*$/.test(line) || /^[\s|:-]+$/.test(line) || line.length > 800) return "";
  const cells = line
    .trim()
    .slice(1, -1)
    .split("|")
    .map(plain)
    .filter((cell) => cell !== "" && !/^#?\d{1,3}$/.test(cell));
  return cells.length > 1 ? cells.slice(0, 4).join(" — ") : "";
}

/** A heading, a short bold line that is no sentence, or a line of a few words that only announces ("Next steps:"). */
function headingOf(line: string): string {
  const marks = /^\s*#{1,6}\s+(.+)$/.exec(line)?.[1];
  if (marks) return marks;
  const isBold = /^\s*\*\*[^*]{2,80}\*\*.{0,80}$/.test(line) && !/[.!?]\s*$/.test(line.replaceAll("*", ""));
  const words = line.trim().split(/\s+/).length;
  const announces = /^\s*[^\s|>*-][^.!?:]{1,40}:\s*$/.test(line) && words <= 4;
  return (isBold && words < SENTENCE_WORDS) || announces ? line : "";
}

function boldIn(text: string): string[] {
  return [...text.matchAll(/\*\*([^*]{3,400})\*\*/g)].map(([, words = ""]) => plain(words));
}

/** The text on one line, without marks of Markdown. */
export function plain(text: string): string {
  return oneLine(text)
    .replace(/\*\*([^*]+)\*\*/g, "$1")
    .replace(/\[([^\]]{1,200})\]\(([^)]{1,400})\)/g, "$1")
    .replace(/^(?:[\u2705\u2713\u2714\u274c\u26a0]\ufe0f?\s*)+/, "")
    .trim();
}

export type Sentence = { text: string; heading: string; bold: boolean; proposed: boolean };

/** Sentences of the prose, in order; one that opens a list is told with the list's first items. */
export function proseSentences(paragraphs: readonly Paragraph[]): Sentence[] {
  return paragraphs.flatMap((paragraph, at) => {
    if (paragraph.kind !== "prose") return [];
    const items = itemsAfter(paragraphs, at);
    return sentencesOf(paragraph.text).map((text): Sentence => {
      const isOpen = /[:：]$/.test(text) && items !== "";
      return {
        text: isOpen ? `${text} ${items}` : text,
        heading: paragraph.heading,
        bold: paragraph.bold.some(
          (words) => words.length > 20 && (words.includes(text) || text.startsWith(words)),
        ),
        proposed: isProposal(paragraph) || (isOpen && (PROPOSAL.test(text) || LETTERED.test(items))),
      };
    });
  });
}

const ITEMS_MAX = 2;
/** Choices to pick from. */
const LETTERED = /^(?:[A-D][).:]|option)\s/i;

function itemsAfter(paragraphs: readonly Paragraph[], at: number): string {
  const items: string[] = [];
  for (const next of paragraphs.slice(at + 1, at + 1 + ITEMS_MAX)) {
    if (next.kind !== "bullet" || /[:：]$/.test(next.text)) break;
    items.push(next.text);
  }
  return items.join("; ");
}

/** Whether it stands under words that open a list of ways to go: not yet true, and not yet wanted. */
export function isProposal(paragraph: Paragraph): boolean {
  return PROPOSAL.test(paragraph.heading) || (paragraph.lead !== "" && PROPOSAL.test(paragraph.lead));
}

/**
 * Sentences and bullets that name the first of these or stand under it, or else name one of the others; at most `max`
 * UTF-16 units.
 */
export function wordsAbout(paragraphs: readonly Paragraph[], names: readonly string[], max: number): string {
  const [first = "", ...others] = names.filter((name) => name.length > 3);
  const said = paragraphs
    .filter((paragraph) => paragraph.kind !== "heading" && !isProposal(paragraph))
    .flatMap(({ kind, text, heading, lead }) =>
      (kind === "bullet" || kind === "row" ? [text] : sentencesOf(text)).map((words) => ({
        words,
        above: `${heading} ${lead}`,
      })),
    )
    .filter(({ words }) => !/[:?]$/.test(words) && !isEmptyWords(words) && contentWords(words) >= 3);
  const about = (name: string) => said.filter(({ words }) => namesExactly(words, name));
  const own = first ? about(first) : [];
  const under = first ? said.filter(({ above }) => namesExactly(above, first)) : [];
  const found = [own, under, others.slice(0, 20).flatMap(about)].find((list) => list.length > 0) ?? [];
  return marked([...new Set(found.map(({ words }) => words))].slice(0, 2).join(" "), max);
}

/** Whether the name stands there as a whole, not as part of a longer one. */
function namesExactly(sentence: string, name: string): boolean {
  for (let at = sentence.indexOf(name); at >= 0; at = sentence.indexOf(name, at + 1)) {
    const around = (sentence[at - 1] ?? " ") + (sentence[at + name.length] ?? " ");
    if (!/[\w-]/.test(around)) return true;
  }
  return false;
}
