/** Which of a transcript's user records are the user's own prompts. */
import { blocksOf, type Fields, wordsIn } from "./transcript-record.ts";

/** A background agent's result is a prompt that is wholly one such block; longer ones are the user's. */
const TASK_NOTIFICATION = /^\s*<task-notification>[\s\S]*<\/task-notification>\s*$/;
const TASK_NOTIFICATION_MAX = 256 * 1024;

/** Whether the words are a background agent's result rather than the user's. */
export function isTaskNotification(words: string): boolean {
  return words.length <= TASK_NOTIFICATION_MAX && TASK_NOTIFICATION.test(words);
}

/** What the host writes for itself in the user's name: local commands and their output, and shell lines typed with `!`. */
const LOCAL = /^\s*<(?:command-name|local-command-[\w-]+|bash-(?:input|stdout|stderr))>/;
const INTERRUPTION = /^\[Request interrupted by user/;
/** A command of the user's own, which the host expands; local ones have the name first. */
const COMMAND =
  /^\s*<command-message>[\s\S]{0,4096}?<\/command-message>\s*<command-name>([^<]{1,256})<\/command-name>/;
const ARGUMENTS = /<command-args>([\s\S]*?)<\/command-args>/;

/** The prompt of a user record as its hook saw it; `null` where the record is no prompt. */
export function promptIn(record: Fields): string | null {
  const why = asNoPrompt(record);
  if (why !== null) return null;
  const words = wordsIn(record);
  const command = COMMAND.exec(words)?.[1]?.trim();
  if (command) {
    const args = ARGUMENTS.exec(words)?.[1]?.trim() ?? "";
    return `${command.startsWith("/") ? command : `/${command}`}${args ? ` ${args}` : ""}`;
  }
  return words.trim() === "" ? "[media prompt]" : words;
}

/** Why a user record is no prompt of the user's; `null` where it is one. */
export function asNoPrompt(record: Fields): "summary" | "local" | "interruption" | "agent" | "empty" | null {
  if (record.isCompactSummary === true || record.isVisibleInTranscriptOnly === true) return "summary";
  const words = wordsIn(record);
  if (words.trim() === "" && !holdsMedia(record)) return "empty";
  if (LOCAL.test(words)) return "local";
  if (INTERRUPTION.test(words)) return "interruption";
  return isTaskNotification(words) ? "agent" : null;
}

function holdsMedia(record: Fields): boolean {
  return blocksOf(record).some((block) => block.type === "image" || block.type === "document");
}
