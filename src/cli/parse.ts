/** Words of the command line → what to do. Pure. */
import { parseArgs } from "node:util";
import { messageOf } from "../core/errors.ts";
import type { Command, Flags } from "./command.ts";

export type Parsed =
  | { do: "run"; command: Command; flags: Flags; words: string[] }
  | { do: "help"; command: Command | null }
  | { do: "fail"; why: string };

export function parseWords(words: readonly string[], commands: readonly Command[]): Parsed {
  const [name, ...rest] = words;
  if (name === undefined || name === "help" || name === "--help" || name === "-h") {
    return { do: "help", command: commands.find((command) => command.name === rest[0]) ?? null };
  }
  const wanted = name === "--version" || name === "-v" ? "version" : name;
  const command = commands.find((one) => one.name === wanted);
  if (!command) return { do: "fail", why: `There is no command ${name}. \`throughline help\` lists them.` };
  if (rest.includes("--help") || rest.includes("-h")) return { do: "help", command };
  try {
    const options = Object.fromEntries(
      Object.entries(command.options).map(([option, { type, short }]) => [
        option,
        short ? { type, short } : { type },
      ]),
    );
    const allowPositionals = command.words !== undefined;
    const { values, positionals } = parseArgs({ args: [...rest], options, strict: true, allowPositionals });
    return { do: "run", command, flags: values as Flags, words: positionals };
  } catch (error) {
    return {
      do: "fail",
      why: `${messageOf(error).split(". ")[0]}. \`throughline ${name} --help\` lists its options.`,
    };
  }
}

/** The help of everything, or of one command; fits a screen. */
export function helpText(commands: readonly Command[], command: Command | null): string {
  if (command) {
    const options = Object.entries(command.options).map(
      ([name, { type, short, about }]) =>
        `  ${`${short ? `-${short}, ` : ""}--${name}${type === "string" ? " VALUE" : ""}`.padEnd(24)} ${about}`,
    );
    return [
      `throughline ${command.name}${command.words ? ` ${command.words}` : ""}: ${command.about}`,
      ...(options.length > 0 ? ["", ...options] : []),
    ].join("\n");
  }
  return [
    "Throughline: memory that lasts for coding agents.",
    "",
    "Usage: throughline COMMAND [options]",
    "",
    ...commands.map((one) => `  ${one.name.padEnd(10)} ${one.about}`),
    "",
    "`throughline COMMAND --help` lists a command's options. Data: ~/.throughline (CLAUDE_MEM_DATA_DIR).",
  ].join("\n");
}
