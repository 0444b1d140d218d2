/** Reading a shell command line: just enough to know which programs it runs. */

export type ShellCommand = {
  /** Words with quotes removed; assignments, `sudo` and the like are gone. */
  words: string[];
  /** The command as written, on one line, without here-documents. */
  text: string;
  /** What a here-document feeds it; "" where none. */
  fed: string;
};

const LINE_MAX = 8_000;
const COMMANDS_MAX = 40;
const WRAPPERS = /^(?:sudo|time|nohup|env|command|exec|xvfb-run|stdbuf|nice|doas|caffeinate)$/;
const RUNNERS = /^(?:npx|bunx|pnpx|uvx)$/;
const CONTROL = /^(?:if|then|else|elif|fi|do|done|for|while|until|case|esac|\{|\}|!|in|\[\[?)$/;

/** The simple commands of a line, in order; what only moves about (`cd`, `export`) is left out. */
export function commandsOf(line: string): ShellCommand[] {
  const { text, documents } = withoutHereDocuments(line.slice(0, LINE_MAX));
  const found: ShellCommand[] = [];
  for (const part of splitCommands(text).slice(0, COMMANDS_MAX)) {
    if (/^\s*(?:(?:for|case|select|function)\s|\w+=["']?\$\()/.test(part)) continue;
    const words = unwrapped(wordsOf(part));
    const program = words[0] ?? "";
    if (program === "" || /^(?:cd|pushd|popd|export|set|unset|source|\.|true|:|local|shopt)$/.test(program))
      continue;
    found.push({
      words,
      text: part
        .trim()
        .replace(/^(?:(?:do|then|else|if|while|until|!|\{)\s+)+/, "")
        .replace(/\s+/g, " "),
      fed: /<</.test(part) ? (documents.shift() ?? "") : "",
    });
  }
  return found;
}

/** Whether the exit code may be another program's: a pipe, or an `|| true`. */
export function hidesExitCode(line: string): boolean {
  const bare = line.replace(/'[^']*'|"[^"]*"/g, "");
  return /\|(?!\|)|\|\||;\s*(?:echo|true|exit 0)|&\s*$/.test(bare);
}

function withoutHereDocuments(line: string): { text: string; documents: string[] } {
  const documents: string[] = [];
  if (!line.includes("<<")) return { text: line, documents };
  const kept: string[] = [];
  const lines = line.split("\n");
  for (let at = 0; at < lines.length; at += 1) {
    const current = lines[at] ?? "";
    kept.push(current);
    const mark = /<<-?\s*(["']?)([A-Za-z_]\w*)\1/.exec(current)?.[2];
    if (!mark) continue;
    const end = lines.findIndex((one, index) => index > at && one.trim() === mark);
    const last = end === -1 ? lines.length : end;
    documents.push(lines.slice(at + 1, last).join("\n"));
    at = last;
  }
  return { text: kept.join("\n"), documents };
}

/** Splits at `&&`, `||`, `;`, `|`, `&` and line ends outside quotes and `$(…)`. */
function splitCommands(text: string): string[] {
  const parts: string[] = [];
  let quote = "";
  let depth = 0;
  let current = "";
  for (let at = 0; at < text.length; at += 1) {
    const letter = text[at] ?? "";
    if (letter === "\\" && quote !== "'") {
      if (text[at + 1] !== "\n") current += letter + (text[at + 1] ?? "");
      at += 1;
    } else if (quote !== "") {
      if (letter === quote) quote = "";
      current += letter;
    } else if (letter === '"' || letter === "'" || letter === "`") {
      quote = letter;
      current += letter;
    } else if (letter === "(" || letter === ")") {
      depth = Math.max(0, depth + (letter === "(" ? 1 : -1));
      current += /\$$/.test(current) || depth > 0 ? letter : " ";
    } else if (letter === "#" && /(^|\s)$/.test(current)) {
      while (at + 1 < text.length && text[at + 1] !== "\n") at += 1;
    } else if (depth === 0 && /[;|\n]/.test(letter)) {
      parts.push(current);
      current = "";
    } else if (depth === 0 && letter === "&" && text[at - 1] !== ">" && text[at + 1] !== ">") {
      parts.push(current);
      current = "";
    } else {
      current += letter;
    }
  }
  parts.push(current);
  return parts.filter((part) => part.trim() !== "");
}

function wordsOf(part: string): string[] {
  const words: string[] = [];
  for (const [word] of part.matchAll(/(?:"(?:[^"\\]|\\.)*"|'[^']*'|\\.|[^\s"'\\])+/g)) {
    words.push(word.replace(/^(["'])([\s\S]*)\1$/, "$2").replace(/(=)(["'])([\s\S]*)\2$/, "$1$3"));
  }
  return words.filter((word) => !/^\d*>{1,2}&?\S*$|^&>\S*$|^<\S*$/.test(word));
}

/** Drops what stands before the program itself. */
function unwrapped(words: readonly string[]): string[] {
  let at = 0;
  while (at < words.length) {
    const word = words[at] ?? "";
    if (/^[A-Za-z_]\w*=/.test(word) || WRAPPERS.test(word) || CONTROL.test(word)) at += 1;
    else if (word === "timeout" || word === "gtimeout") at += 2;
    else if (RUNNERS.test(word)) at += /^(?:-y|--yes|--no-install)$/.test(words[at + 1] ?? "") ? 2 : 1;
    else if (/^(?:uv|poetry|pipenv|rye|hatch)$/.test(word) && words[at + 1] === "run") at += 2;
    else if (/^(?:pnpm|yarn|npm|bundle|mise)$/.test(word) && words[at + 1] === "exec")
      at += words[at + 2] === "--" ? 3 : 2;
    else break;
  }
  return words.slice(at);
}
