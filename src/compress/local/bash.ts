/** The shell commands of a turn with what they are and what they said. */
import { oneLine } from "../../core/text.ts";
import type { Call } from "./call.ts";
import { type Command, isCheck, readCommands } from "./commands.ts";
import { stringOf } from "./json.ts";
import { hidesExitCode } from "./shell.ts";
import { type Verdict, verdictOf } from "./verdict.ts";

export type Run = {
  call: Call;
  command: Command;
  /** What the agent said the command is for; "" where it did not. */
  description: string;
  verdict: Verdict;
  /** Whether it is its call's first: what belongs to the whole line is read there. */
  isFirst: boolean;
};

const SHELL_TOOLS = /^(?:Bash|PowerShell|Shell|shell|local_shell|run_shell_command|exec_command)$/;

export function isShell(call: Call): boolean {
  return SHELL_TOOLS.test(call.tool);
}

/** In order; commands still running in the background, interrupted ones and empty ones are left out. */
export function runsOf(calls: readonly Call[]): Run[] {
  return calls.flatMap((call) => {
    if (!isShell(call) || call.interrupted || ENDED.test(call.output) || isInBackground(call)) return [];
    const line = stringOf(call.input.command) || stringOf(call.input.cmd);
    const description = oneLine(stringOf(call.input.description));
    const verdict = verdictOf(call.output, call.failed, hidesExitCode(line));
    return withVerdict(readCommands(line), verdict).map((command, at) => ({
      call,
      command,
      description,
      // The numbers are the telling command's.
      verdict: at === 0 ? verdict : { ...verdict, numbers: "" },
      isFirst: at === 0,
    }));
  });
}

/** Of several commands in a line all passed if the line did; which one failed is only known of the most telling check. */
function withVerdict(commands: readonly Command[], verdict: Verdict): Command[] {
  const [telling, ...checks] = commands;
  if (!telling) return [];
  if (verdict.result === "pass") return [telling, ...checks];
  const failing = isCheck(telling.kind) ? telling : checks[0];
  return [verdict.result === "fail" && failing ? failing : telling];
}

/** Ended from outside: what it printed until then is no verdict. */
const ENDED = /^(?:Error: )?Exit code (?:130|137|143)\b|\[Request interrupted by user/;

function isInBackground(call: Call): boolean {
  return call.input.run_in_background === true || /^Command running in background with ID/.test(call.output);
}
