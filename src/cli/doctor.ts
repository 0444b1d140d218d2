/** doctor: a real round trip, then the real data directory; each fault with its remedy. */

import { agents, roundTrip, runtime, settings, store, worker } from "./checks.ts";
import { capture, directory } from "./checks-data.ts";
import { type Command, type CommandContext, JSON_OPTION } from "./command.ts";
import type { Finding } from "./finding.ts";

export const doctor: Command = {
  name: "doctor",
  about: "check everything, with a real round trip",
  options: JSON_OPTION,
  run: async (context, flags) => {
    const { print } = context;
    const findings = [
      runtime(),
      await print.during("Trying a round trip", () => roundTrip(context)),
      ...settings(context),
      ...directory(context),
      store(context),
      await worker(context),
      ...capture(context),
      ...agents(context),
    ];
    const faults = findings.filter((finding) => finding.level === "fault").length;
    if (flags.json) print.json({ ok: faults === 0, findings });
    else show(context, findings, faults);
    return faults === 0 ? 0 : 1;
  },
};

function show({ print }: CommandContext, findings: Finding[], faults: number): void {
  const marks = {
    ok: print.style("green", "✓"),
    note: print.style("yellow", "!"),
    fault: print.style("red", "✗"),
  };
  for (const finding of findings) {
    print.line(`${marks[finding.level]} ${finding.check.padEnd(12)} ${finding.detail}`);
    if (finding.remedy) print.line(`  ${" ".repeat(12)} → ${finding.remedy}`);
  }
  print.line(faults === 0 ? "All is well." : `${faults} fault${faults === 1 ? "" : "s"} found.`);
}
