/** The `throughline` command. */
import { COMMANDS } from "./cli/index.ts";
import { helpText, parseWords } from "./cli/parse.ts";
import { createPrinter } from "./cli/print.ts";
import { messageOf } from "./core/errors.ts";
import { homeOf } from "./env/home.ts";
import { dataDirOf, pathsOf } from "./env/paths.ts";
import { ownPrograms } from "./process/spawn.ts";

const print = createPrinter();
process.umask(0o077);

async function main(): Promise<number> {
  const parsed = parseWords(process.argv.slice(2), COMMANDS);
  if (parsed.do === "help") {
    print.line(helpText(COMMANDS, parsed.command));
    return 0;
  }
  if (parsed.do === "fail") {
    print.error(parsed.why);
    return 2;
  }
  const { env } = process;
  return parsed.command.run(
    {
      paths: pathsOf(dataDirOf(env)),
      env,
      programs: ownPrograms(),
      print,
      cwd: currentDir(),
    },
    parsed.flags,
    parsed.words,
  );
}

/** Where the user is; `null` where that directory has been deleted: then everything else is run from their home. */
function currentDir(): string | null {
  try {
    return process.cwd();
  } catch {
    process.chdir(homeOf(process.env));
    return null;
  }
}

// A reader that has seen enough (`| head`) is no fault.
process.stdout.on("error", () => process.exit(0));
main()
  .catch((error) => {
    print.error(messageOf(error));
    return 1;
  })
  .then((code) => {
    process.exitCode = code;
  });
