/** Files that a shell command writes, moves or deletes, as far as its words name them. */
import { writtenFile } from "./commands.ts";
import type { ShellCommand } from "./shell.ts";
import { listed } from "./words.ts";

export type Writing = {
  /** In the past tense, such as `deleted src/old.ts`; "" where only files are worth noting. */
  words: string;
  files: string[];
  /** It only put a file into shape. */
  formats: boolean;
};

/** Scratch places outside any project. */
const PASSING = /^(?:\/tmp|\/private\/tmp|\/var\/folders|\/dev|\/proc)\/|^\$|(?:^|\/)\.git\//;
const FORMATTER =
  /^(?:gofmt|goimports|gofumpt|prettier|black|isort|rustfmt|clang-format|shfmt|stylua|biome|ruff|deno|eslint|rubocop|dart|swiftformat|ktlint|terraform)$/;
const WRITES_IN_PLACE = /^(?:-w|-i|--write|--fix|--in-place|--fix-dry-run|-a|-A|--autocorrect|format|fmt)$/;
const ALWAYS_WRITES = /^(?:black|isort|rustfmt|stylua|swiftformat)$/;

/** `null` where the command writes no file that lasts. `shown` makes paths as they are shown. */
export function writingOf(part: ShellCommand, shown: (path: string) => string): Writing | null {
  const [program = "", ...rest] = part.words;
  const names = rest.filter((word) => !word.startsWith("-") && !/^\d*[<>]/.test(word));
  const found = named(program, rest, names, shown) ?? redirected(part, shown);
  return found && found.files.length > 0 ? found : null;
}

function named(
  program: string,
  rest: readonly string[],
  names: readonly string[],
  shown: (path: string) => string,
): Writing | null {
  const [first = "", ...others] = names;
  if (program === "git" && /^(?:mv|rm)$/.test(first)) return named(first, rest.slice(1), others, shown);
  if (
    program === "git" &&
    /^(?:restore|checkout)$/.test(first) &&
    !rest.some((word) => /^-[bB]$|--staged/.test(word))
  )
    return restored(rest, others, shown);
  if (program === "rm") return writing("deleted", names, shown);
  if (program === "mv" && names.length > 1) return moved(names, shown);
  if (program === "cp" && names.length > 1) {
    const to = lasting(names.slice(-1), shown);
    return {
      words: to.length > 0 ? `copied ${listed(names.slice(0, -1).map(shown))} to ${to[0]}` : "",
      files: to,
      formats: false,
    };
  }
  if (/^(?:sed|perl)$/.test(program)) return edited(program, rest, names, shown);
  if (program === "tee") return writing("wrote", names, shown);
  const formats =
    FORMATTER.test(program) &&
    (ALWAYS_WRITES.test(program) || rest.some((word) => WRITES_IN_PLACE.test(word)));
  if (!formats) return null;
  const files = lasting(
    names.filter((name) => /\.\w+$/.test(name)),
    shown,
  );
  return { words: `formatted ${listed(files)} with ${program}`, files, formats: true };
}

function lasting(names: readonly string[], shown: (path: string) => string): string[] {
  return names
    .filter((name) => !PASSING.test(name) && !/[*?$`{}]|^\.{0,2}\/?$/.test(name))
    .map(shown)
    .filter((name) => name !== "");
}

function writing(verb: string, names: readonly string[], shown: (path: string) => string): Writing {
  const files = lasting(names, shown);
  return { words: `${verb} ${listed(files)}`, files, formats: false };
}

function moved(names: readonly string[], shown: (path: string) => string): Writing {
  const files = lasting(names, shown);
  const from = lasting(names.slice(0, -1), shown);
  return files.length < 2
    ? { words: "", files, formats: false }
    : { words: `moved ${listed(from)} to ${shown(names.at(-1) ?? "")}`, files, formats: false };
}

function restored(
  rest: readonly string[],
  others: readonly string[],
  shown: (path: string) => string,
): Writing | null {
  const after = rest.indexOf("--");
  const names = (after >= 0 ? rest.slice(after + 1) : others).filter((name) => /\.\w+$/.test(name));
  return names.length > 0 && (after >= 0 || rest[0] === "restore") ? writing("reverted", names, shown) : null;
}

function edited(
  program: string,
  rest: readonly string[],
  names: readonly string[],
  shown: (path: string) => string,
): Writing | null {
  if (!rest.some((word) => /^-\w*i|^--in-place/.test(word))) return null;
  // What is no program of sed's or perl's own: a plain path with a point or a slash in it.
  const paths = names.filter(
    (name, at) => (at > 0 || rest.includes("-e")) && /^[\w@~./-]*\w\.?\w+$/.test(name) && /[./]/.test(name),
  );
  const files = lasting(paths, shown);
  return { words: `edited ${listed(files)} with ${program}`, files, formats: false };
}

function redirected(part: ShellCommand, shown: (path: string) => string): Writing | null {
  const target = writtenFile(part);
  return target !== "" && /[./]/.test(target) ? writing("wrote", [target], shown) : null;
}
