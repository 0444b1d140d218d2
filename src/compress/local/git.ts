/** What a turn did with git, and what it installed: one observation each. */
import type { ObservationDraft } from "../../core/observation.ts";
import { cutText, oneLine } from "../../core/text.ts";
import type { Run } from "./bash.ts";
import { agentOf, draftOf } from "./call.ts";
import { shortPath } from "./paths.ts";
import type { ShellCommand } from "./shell.ts";
import { capital, listed, titleOf, unique } from "./words.ts";

export type GitDeed = { run: Run; words: string; fact: string };

/** Commits, pushes, pull requests and the like, in order. */
export function gitDeeds(runs: readonly Run[]): GitDeed[] {
  return runs.flatMap((run) => {
    if (run.command.kind !== "git" || run.call.failed) return [];
    if (/^(?:error|fatal|! \[rejected\])|nothing to commit/m.test(run.call.output)) return [];
    return run.command.parts.flatMap((part) => {
      const deed =
        part.words[0] === "gh" ? githubDeed(part, run) : part.words[0] === "git" ? gitDeed(part, run) : null;
      return deed ? [deed] : [];
    });
  });
}

function gitDeed(part: ShellCommand, run: Run): GitDeed | null {
  const words = part.words.slice(1).filter((word, at, all) => word !== "-C" && all[at - 1] !== "-C");
  const [verb = "", ...rest] = words;
  const names = rest.filter((word) => !word.startsWith("-"));
  const deed = (text: string, fact = ""): GitDeed => ({ run, words: text, fact });
  switch (verb) {
    case "commit":
      return commitDeed(part, run);
    case "push":
      return deed(`pushed ${pushedBranch(run.call.output, names)}`.trim());
    case "merge":
    case "rebase":
      if (rest.some((word) => /^--(?:continue|abort|skip)$/.test(word))) return null;
      return names[0] ? deed(verb === "merge" ? `merged ${names[0]}` : `rebased onto ${names.at(-1)}`) : null;
    case "cherry-pick":
      return names[0] ? deed(`cherry-picked ${listed(names)}`) : null;
    case "revert":
      return names[0] ? deed(`reverted ${listed(names)}`) : null;
    case "tag":
      if (rest.some((word) => /^(?:-d|--delete)$/.test(word)))
        return names[0] ? deed(`deleted tag ${names[0]}`) : null;
      return names[0] ? deed(`tagged ${names[0]}`) : null;
    case "checkout":
    case "switch":
      return /^-[bc]$/i.test(rest[0] ?? "") && names[0] ? deed(`created branch ${names[0]}`) : null;
    case "branch":
      return /^-[dD]$/.test(rest[0] ?? "") && names[0] ? deed(`deleted branch ${listed(names)}`) : null;
    case "reset":
      return rest.includes("--hard") ? deed(`reset hard to ${names[0] ?? "HEAD"}`) : null;
    case "mv":
      return names.length >= 2
        ? deed(
            `moved ${listed(names.slice(0, -1).map((name) => shortPath(name, 30)))} to ${shortPath(names.at(-1) ?? "", 30)}`,
          )
        : null;
    case "rm":
      return names[0] ? deed(`removed ${listed(names)} from git`) : null;
    default:
      return null;
  }
}

function commitDeed(part: ShellCommand, run: Run): GitDeed {
  const printed = /^\[(.+?) ([0-9a-f]{7,40})\] (.+)$/m.exec(run.call.output);
  const subject = cutText(oneLine(printed?.[3] ?? subjectOf(part)), 90);
  const amended = part.words.includes("--amend") ? "amended" : "committed";
  const where = printed ? `commit ${printed[2]} on ${(printed[1] ?? "").replace(" (root-commit)", "")}` : "";
  return {
    run,
    words: subject
      ? `${amended} “${subject}”`
      : amended === "amended"
        ? "amended the last commit"
        : "committed",
    fact: where,
  };
}

/** The message as typed; a here-document's first line where it comes from one. */
function subjectOf(part: ShellCommand): string {
  const at = part.words.findIndex((word) => /^(?:-\w*m|--message)$/.test(word));
  const inline = part.words.map((word) => /^--message=([\s\S]*)$/.exec(word)?.[1]).find(Boolean);
  const message = inline ?? (at >= 0 ? (part.words[at + 1] ?? "") : "");
  const source = /^\$\(cat\s*<</.test(message) || message === "" ? part.fed : message;
  return source.split("\n").find((line) => line.trim() !== "") ?? "";
}

function pushedBranch(output: string, names: readonly string[]): string {
  const printed = /^\s*(?:\S+\.\.\S+|\*? ?\[new (?:branch|tag)\])\s+(\S+) -> \S+/m.exec(output)?.[1];
  const named = names[1]?.replace(/^HEAD:/, "");
  return printed ?? (named && named !== "HEAD" ? named : "the branch");
}

function githubDeed(part: ShellCommand, run: Run): GitDeed | null {
  const [, thing = "", verb = "", number = ""] = part.words;
  const at = part.words.findIndex((word) => word === "--title" || word === "-t");
  const title = at >= 0 ? cutText(oneLine(part.words[at + 1] ?? ""), 80) : "";
  const link = /https:\/\/\S+/.exec(run.call.output)?.[0] ?? "";
  const noun = { pr: "PR", issue: "issue", release: "release" }[thing] ?? thing;
  const done: Record<string, string> = {
    create: "opened",
    merge: "merged",
    close: "closed",
    comment: "commented on",
    edit: "edited",
    review: "reviewed",
    reopen: "reopened",
    ready: "marked ready",
  };
  if (!done[verb]) return null;
  const which = title
    ? ` “${title}”`
    : /^[#\w./:-]+$/.test(number) && !number.startsWith("-")
      ? ` ${number}`
      : "";
  return { run, words: `${done[verb]} ${noun}${which}`, fact: link };
}

/** All of it as one observation; `null` where there was none. */
export function gitDraft(deeds: readonly GitDeed[], files: readonly string[]): ObservationDraft | null {
  const words = unique(deeds.map((deed) => deed.words));
  if (words.length === 0) return null;
  const few = words.slice(0, 3).join(", ");
  const facts = unique(deeds.map((deed) => (deed.fact ? `${deed.words}: ${deed.fact}` : deed.words)));
  return draftOf(
    "run:git",
    deeds.map((deed) => deed.run.call),
    {
      type: "change",
      title: titleOf(words.length > 3 ? `${few} and ${words.length - 3} more` : few),
      facts: facts.length > 1 || deeds.some((deed) => deed.fact) ? facts.slice(0, 12).map(capital) : [],
      concepts: ["what-changed"],
      filesModified: [...files],
      ...agentOf(deeds.map((deed) => deed.run.call)),
    },
  );
}

/** Packages that were added or removed; `null` where only what was already listed was fetched. */
export function installDraft(runs: readonly Run[]): ObservationDraft | null {
  const done = runs.filter((run) => run.command.kind === "install" && !run.call.failed);
  const packages = (gone: boolean) =>
    unique(done.flatMap((run) => run.command.parts.flatMap((part) => packagesOf(part, gone))));
  const [added, removed] = [packages(false), packages(true)];
  if (added.length + removed.length === 0) return null;
  const parts = [
    added.length > 0 ? `installed ${listed(added, 5)}` : "",
    removed.length > 0 ? `uninstalled ${listed(removed, 5)}` : "",
  ];
  const commands = unique(done.map((run) => `\`${cutText(run.command.text, 120)}\``));
  return draftOf(
    "run:install",
    done.map((run) => run.call),
    {
      type: "change",
      title: titleOf(parts.filter((part) => part !== "").join(", ")),
      subtitle: cutText(commands.join(", "), 160),
      facts: commands.slice(0, 6),
      concepts: ["what-changed"],
      ...agentOf(done.map((run) => run.call)),
    },
  );
}

const VERB = /^(?:i|install|add|get|require|use|uninstall|remove)$/;

function packagesOf(part: ShellCommand, gone: boolean): string[] {
  const at = part.words.findIndex((word) => VERB.test(word));
  if (at < 0 || /^(?:uninstall|remove)$/.test(part.words[at] ?? "") !== gone) return [];
  const rest = part.words.slice(at + 1);
  return rest.filter(
    (word, index) =>
      !/^[-.$]|^(?:package|reference)$/.test(word) &&
      !/^(?:-r|--requirement|-t|--target)$/.test(rest[index - 1] ?? ""),
  );
}
