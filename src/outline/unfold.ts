/** One definition's exact source. */
import { type Definition, type DefinitionKind, type Placed, placed } from "./definition.ts";
import { definitionsOf } from "./definitions.ts";
import { readSource } from "./read-source.ts";

/** UTF-16 units of source in one answer: some 12,000 tokens. */
const SOURCE_SHOWN_MAX = 48_000;
const CANDIDATES_MAX = 20;
/** Overloads of one function that are shown together. */
const TOGETHER_MAX = 8;

export type Candidate = { name: string; kind: DefinitionKind; line: number; end: number };

export type Unfolded = {
  path: string;
  name: string;
  kind: DefinitionKind;
  /** 1-based lines of what is shown, comment and decorators included. */
  from: number;
  end: number;
  source: string;
  /** The lines left out, where the source is too long for one answer. */
  cut: { from: number; to: number } | null;
  /** Names of what is defined inside, to ask for where the source was cut. */
  inside: string[];
  notes: string[];
};

export type UnfoldAnswer =
  | Unfolded
  | { path: string; source: null; exact: boolean; candidates: Candidate[]; notes: string[] };

/**
 * The source of `symbol` in a file of the workspace: a name, a path of names (`Class.method`, also with `::`, `#`
 * or `/`), either with `:LINE` behind it. Several of that name or none: candidates, whose names can be asked for.
 * Throws `AppError` like `outlineOf`.
 */
export async function unfold(root: string, path: string, symbol: string): Promise<UnfoldAnswer> {
  const source = readSource(root, path);
  const { definitions, guessed } = await definitionsOf(source.path, source.text);
  const notes = source.note ? [source.note] : [];
  if (guessed) notes.push(`Where it ends is a guess by lines: ${guessed}.`);
  const all = placed(definitions);
  const matches = matching(all, symbol.trim().slice(0, 400));
  const [only] = matches;
  if (only && (matches.length === 1 || areOne(matches))) {
    const shown = show(source.text, matches);
    return { path: source.path, ...shown, notes: [...notes, ...alsoNamed(all, matches)] };
  }
  const candidates = matches.length > 0 ? matches : near(all, symbol);
  return {
    path: source.path,
    source: null,
    exact: matches.length > 0,
    candidates: candidates.slice(0, CANDIDATES_MAX).map((one) => candidate(one, matches.length > 0)),
    notes,
  };
}

/** Names with a line, where only that tells one from the other. */
function candidate({ definition, path }: Placed, withLine: boolean): Candidate {
  const { kind, line, end } = definition;
  return { name: path.join(".") + (withLine ? `:${line}` : ""), kind, line, end };
}

function matching(all: readonly Placed[], symbol: string): Placed[] {
  const [, name = symbol, at] = /^(.*?)(?::(\d+))?$/s.exec(symbol) ?? [];
  const onLine = ({ definition }: Placed) =>
    !at || (definition.from <= Number(at) && Number(at) <= definition.end);
  const wanted = [
    ({ definition }: Placed) => definition.name === name,
    ({ path }: Placed) => endsWithPath(path, name),
    ({ path }: Placed) =>
      endsWithPath(
        path.map((part) => part.toLowerCase()),
        name.toLowerCase(),
      ),
  ];
  for (const isWanted of wanted) {
    const found = all.filter((one) => isWanted(one) && onLine(one));
    if (found.length === 0) continue;
    const exactly = found.filter(({ definition }) => at && definition.line === Number(at));
    return withoutParts(exactly.length > 0 ? exactly : found);
  }
  return [];
}

/** A type rather than what implements it elsewhere in the file. */
function withoutParts(found: Placed[]): Placed[] {
  const types = found.filter(({ definition }) => definition.kind !== "impl");
  return types.length > 0 ? types : found;
}

const PARTS = /\.|::|#(?=\w)|\/|\s*[›>]\s*/;

function endsWithPath(path: readonly string[], name: string): boolean {
  const wanted = name
    .split(PARTS)
    .map((part) => part.replace(/\(.*\)$/s, "").trim())
    .filter(Boolean);
  const parts = path.flatMap((part) => part.split(PARTS).filter(Boolean));
  return wanted.length > 0 && wanted.every((part, at) => parts[parts.length - wanted.length + at] === part);
}

/** Overloads: functions of one name that follow each other in one place. */
function areOne(matches: readonly Placed[]): boolean {
  const first = matches[0]?.path.join(".");
  return (
    matches.length <= TOGETHER_MAX &&
    matches.every(
      ({ definition, path }, index) =>
        path.join(".") === first &&
        /^(?:function|method)$/.test(definition.kind) &&
        (index === 0 || definition.from - (matches[index - 1]?.definition.end ?? 0) <= 2),
    )
  );
}

function alsoNamed(all: readonly Placed[], shown: readonly Placed[]): string[] {
  const name = shown[0]?.definition.name;
  const parts = all.filter(
    (one) => one.definition.kind === "impl" && one.definition.name === name && !shown.includes(one),
  );
  if (parts.length === 0) return [];
  const list = parts
    .slice(0, 12)
    .map(({ definition }) => `${definition.line}–${definition.end} ${definition.signature}`);
  return [`See also: ${list.join("; ")}`];
}

function show(text: string, matches: readonly Placed[]): Omit<Unfolded, "path" | "notes"> {
  const first = matches[0]?.definition;
  const last = matches.at(-1)?.definition;
  if (!first || !last) throw new RangeError("nothing to show");
  const whole = text.slice(startOf(text, first), stopOf(text, last));
  const source = whole.length <= SOURCE_SHOWN_MAX ? whole : whole.slice(0, cutAt(whole));
  const shownEnd = first.from + source.split("\n").length - 1;
  const cut = source.length < whole.length ? { from: shownEnd + 1, to: last.end } : null;
  return {
    name: (matches[0]?.path ?? []).join("."),
    kind: first.kind,
    from: first.from,
    end: last.end,
    source,
    cut,
    inside: placed(first.children)
      .slice(0, 40)
      .map(({ path }) => path.join(".")),
  };
}

/** After a whole line, unless one line is all there is. */
function cutAt(whole: string): number {
  const end = whole.lastIndexOf("\n", SOURCE_SHOWN_MAX);
  return end > 0 ? end : SOURCE_SHOWN_MAX;
}

/** Whole lines, unless other code stands before it on its first line. */
function startOf(text: string, definition: Definition): number {
  const lineStart = text.lastIndexOf("\n", definition.start - 1) + 1;
  if (text.slice(lineStart, definition.start).trim() !== "") return definition.start;
  let at = lineStart;
  const first = definition.from;
  let row = text.slice(0, lineStart).split("\n").length;
  for (; row > first; row -= 1) at = text.lastIndexOf("\n", at - 2) + 1;
  return at;
}

/** To the line's end where nothing but a sign or a comment follows. */
function stopOf(text: string, definition: Definition): number {
  let stop = definition.stop;
  while (stop > definition.start && /\s/.test(text[stop - 1] ?? "")) stop -= 1;
  const rest = /^[ \t]*[;,]?[ \t]*(?:(?:\/\/|#).*)?(?=\r?\n|$)/.exec(text.slice(stop, stop + 400))?.[0];
  return stop + (rest?.trimEnd().length ?? 0);
}

/** Names that hold the wanted one's last part, or the other way round. */
function near(all: readonly Placed[], symbol: string): Placed[] {
  const last = (symbol.split(PARTS).filter(Boolean).at(-1) ?? symbol)
    .toLowerCase()
    .replace(/\(.*/s, "")
    .trim();
  if (last === "") return all.slice(0, CANDIDATES_MAX);
  const isNear = ({ definition }: Placed) => {
    const name = definition.name.toLowerCase();
    return name.includes(last) || (name.length > 3 && last.includes(name));
  };
  const found = all.filter(isNear);
  return found.length > 0 ? found : all.filter(({ path }) => path.length === 1);
}
