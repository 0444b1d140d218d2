/** What a command line is for, told by its most meaningful part. */
import { oneLine } from "../../core/text.ts";
import { commandsOf, type ShellCommand } from "./shell.ts";

export type CheckKind = "test" | "build" | "lint" | "types";
type CommandKind = CheckKind | "git" | "install" | "change" | "run" | "noise";

export type Command = {
  kind: CommandKind;
  /** The telling part, on one line, without `cd …` before it and filters behind it. */
  text: string;
  /** Tool and subcommand: what two runs of the same check share. */
  family: string;
  parts: ShellCommand[];
  main: ShellCommand;
};

/** From most to least telling. */
const RANK: readonly CommandKind[] = [
  "git",
  "install",
  "test",
  "build",
  "types",
  "lint",
  "change",
  "run",
  "noise",
];

/** The telling command first, then the other checks of the line; empty where there is no command in it. */
export function readCommands(line: string): Command[] {
  const parts = commandsOf(line);
  const all = parts.map((main) => ({
    kind: kindOf(main),
    text: shownCommand(main),
    family: familyOf(main),
    parts,
    main,
  }));
  const [first, ...others] = all;
  if (!first) return [];
  const telling = others.reduce(
    (best, one) => (RANK.indexOf(one.kind) < RANK.indexOf(best.kind) ? one : best),
    first,
  );
  return [telling, ...all.filter((one) => one !== telling && isCheck(one.kind))];
}

export function isCheck(kind: CommandKind): kind is CheckKind {
  return kind === "test" || kind === "build" || kind === "lint" || kind === "types";
}

/** As a person would type it: no redirections, no assignments before it. */
function shownCommand(part: ShellCommand): string {
  const text = part.text
    .replace(/\s*\d?>{1,2}\s*(?:&\d|\S+)/g, "")
    .replace(/^(?:[A-Za-z_]\w*=(?:"[^"]*"|'[^']*'|\S*)\s+)+/, "");
  return oneLine(text);
}

/** Program and subcommand, such as `go test` or `npm run build`. */
function familyOf(part: ShellCommand): string {
  const plain = part.words.filter((word) => !word.startsWith("-"));
  const [program = "", first = "", second = ""] = plain;
  const name = program.replace(/^.*\//, "");
  if (/^(?:npm|pnpm|yarn|bun|mise|just|task|deno|make|rake|poe)$/.test(name)) {
    return first === "run" || first === "r" ? `${name} run ${second}` : `${name} ${first}`.trim();
  }
  if (/^python[\d.]*$/.test(name)) return part.words.includes("-m") ? `python ${first}` : `python ${first}`;
  return /^(?:git|gh|go|cargo|docker|kubectl|mvn|gradlew?|dotnet|swift|mix|terraform|gcloud|aws|zig|flutter)$/.test(
    name,
  )
    ? `${name} ${first}`.trim()
    : name;
}

const SCRIPT =
  "(?:(?:npm|pnpm|yarn|bun|mise|just|task|deno|make|rake|poe|nx|turbo)(?:\\s+-\\S+)*\\s+(?:run\\s+|r\\s+|task\\s+|run-many\\s+)?)";
const TEST = new RegExp(
  `^(?:${SCRIPT}(?:\\S*[:_-])?(?:tests?|spec|e2e|check-tests|vitest|jest)(?:[:_-]\\S*)?(?=\\s|$)|(?:jest|vitest|mocha|ava|tap|pytest|py\\.test|tox|nox|rspec|phpunit|pest|ctest|gotestsum|nosetests)\\b|playwright\\s+test|cypress\\s+run|go\\s+test|cargo\\s+(?:\\+\\S+\\s+)?(?:test|nextest|t\\b)|mvn\\b.*\\b(?:test|verify)|(?:\\./)?gradlew?\\b.*\\b(?:test|check)|dotnet\\s+test|swift\\s+test|mix\\s+test|flutter\\s+test|zig\\s+build\\s+test|node\\s+.*--test\\b|python[\\d.]*\\s+-m\\s+(?:pytest|unittest)|rails\\s+test)`,
);
const TYPES = new RegExp(
  `^(?:${SCRIPT}(?:\\S*[:_-])?(?:type-?check|types?|tsc)(?:[:_-]\\S*)?(?=\\s|$)|(?:tsc|vue-tsc|mypy|pyright|basedpyright|flow)\\b|go\\s+vet|cargo\\s+check)`,
);
const LINT = new RegExp(
  `^(?:${SCRIPT}(?:\\S*[:_-])?(?:lint|check|fmt:check|format:check)(?:[:_-]\\S*)?(?=\\s|$)|(?:eslint|biome|oxlint|ruff|golangci-lint|flake8|pylint|rubocop|shellcheck|staticcheck|stylelint|ktlint|hadolint|actionlint|yamllint|markdownlint\\S*)\\b|cargo\\s+clippy|prettier\\b.*--check|black\\b.*--check)`,
);
const BUILD = new RegExp(
  `^(?:${SCRIPT}(?:\\S*[:_-])?(?:build|compile|bundle)(?:[:_-]\\S*)?(?=\\s|$)|make(?:\\s+(?:-\\S+|all))*$|(?:webpack|rollup|esbuild|tsup|ninja|xcodebuild|javac|gcc|clang|g\\+\\+|clang\\+\\+)\\b|vite\\s+build|next\\s+build|go\\s+build|cargo\\s+(?:build|b\\b)|mvn\\b.*\\b(?:package|compile|install)|(?:\\./)?gradlew?\\b.*\\b(?:build|assemble)|dotnet\\s+build|swift\\s+build|cmake\\s+--build|docker\\s+(?:buildx?\\s+)*build|zig\\s+build|mix\\s+compile)`,
);
const FORMAT = new RegExp(
  `^(?:${SCRIPT}(?:\\S*[:_-])?(?:fmt|format|prettier)(?:[:_-]\\S*)?(?=\\s|$)|(?:gofmt|goimports|prettier|black|isort|rustfmt|cargo\\s+fmt|go\\s+fmt|ruff\\s+format|biome\\s+format))`,
);
const GIT =
  /^git\s+(?:-\S+\s+(?:[^\s-]\S*\s+)?)*(?:commit|push|merge|rebase|cherry-pick|revert|tag(?=\s+(?!-l\b|--list\b)\S)|checkout\s+-b|switch\s+-c|reset\s+--hard|branch\s+-[dDmM]|worktree\s+(?:add|remove)|mv|rm)\b|^gh\s+(?:pr|issue|release)\s+(?:create|merge|close|comment|edit|review|reopen|ready)\b/;
const INSTALL =
  /^(?:(?:npm|pnpm)\s+(?:i|install|add|uninstall|remove)|yarn\s+(?:add|remove)|bun\s+(?:add|install|remove)|(?:python[\d.]*\s+-m\s+)?pip[\d.]*\s+(?:install|uninstall)|uv\s+(?:add|remove|pip\s+install)|poetry\s+(?:add|remove)|cargo\s+(?:add|remove|install)|go\s+(?:get|install)|gem\s+install|brew\s+(?:install|uninstall)|apt(?:-get)?\s+install|apk\s+add|composer\s+require|dotnet\s+add|mix\s+deps\.get|mise\s+(?:use|install))\b/;
const NOISE =
  /^(?:ls|ll|pwd|cat|bat|head|tail|less|more|wc|echo|printf|which|where|whereis|type|grep|egrep|rg|ag|ack|find|fd|sleep|sort|uniq|awk|cut|tr|jq|yq|tree|stat|file|du|df|printenv|date|whoami|id|uname|ps|pgrep|top|lsof|test|\[|false|diff|cmp|comm|man|help|history|clear|mkdir|mktemp|touch|read|wait|jobs|seq|xxd|hexdump|od|strings|basename|dirname|realpath|readlink|tee|xargs|column|nl|md5sum|sha\d*sum|shasum|uuidgen|return|exit|break|continue|ping|nc|dig|host|netstat|ss|open|say|git|gh|go|chmod|trap|kill|pkill)$/;
const CHANGE =
  /^(?:rm|mv|cp|ln|rsync|scp|unzip|tar|psql|mysql|redis-cli|mongosh?|kubectl\s+(?:apply|delete|create|rollout|scale|patch)|docker(?:-|\s+)compose\s+(?:up|down)|docker\s+(?:run|push|rm|stop)|terraform\s+(?:apply|destroy|import)|helm\s+(?:install|upgrade|uninstall)|gcloud|aws|az|flyctl|vercel|netlify|wrangler|heroku|alembic|prisma\s+(?:migrate|db)|knex|systemctl|crontab|launchctl)\b|^sed\s+(?:-\S+\s+)*-\w*i|^perl\s+-\w*i|^curl\b.*\s(?:-X\s*(?:POST|PUT|PATCH|DELETE)|--request\s+(?:POST|PUT|PATCH|DELETE)|-d\b|--data)/;
const RUN_PROGRAM =
  /^(?:node|bun|deno|python[\d.]*|ruby|php|perl|java|bash|sh|zsh|npm|pnpm|yarn|make|mise|just|task|cargo|dotnet|curl|docker|kubectl|sqlite3|\.{0,2}\/\S+)$/;

function kindOf(part: ShellCommand): CommandKind {
  const text = part.words.map((word) => (/\s/.test(word) ? "…" : word)).join(" ");
  const program = part.words[0] ?? "";
  if (/\s(?:--help|--version|-h|-V|help|version)$/.test(text)) return "noise";
  if (GIT.test(text)) return "git";
  if (INSTALL.test(text)) return "install";
  if (TEST.test(text)) return "test";
  if (TYPES.test(text)) return "types";
  if (FORMAT.test(text) && !/check/.test(text)) return "noise";
  if (LINT.test(text)) return "lint";
  if (BUILD.test(text)) return "build";
  if (CHANGE.test(text)) return "change";
  if (/^(?:cat|tee|echo|printf)$/.test(program) && writesFile(part)) return "change";
  if (/^(?:go\s+run)\b/.test(text)) return "run";
  if (NOISE.test(program) || /^sed$/.test(program)) return "noise";
  return RUN_PROGRAM.test(program) || /^[\w.-]+$/.test(program) ? "run" : "noise";
}

/** The file a redirection writes; "" for `/dev/null`, other descriptors and temporary files. */
export function writtenFile(part: ShellCommand): string {
  const target = /(?:^|[^\d&>])>{1,2}\s*(["']?)([^\s&|;"']+)\1/.exec(part.text)?.[2] ?? "";
  return /^(?:\/dev\/|\/tmp\/|\/private\/tmp\/|\/var\/folders\/|\$)/.test(target) ? "" : target;
}

function writesFile(part: ShellCommand): boolean {
  return writtenFile(part) !== "";
}
