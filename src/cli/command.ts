/** What a command of the CLI is. */
import type { Env, Paths } from "../env/paths.ts";
import type { Programs } from "../process/spawn.ts";
import type { Printer } from "./print.ts";

export type CommandContext = {
  paths: Paths;
  env: Env;
  programs: Programs;
  print: Printer;
  /** Where the user is; `null` where that directory has been deleted. */
  cwd: string | null;
};

export type Flags = Record<string, string | boolean | undefined>;

export type Command = {
  name: string;
  /** One line in the help. */
  about: string;
  /** Options by name: whether they take a value, and what they are for. */
  options: Record<string, { type: "boolean" | "string"; short?: string; about: string }>;
  /** What stands after the command's name, as the help shows it; absent where nothing may. */
  words?: string;
  /** Answers the exit code. */
  run: (context: CommandContext, flags: Flags, words: readonly string[]) => Promise<number>;
};

export const JSON_OPTION = { json: { type: "boolean", about: "machine-readable output" } } as const;
