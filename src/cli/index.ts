import type { Command } from "./command.ts";
import { context, version } from "./context.ts";
import { demo } from "./demo.ts";
import { doctor } from "./doctor.ts";
import { search, timeline } from "./find.ts";
import { install, uninstall } from "./install.ts";
import { forget, pin, projects, remember, show } from "./memories.ts";
import { logs, restart, start, status, stop } from "./worker.ts";

/** Every command, in the order of the help. */
export const COMMANDS: readonly Command[] = [
  start,
  stop,
  restart,
  status,
  logs,
  doctor,
  install,
  uninstall,
  demo,
  context,
  search,
  timeline,
  show,
  remember,
  pin,
  forget,
  projects,
  version,
];
