/** Other commands and tools that changed something: folded into one observation. */
import type { ObservationDraft } from "../../core/observation.ts";
import { cutText, oneLine } from "../../core/text.ts";
import type { Run } from "./bash.ts";
import { agentOf, type Call, draftOf } from "./call.ts";
import { outputOf, stringOf } from "./json.ts";
import { ownPath } from "./paths.ts";
import { capital, titleOf, unique } from "./words.ts";
import { writingOf } from "./writes.ts";

type Deed = { call: Call; words: string; fact: string; files: string[]; ran: boolean };

const CHANGING_TOOL =
  /(?:^|_)(?:create|update|delete|add|post|send|merge|close|publish|deploy|save|remove|edit|write|move|upload)(?:_|$)/i;
/** By its description a command that only looked at something. */
const LOOKING =
  /^(?:show|get|check|list|find|view|look|compare|count|search|inspect|verify|display|print|read|extract|examine|test|try|explore|see|confirm|validate|monitor|wait|fetch|query|describe|debug|analy[sz]e|review|trace|grep|dump|measure|determine|identify|locate)\b/i;
const FACTS_MAX = 8;

/** `null` where nothing else was done. Of subagents only what changed files. `edited` are files told elsewhere. */
export function deedsDraft(
  calls: readonly Call[],
  runs: readonly Run[],
  root: string | null,
  edited: ReadonlySet<string>,
): ObservationDraft | null {
  const all = [...runs.flatMap((run) => runDeeds(run, root, edited)), ...calls.flatMap(toolDeed)];
  const lasting = all.filter((deed) => !deed.ran);
  // Running something is told only where nothing lasting was done.
  const deeds = lasting.length > 0 ? lasting : all;
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

function runDeeds(run: Run, root: string | null, edited: ReadonlySet<string>): Deed[] {
  const { call, command, description, isFirst } = run;
  if (call.failed || !isFirst) return [];
  const written = command.parts.flatMap((part): Deed[] => {
    // What git moves and removes is told with the rest of git's work.
    if (part.words[0] === "git" && /^(?:mv|rm)$/.test(part.words[1] ?? "")) return [];
    const writing = writingOf(part, (path) => ownPath(path, root, call.cwd));
    if (
      !writing ||
      writing.words === "" ||
      ((writing.formats || /^wrote /.test(writing.words)) && writing.files.every((file) => edited.has(file)))
    )
      return [];
    return [deedOf(run, writing.words, part.text, writing.files)];
  });
  if (written.length > 0) return written;
  if (command.kind !== "change" && command.kind !== "run") return [];
  if (command.kind === "run" && (description === "" || LOOKING.test(description) || call.agentId !== null))
    return [];
  if (command.kind === "change" && FILES_ONLY.test(command.main.words[0] ?? "")) return [];
  const code = `\`${cutText(command.text, 60)}\``;
  const words = command.kind === "run" ? `ran ${code} (${cutText(description, 60)})` : description || code;
  return [{ ...deedOf(run, words, command.text, []), ran: command.kind === "run" }];
}

/** These change files or nothing: where no lasting file is named there is nothing to tell. */
const FILES_ONLY = /^(?:rm|mv|cp|ln|sed|perl|cat|tee|echo|printf)$/;

function deedOf({ call }: Run, words: string, command: string, files: string[]): Deed {
  const shown = `\`${cutText(oneLine(command), 100)}\``;
  const said = cutText(oneLine(call.output.trim().split("\n").at(-1) ?? ""), 120);
  const fact = `${words !== shown ? `${cutText(words, 100)}: ${shown}` : shown}${said.length > 3 ? ` → ${said}` : ""}`;
  return { call, words, files, ran: false, fact: capital(fact) };
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
  const [firstLine = ""] = subjectWords.split("\n").filter((line) => line.trim() !== "");
  const what = cutText(oneLine(firstLine.replace(/^[#\s>*-]+/, "")), 70);
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
