/** A recorded session through the real programs, and what the next session would be told. */
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Command } from "./command.ts";
import { DEMO_FILES, DEMO_STEPS } from "./demo-session.ts";
import { contextIn, openScratch } from "./scratch.ts";

export const demo: Command = {
  name: "demo",
  about: "replay a small session and show what the next one is told",
  options: {},
  run: async ({ programs, env, print }) => {
    const scratch = openScratch(programs, env, "inkwell");
    let keep = false;
    try {
      for (const [name, content] of Object.entries(DEMO_FILES)) {
        mkdirSync(dirname(join(scratch.project, name)), { recursive: true });
        writeFileSync(join(scratch.project, name), content);
      }
      print.line(print.style("bold", "A recorded session goes through the real hooks:"));
      for (const step of DEMO_STEPS) {
        if (step.say) print.line(`  ${print.style("dim", step.event.padEnd(18))} ${step.say}`);
        scratch.hook(step.event, placed(step.payload, scratch.project));
      }
      await print.during("Turning events into memory", scratch.settle);
      const told = contextIn(scratch.hook("SessionStart", { session_id: "demo-2", source: "startup" }));
      print.line();
      print.line(print.style("bold", "The next session in that project is told:"));
      print.line();
      print.line(told);
      print.line();
      keep = told !== "";
      print.line(`No model was called and nothing left this machine. The demo's data: ${scratch.root}`);
      print.line("With Claude Code on the machine: npx throughline install");
      return keep ? 0 : 1;
    } finally {
      await scratch.close(keep);
    }
  },
};

/** The recorded payload with the scratch project's path in place of `$PROJECT`. */
function placed(payload: Record<string, unknown>, project: string): Record<string, unknown> {
  const path = JSON.stringify(project).slice(1, -1);
  return JSON.parse(JSON.stringify(payload).replaceAll("$PROJECT", path)) as Record<string, unknown>;
}
