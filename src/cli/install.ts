/** install and uninstall. */
import { existsSync } from "node:fs";
import { messageOf } from "../core/errors.ts";
import { dataDirOf } from "../env/paths.ts";
import { VERSION } from "../env/version.ts";
import { HOSTS_INSTALLABLE } from "../hosts/installable.ts";
import { stopWorker } from "../process/lifecycle.ts";
import { placePrograms } from "../process/place.ts";
import type { Command, CommandContext } from "./command.ts";
import { foreignIn, purge, removeDeadLink, removePrograms } from "./owned.ts";

export const install: Command = {
  name: "install",
  about: "register with the coding agents found",
  options: { "no-mcp": { type: "boolean", about: "every hook a command, none through the MCP server" } },
  run: async (context, flags) => {
    const { paths, env, print } = context;
    const found = HOSTS_INSTALLABLE.filter((host) => host.isPresent(env));
    if (found.length === 0) {
      print.line("No coding agent was found on this machine (looked for Claude Code). Nothing was changed.");
      print.line("See what it would do: npx throughline demo");
      return 1;
    }
    try {
      for (const host of found) host.ready(env);
    } catch (error) {
      print.error(`Nothing was changed: ${messageOf(error)}`);
      return 1;
    }
    try {
      const placed = placePrograms(paths, context.programs, VERSION);
      for (const host of found) {
        print.line(`${host.title}: ${host.describe(env)}`);
        const done = await print.during(`Registering with ${host.title}`, async () =>
          host.install({
            paths,
            env,
            version: VERSION,
            runtime: placed.runtime,
            bunfig: paths.app.bunfig,
            hook: paths.app.hook,
            mcp: paths.app.mcp,
            tellDataDir: paths.data !== dataDirOf({ ...env, CLAUDE_MEM_DATA_DIR: undefined }),
            commandsOnly: flags["no-mcp"] === true,
          }),
        );
        for (const line of done) print.line(`  ${print.style("green", "✓")} ${line}`);
      }
      print.line(
        "Open a new session: it is remembered from its first prompt. `npx throughline doctor` checks the whole way.",
      );
      return 0;
    } catch (error) {
      print.error(`The installation did not finish: ${messageOf(error)}`);
      print.error("`npx throughline uninstall` takes away what was done.");
      return 1;
    }
  },
};

export const uninstall: Command = {
  name: "uninstall",
  about: "undo install; memory is kept unless --purge",
  options: { purge: { type: "boolean", about: "delete the memory as well" } },
  run: async ({ paths, env, print }, flags) => {
    const undone = HOSTS_INSTALLABLE.map((host) => host.uninstall(paths, env));
    const [done, left] = [undone.flatMap((one) => one.done), undone.flatMap((one) => one.left)];
    for (const line of done) print.line(`${print.style("green", "✓")} ${line}`);
    for (const line of left) print.line(`${print.style("yellow", "!")} ${line}`);
    if (done.length + left.length === 0) print.line("It was not registered with any agent.");
    // Only now, for until here a hook could have started it again.
    const outcome = await print.during("Stopping the worker", () => stopWorker(paths));
    if (outcome === "unproven")
      print.error(
        "A process has the worker's recorded number but does not prove to be it; it was left alone.",
      );
    removePrograms(paths);
    if (flags.purge) return deleteMemory({ paths, print });
    if (existsSync(paths.store)) print.line(`Memory is kept in ${paths.data}; --purge deletes it.`);
    return 0;
  },
};

/** Answers the exit code: 1 where nothing was deleted, lest somebody else's files go with it. */
function deleteMemory({ paths, print }: Pick<CommandContext, "paths" | "print">): number {
  const foreign = foreignIn(paths);
  if (foreign.length > 0) {
    print.error(
      `The memory in ${paths.data} was not deleted, for among it lies what is not Throughline's: ${some(foreign)}.`,
    );
    print.error("Move that away and run `npx throughline uninstall --purge` again.");
    return 1;
  }
  const left = purge(paths);
  removeDeadLink(paths.data);
  const rest = left.length > 0 ? `; not Throughline's, so left there: ${some(left)}` : "";
  print.line(`Deleted the memory in ${paths.data}${rest}.`);
  return 0;
}

function some(names: string[]): string {
  const more = names.length - 5;
  return names.slice(0, 5).join(", ") + (more > 0 ? ` and ${more} more` : "");
}
