/**
 * A small model of a terminal screen: enough cursor movement and erasing to read what a program drew.
 * Colours, modes and titles are dropped. Lines that scroll off the top are kept.
 */
export type Screen = { write(text: string): void; text(): string };

type State = {
  cols: number;
  rows: number;
  lines: string[][];
  scrolled: string[];
  row: number;
  col: number;
  saved: { row: number; col: number };
  rest: string;
};

/** CSI, OSC/DCS/APC strings, or a two- to three-character escape, at the start of the text. */
const SEQUENCE =
  /^\x1b(?:\[([0-9;:<=>?]*)[ -/]*([@-~])|[\]PX^_][^\x07\x1b]*(?:\x07|\x1b\\)|[ -/]+[0-~]|[0-OQ-WYZ\\`-~])/;
const GRAPHEMES = new Intl.Segmenter("en", { granularity: "grapheme" });
const MAX_SCROLLED = 2_000;
/** Longer than any sequence; a start without an end must not swallow the rest of the stream. */
const MAX_SEQUENCE = 8_192;

function clamp(value: number, max: number): number {
  return Math.max(0, Math.min(value, max));
}

function lineFeed(state: State): void {
  if (state.row < state.rows - 1) {
    state.row++;
    return;
  }
  const top = state.lines.shift();
  state.scrolled.push(toText(top ?? []));
  if (state.scrolled.length > MAX_SCROLLED) state.scrolled.shift();
  state.lines.push([]);
}

function toText(line: string[]): string {
  return Array.from(line, (cell) => cell ?? " ")
    .join("")
    .trimEnd();
}

function put(state: State, grapheme: string): void {
  const width = Bun.stringWidth(grapheme);
  if (width === 0) return;
  if (state.col + width > state.cols) {
    state.col = 0;
    lineFeed(state);
  }
  const line = state.lines[state.row];
  if (!line) return;
  line[state.col] = grapheme;
  if (width === 2) line[state.col + 1] = "";
  state.col += width;
}

function eraseLine(state: State, row: number, from: number, to: number): void {
  const line = state.lines[row];
  if (!line) return;
  for (let col = from; col < Math.min(to, line.length); col++) line[col] = " ";
}

function eraseDisplay(state: State, mode: number): void {
  const first = mode === 0 ? state.row + 1 : 0;
  const end = mode === 1 ? state.row : state.rows;
  for (let row = first; row < end; row++) state.lines[row] = [];
  if (mode === 0) eraseLine(state, state.row, state.col, state.cols);
  if (mode === 1) eraseLine(state, state.row, 0, state.col + 1);
  if (mode === 3) state.scrolled = [];
}

function moveTo(state: State, row: number, col: number): void {
  state.row = clamp(row, state.rows - 1);
  state.col = clamp(col, state.cols - 1);
}

function control(state: State, parameters: string, final: string): void {
  const numbers = parameters.split(";").map((part) => Number.parseInt(part, 10) || 0);
  const first = numbers[0] ?? 0;
  const count = Math.max(1, first);
  const { row, col } = state;
  if (final === "A") moveTo(state, row - count, col);
  else if (final === "B") moveTo(state, row + count, col);
  else if (final === "C") moveTo(state, row, col + count);
  else if (final === "D") moveTo(state, row, col - count);
  else if (final === "E") moveTo(state, row + count, 0);
  else if (final === "F") moveTo(state, row - count, 0);
  else if (final === "G") moveTo(state, row, count - 1);
  else if (final === "d") moveTo(state, count - 1, col);
  else if (final === "H" || final === "f") moveTo(state, count - 1, Math.max(1, numbers[1] ?? 1) - 1);
  else if (final === "J") eraseDisplay(state, first);
  else if (final === "K") eraseLine(state, row, first === 0 ? col : 0, first === 1 ? col + 1 : state.cols);
  else if (final === "X") eraseLine(state, row, col, col + count);
  else if (final === "P") state.lines[row]?.splice(col, count);
  else if (final === "S") for (let step = 0; step < count; step++) scrollUp(state);
  else if (final === "s") state.saved = { row, col };
  else if (final === "u" && parameters === "") moveTo(state, state.saved.row, state.saved.col);
}

function scrollUp(state: State): void {
  const { row } = state;
  state.row = state.rows - 1;
  lineFeed(state);
  state.row = row;
}

function applySequence(state: State, match: RegExpExecArray): void {
  const [whole, parameters, final] = match;
  if (final !== undefined) control(state, parameters ?? "", final);
  else if (whole === "\x1b7") state.saved = { row: state.row, col: state.col };
  else if (whole === "\x1b8") moveTo(state, state.saved.row, state.saved.col);
}

function plain(state: State, text: string): void {
  for (const { segment } of GRAPHEMES.segment(text)) {
    if (segment === "\r\n") {
      state.col = 0;
      lineFeed(state);
    } else if (segment === "\n") lineFeed(state);
    else if (segment === "\r") state.col = 0;
    else if (segment === "\b") moveTo(state, state.row, state.col - 1);
    else if (segment === "\t") moveTo(state, state.row, (Math.floor(state.col / 8) + 1) * 8);
    else if (segment >= " ") put(state, segment);
  }
}

function write(state: State, added: string): void {
  let text = state.rest + added;
  state.rest = "";
  while (text !== "") {
    const at = text.indexOf("\x1b");
    if (at !== 0) {
      plain(state, at < 0 ? text : text.slice(0, at));
      text = at < 0 ? "" : text.slice(at);
      continue;
    }
    const match = SEQUENCE.exec(text);
    if (!match) {
      if (text.length < MAX_SEQUENCE) {
        // The rest of the sequence comes with a later chunk.
        state.rest = text;
        return;
      }
      text = text.slice(1);
      continue;
    }
    applySequence(state, match);
    text = text.slice(match[0].length);
  }
}

/** A blank screen of this size, the cursor at its top left. */
export function createScreen(cols: number, rows: number): Screen {
  const lines = Array.from({ length: rows }, (): string[] => []);
  const state: State = {
    cols,
    rows,
    lines,
    scrolled: [],
    row: 0,
    col: 0,
    saved: { row: 0, col: 0 },
    rest: "",
  };
  return {
    write: (text) => write(state, text),
    text: () => [...state.scrolled, ...state.lines.map(toText)].join("\n").trimEnd(),
  };
}
