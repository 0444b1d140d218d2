/** Edits that belong together: a source with its tests, and the same change made in several files. */
import { cutText } from "../../../core/text.ts";
import { baseName, classOf, shortPath } from "../paths.ts";
import { listed, TITLE_MAX, titleOf, unique } from "../words.ts";
import { swapWords } from "./edit-title.ts";
import { type EditDraft, weightOf } from "./edits.ts";
import { newsOf } from "./news.ts";

const FACTS_MAX = 12;
/** A change of more lines is more than what it shares with others. */
const SHARED_LINES = 16;
const NEWS = "news:";

/** In the order of their first edits; each keeps the unit of its first, or of the source its tests belong to. */
export function familiesOf(edits: readonly EditDraft[]): EditDraft[] {
  return withTests(withSameChange(withMoves(withoutTrifles(edits))));
}

/** Where only blank lines changed, it goes with the turn's main edit. */
function withoutTrifles(edits: readonly EditDraft[]): EditDraft[] {
  const trifles = edits.filter(
    ({ change }) => !change.created && !change.wrote && change.plus.length + change.minus.length === 0,
  );
  const others = edits.filter((edit) => !trifles.includes(edit));
  const [first] = others;
  if (trifles.length === 0 || !first) return [...edits];
  const main = others.reduce((best, one) => (weightOf(one) > weightOf(best) ? one : best), first);
  return others.map((edit) =>
    edit === main ? joined(edit, [edit, ...trifles], edit.draft.title, edit.draft.facts) : edit,
  );
}

/** A name that went from one file and came in another moved: one refactoring. */
function withMoves(edits: readonly EditDraft[]): EditDraft[] {
  const left = new Map<string, EditDraft>();
  for (const edit of edits) for (const name of movable(edit, "removed")) left.set(name.toLowerCase(), edit);
  const taken = new Set<EditDraft>();
  return edits
    .map((edit) => {
      const moved = movable(edit, "added").filter((name) => {
        const from = left.get(name.toLowerCase());
        return from !== undefined && from !== edit && !taken.has(from);
      });
      const [first] = moved;
      const from = first && !taken.has(edit) ? left.get(first.toLowerCase()) : undefined;
      if (!from) return edit;
      taken.add(from);
      const names = listed(moved, 2);
      const ways = [
        `Moved ${names} from ${from.path} to ${edit.path}`,
        `Moved ${names} from ${baseName(from.path)} to ${shortPath(edit.path, 40)}`,
      ];
      const title =
        ways.find((text) => text.length <= TITLE_MAX) ?? `Moved ${first} to ${baseName(edit.path)}`;
      const both = joined(edit, [edit, from], title);
      return { ...both, draft: { ...both.draft, type: "refactor" } };
    })
    .filter((edit) => !taken.has(edit));
}

function movable(edit: EditDraft, state: "added" | "removed"): string[] {
  const isOne = edit.paths.length === 1 && classOf(edit.path) === "source";
  const names = edit.change.names.filter((name) => name.kind === "definition" && name.state === state);
  return isOne ? names.map((name) => name.name).filter((name) => name.length > 3) : [];
}

function withSameChange(edits: readonly EditDraft[]): EditDraft[] {
  const byTheme = new Map<string, EditDraft[]>();
  for (const edit of edits) {
    const theme = themeOf(edit);
    byTheme.set(theme, [...(byTheme.get(theme) ?? []), edit]);
  }
  return [...byTheme].flatMap(([theme, alike]) => {
    const [first] = alike;
    return !first || alike.length === 1 || theme.startsWith("edit:")
      ? alike
      : [sameChange(theme, first, alike)];
  });
}

/** What was done to the file in words that may hold for others too; its unit where it is its own. */
function themeOf({ change, draft }: EditDraft): string {
  const isPlain =
    !change.created && !change.wrote && change.names.every((name) => name.state === "changed" && !name.from);
  if (!isPlain) return draft.unit;
  if (change.swap) return swapWords({ ...change.swap, lines: 2 });
  const news = change.plus.length <= SHARED_LINES ? newsOf(change, []) : "";
  return news === "" ? draft.unit : NEWS + news;
}

function sameChange(theme: string, first: EditDraft, alike: readonly EditDraft[]): EditDraft {
  const paths = alike.flatMap((edit) => edit.paths);
  const head = theme.startsWith(NEWS)
    ? `${paths.length} files ${theme.slice(NEWS.length).replace(/\b(call|say)s\b/, "$1")}: `
    : `${theme} in ${paths.length} files: `;
  const lists = [paths.map((path) => shortPath(path, 40)), paths.map(baseName)].flatMap((names) =>
    [3, 2].map((shown) => listed(names, shown)),
  );
  const list = lists.find((names) => head.length + names.length <= TITLE_MAX);
  return joined(first, alike, head + (list ?? listed(paths.map(baseName), 1)));
}

function joined(first: EditDraft, all: readonly EditDraft[], title: string, facts?: string[]): EditDraft {
  const drafts = all.map((edit) => edit.draft);
  return {
    ...first,
    paths: unique(all.flatMap((edit) => edit.paths)),
    draft: {
      ...first.draft,
      title: titleOf(title),
      facts: (facts ?? all.map((edit) => factOf(edit))).slice(0, FACTS_MAX),
      filesModified: unique(drafts.flatMap((draft) => draft.filesModified)),
      evidence: unique(drafts.flatMap((draft) => draft.evidence)).sort((one, other) => one - other),
      at: Math.max(...drafts.map((draft) => draft.at)),
    },
  };
}

function factOf({ path, change, draft }: EditDraft): string {
  const names = change.names.filter((name) => name.kind !== "key").map((name) => name.name);
  return cutText(`${path}${names.length > 0 ? `: ${names.join(", ")}` : ""} (${draft.facts[0] ?? ""})`, 200);
}

function withTests(edits: readonly EditDraft[]): EditDraft[] {
  const sources = edits.filter((edit) => edit.paths.length === 1 && classOf(edit.path) === "source");
  const taken = new Map<EditDraft, EditDraft>();
  for (const edit of edits) {
    if (edit.paths.length > 1 || classOf(edit.path) !== "test") continue;
    const source = sourceOf(edit.path, sources);
    if (source && ![...taken.values()].includes(source)) taken.set(edit, source);
  }
  return edits.flatMap((edit) => {
    if (taken.has(edit)) return [];
    const tests = [...taken].find(([, source]) => source === edit)?.[0];
    return tests ? [withTest(edit, tests)] : [edit];
  });
}

/** `a/foo_test.go` and `a/foo.go`, `test/foo.test.ts` and `src/foo.ts`, `test_foo.py` and `foo.py`. */
function sourceOf(path: string, sources: readonly EditDraft[]): EditDraft | null {
  const name = baseName(path).replace(/^test_|[._-](?:test|spec)s?(?=\.\w+$)/gi, "");
  if (name === baseName(path)) return null;
  const alike = sources.filter((source) => baseName(source.path) === name);
  const folder = path.slice(0, path.lastIndexOf("/") + 1);
  return (
    alike.find((source) => source.path === folder + name) ?? (alike.length === 1 ? (alike[0] ?? null) : null)
  );
}

function withTest(source: EditDraft, tests: EditDraft): EditDraft {
  const names = tests.change.names.filter((name) => name.kind === "test" && name.state !== "removed");
  const [first] = names;
  const file = baseName(tests.path);
  const { title } = source.draft;
  const more = names.length > 1 ? ` and ${names.length - 1} more` : "";
  const ways = [
    first ? `; ${first.name}${more} in ${file}` : `; tests in ${file}`,
    `; tests in ${file}`,
    "; with tests",
  ];
  const way = ways.find((text) => title.length + text.length <= TITLE_MAX) ?? "";
  const told = names.length > 0 ? names.map((name) => name.name).join(", ") : (tests.draft.facts[0] ?? "");
  const facts = [...source.draft.facts, cutText(`Tests in ${tests.path}: ${told}`, 300)];
  return joined(source, [source, tests], title + way, facts);
}
