/** search, timeline: finding what is remembered. */
import type { QueryWords } from "../api/client.ts";
import { AppError } from "../core/errors.ts";
import { resolveProject } from "../env/project.ts";
import { type Command, type CommandContext, type Flags, JSON_OPTION } from "./command.ts";
import { workerOf } from "./worker-of.ts";

const PLACE = {
  project: { type: "string", short: "p", about: "of the project with this name" },
  all: { type: "boolean", short: "a", about: "of every project" },
} as const;

export const search: Command = {
  name: "search",
  about: "find observations, summaries and prompts",
  words: "WORDS",
  options: {
    ...PLACE,
    type: { type: "string", about: "observation, summary or prompt" },
    kind: { type: "string", about: "bugfix, feature, refactor, change, discovery, decision" },
    file: { type: "string", about: "a path or its end" },
    from: { type: "string", about: "a date" },
    to: { type: "string", about: "a date" },
    limit: { type: "string", short: "n", about: "how many (20)" },
    ...JSON_OPTION,
  },
  run: async (context, flags, words) => {
    const { print } = context;
    const worker = await workerOf(context);
    const text = (name: string) => (typeof flags[name] === "string" ? String(flags[name]) : undefined);
    const answer = await worker.search({
      query: words.join(" "),
      type: text("type"),
      obs_type: text("kind"),
      file: text("file"),
      from: text("from"),
      to: text("to"),
      limit: text("limit"),
      ...placeOf(context, flags),
    });
    if (flags.json) {
      print.json(answer);
      return 0;
    }
    if (answer.results.length === 0) print.line("Nothing remembered fits.");
    for (const found of answer.results) {
      const name = found.kind === "observation" ? `#${found.id} ${found.type}` : `${found.kind} ${found.id}`;
      const where = flags.all && found.project ? ` · ${found.project}` : "";
      print.line(
        `${print.style("bold", name)} ${print.style("dim", found.created_at.slice(0, 10) + where)}${found.superseded ? " (replaced since)" : ""}  ${found.title}`,
      );
      if (found.snippet && found.snippet !== found.title)
        print.line(print.style("dim", `    ${found.snippet}`));
    }
    if (answer.hasMore) print.line(print.style("dim", `${answer.total} found or more; --limit shows more.`));
    if (answer.degraded) print.error(answer.degraded);
    return 0;
  },
};

export const timeline: Command = {
  name: "timeline",
  about: "what happened around an observation, or around the best match",
  words: "ID or WORDS",
  options: {
    ...PLACE,
    before: { type: "string", about: "how many before (10)" },
    after: { type: "string", about: "how many after (10)" },
    ...JSON_OPTION,
  },
  run: async (context, flags, words) => {
    const { print } = context;
    const wanted = words.join(" ").trim();
    if (wanted === "")
      throw new AppError("invalid", "Name an observation by its number, or what to look for.");
    const worker = await workerOf(context);
    const { items, anchor } = await worker.timeline({
      ...(/^#?\d+$/.test(wanted) ? { anchor: wanted } : { query: wanted }),
      depth_before: typeof flags.before === "string" ? flags.before : undefined,
      depth_after: typeof flags.after === "string" ? flags.after : undefined,
      ...placeOf(context, flags),
    });
    if (flags.json) print.json({ anchor, items });
    else
      for (const item of items) {
        const isAnchor = item.kind === "observation" && item.id === anchor;
        const name = item.kind === "observation" ? `#${item.id} ${item.type}` : item.kind;
        const line = `${item.created_at.slice(0, 16).replace("T", " ")}  ${name}: ${item.text.replace(/\s+/g, " ").slice(0, 160)}`;
        print.line(isAnchor ? print.style("bold", `→ ${line}`) : `  ${line}`);
      }
    return 0;
  },
};

function placeOf({ cwd, env, paths }: CommandContext, flags: Flags): QueryWords {
  if (flags.all === true) return {};
  if (typeof flags.project === "string") return { project: flags.project };
  const here = cwd === null ? null : resolveProject(cwd, env, [paths.data]).project;
  return here ? { project_key: here.key } : {};
}
