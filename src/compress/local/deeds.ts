/** Other commands and tools that changed something: folded into one observation. */
import type { ObservationDraft } from "../../core/observation.ts";
import { cutText, oneLine } from "../../core/text.ts";
import type { Run } from "./bash.ts";
import { agentOf, type Call, draftOf } from "./call.ts";
import { writtenFile } from "./commands.ts";
import { outputOf, stringOf } from "./json.ts";
import { shownPath } from "./paths.ts";
import { capital, listed, titleOf, unique } from "./words.ts";

type Deed = { call: Call; words: string; fact: string; files: string[]; ran: boolean };

const PASSING = /^(?:\/tmp|\/private\/tmp|\/var\/folders|\/dev)\/|^\$/;
const CHANGING_TOOL =
  /(?:^|_)(?:create|update|delete|add|post|send|merge|close|publish|deploy|save|remove|edit|write|move|upload)(?:_|$)/i;
/** By its description a command that only looked at something. */
const LOOKING =
  /^(?:show|get|check|list|find|view|look|compare|count|search|inspect|verify|display|print|read|extract|examine|test|try|explore|see|confirm|validate|monitor|wait|fetch|query|describe|debug|analy[sz]e|review|trace|grep|dump|measure|determine|identify|locate)\b/i;
const FACTS_MAX = 8;

/** `null` where nothing else was done. Of subagents only what changed files. */
export function deedsDraft(
  calls: readonly Call[],
  runs: readonly Run[],
  root: string | null,
): ObservationDraft | null {
  const deeds = [...runs.flatMap((run) => runDeed(run, root)), ...calls.flatMap(toolDeed)];
  if (deeds.length === 0) return null;
  const words = unique(deeds.map((deed) => deed.words));
  const few = words
    .slice(0, 2)
    .map((part, at) =>
      at === 0 ? part : part.replace(/^\p{Lu}(?=\p{Ll})/u, (letter) => letter.toLowerCase()),
    );
  const title = words.length > 2 ? `${few.join("; ")} and ${words.length - 2} more` : few.join("; ");
  return draftOf(
    "run:other",
    deeds.map((deed) => deed.call),
    {
      type: deeds.every((deed) => deed.ran) ? "discovery" : "change",
      title: titleOf(title),
      facts: unique(deeds.map((deed) => deed.fact)).slice(0, FACTS_MAX),
      concepts: ["what-changed"],
      filesModified: unique(deeds.flatMap((deed) => deed.files)),
      ...agentOf(deeds.map((deed) => deed.call)),
    },
  );
}

function runDeed(run: Run, root: string | null): Deed[] {
  const { call, command, description } = run;
  if (call.failed || (command.kind !== "change" && command.kind !== "run")) return [];
  if (command.kind === "run" && (description === "" || LOOKING.test(description) || call.agentId !== null))
    return [];
  const { words, files } =
    command.kind === "change" ? changeWords(run, root) : { words: description, files: [] };
  if (words === "") return [];
  const shown = `\`${cutText(command.text, 100)}\``;
  const said = cutText(oneLine(call.output.trim().split("\n").at(-1) ?? ""), 120);
  return [
    {
      call,
      words,
      files,
      ran: command.kind === "run",
      fact: capital(
        `${words !== shown ? `${cutText(words, 100)}: ${shown}` : shown}${said && said.length > 3 ? ` → ${said}` : ""}`,
      ),
    },
  ];
}

/** In words, with the files of this project that the command line itself names. */
function changeWords(run: Run, root: string | null): { words: string; files: string[] } {
  const { main } = run.command;
  const [program = "", ...rest] = main.words;
  const names = rest.filter((word) => !word.startsWith("-"));
  if (names.length > 0 && /^(?:rm|mv|cp|ln)$/.test(program) && names.every((name) => PASSING.test(name)))
    return { words: "", files: [] };
  const shown = (path: string) => shownPath(path, root, run.call.cwd);
  const plain = names.map(shown).filter((path) => path !== "" && !/[*?$]/.test(path));
  if (program === "rm" && names.length > 0)
    return { words: `deleted ${listed(names.map(shown))}`, files: plain };
  if (program === "mv" && names.length > 1)
    return {
      words: `moved ${listed(names.slice(0, -1).map(shown))} to ${shown(names.at(-1) ?? "")}`,
      files: plain,
    };
  const written = writtenFile(main);
  if (written) return { words: `wrote ${shown(written)}`, files: [shown(written)] };
  if (/^(?:cat|tee|echo|printf)$/.test(program)) return { words: "", files: [] };
  if (/^(?:sed|perl)$/.test(program)) {
    const file = names
      // What is no program of sed's or perl's own: a plain path with a point or a slash in it.
      .filter(
        (name, at) =>
          (at > 0 || rest.includes("-e")) && /^[\w@~./*-]*\w\.?[\w*]+$/.test(name) && /[./]/.test(name),
      )
      .filter((name) => !PASSING.test(name))
      .map(shown);
    return file.length > 0
      ? { words: `edited ${listed(file)} with ${program}`, files: file.filter((path) => !/[*?$]/.test(path)) }
      : { words: "", files: [] };
  }
  return { words: run.description || `\`${cutText(run.command.text, 80)}\``, files: [] };
}

/** A tool of an MCP server that by its name changes something outside. */
function toolDeed(call: Call): Deed[] {
  if (
    call.failed ||
    !call.tool.startsWith("mcp__") ||
    !CHANGING_TOOL.test(call.tool.replace(/^mcp__.+?__/, ""))
  )
    return [];
  const { title, name, summary, subject, body } = call.input;
  const subjectWords = [title, name, summary, subject, body].map(stringOf).find((text) => text !== "") ?? "";
  const what = cutText(oneLine(subjectWords), 70);
  const link = /https:\/\/[^\s"'\\)]+/.exec(outputOf(call.response))?.[0] ?? "";
  const words = toolWords(call.tool, what);
  return [{ call, words, files: [], ran: false, fact: link ? `${words}: ${link}` : words }];
}

const PAST: Record<string, string> = { send: "sent", write: "wrote" };

/** `mcp__tracker__create_issue` as `created issue “…” (tracker)`. */
function toolWords(tool: string, what: string): string {
  const [server = "", action = ""] = tool.replace(/^mcp__(?:plugin_)?/, "").split("__");
  const [verb = "", ...rest] = action.split(/[_-]/);
  const past = PAST[verb] ?? (CHANGING_TOOL.test(verb) ? verb.replace(/e?$/, "ed") : verb);
  return oneLine(`${past} ${rest.join(" ")}${what ? ` “${what}”` : ""}${server ? ` (${server})` : ""}`);
}
