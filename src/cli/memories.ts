/** show, remember, pin, forget, projects: what is remembered, by hand. */
import { dayOf } from "../context/select.ts";
import { AppError } from "../core/errors.ts";
import type { Observation } from "../core/observation.ts";
import { resolveProject } from "../env/project.ts";
import { redactSecrets } from "../privacy/secrets.ts";
import { observationsById } from "../store/observations.ts";
import { openReadOnly } from "../store/open.ts";
import { projectCounts } from "../store/projects.ts";
import { provenanceOf } from "../store/provenance.ts";
import { type Command, type CommandContext, JSON_OPTION } from "./command.ts";
import { workerOf } from "./worker-of.ts";

export const show: Command = {
  name: "show",
  about: "observations in full, with where they come from",
  words: "ID…",
  options: JSON_OPTION,
  run: async (context, flags, words) => {
    const rows = find(context, idsOf(words));
    if (flags.json) context.print.json(rows);
    else for (const row of rows) showOne(context, row);
    return rows.length > 0 ? 0 : 1;
  },
};

export const remember: Command = {
  name: "remember",
  about: "keep a fact or decision of this project in these words",
  words: "TEXT",
  options: {
    title: { type: "string", about: "a title of your own" },
    type: { type: "string", about: "decision (default), discovery, change, …" },
    pin: { type: "boolean", about: "tell it at every session start" },
    project: { type: "string", short: "p", about: "of the project with this name" },
    ...JSON_OPTION,
  },
  run: async (context, flags, words) => {
    const { paths, env, cwd, print } = context;
    const here = cwd === null ? null : resolveProject(cwd, env, [paths.data]).project;
    const project =
      typeof flags.project === "string" ? flags.project : here && { key: here.key, name: here.name };
    const worker = await workerOf(context);
    const row = await worker.remember({
      text: words.join(" "),
      ...(typeof flags.title === "string" ? { title: flags.title } : {}),
      ...(typeof flags.type === "string" ? { type: flags.type } : {}),
      pinned: flags.pin === true,
      ...(project ? { project } : {}),
    });
    if (flags.json) print.json(row);
    else print.line(`Remembered as #${row.id}${row.pinned ? ", pinned" : ""}: ${row.title}`);
    return 0;
  },
};

export const pin: Command = {
  name: "pin",
  about: "tell an observation at every session start",
  words: "ID…",
  options: { off: { type: "boolean", about: "no longer" } },
  run: async (context, flags, words) => {
    const worker = await workerOf(context);
    for (const id of idsOf(words)) {
      const row = await worker.pin(id, flags.off !== true);
      context.print.line(`${row.pinned ? "Pinned" : "Unpinned"} #${row.id}: ${row.title}`);
    }
    return 0;
  },
};

export const forget: Command = {
  name: "forget",
  about: "delete observations for good; shows them first",
  words: "ID…",
  options: { yes: { type: "boolean", short: "y", about: "delete; without it nothing is" } },
  run: async (context, flags, words) => {
    const { print } = context;
    const rows = find(context, idsOf(words));
    if (rows.length === 0) return 1;
    for (const row of rows) print.line(`  #${row.id} ${row.type}: ${redactSecrets(row.title)}`);
    if (flags.yes !== true) {
      print.line("Nothing was deleted. The same with --yes deletes these for good.");
      return 0;
    }
    const worker = await workerOf(context);
    for (const row of rows) await worker.forget(row.id);
    print.line(`Deleted ${rows.length}.`);
    return 0;
  },
};

export const projects: Command = {
  name: "projects",
  about: "every project that is remembered, newest first",
  options: JSON_OPTION,
  run: async ({ paths, print }, flags) => {
    const db = openReadOnly(paths.store);
    const rows = db ? projectCounts(db) : [];
    db?.close();
    if (flags.json) print.json(rows);
    else if (rows.length === 0) print.line("Nothing is remembered yet.");
    else
      for (const row of rows) {
        print.line(
          `  ${row.name.padEnd(28)} ${String(row.observations).padStart(6)} observations, last ${dayOf(row.lastAt)}`,
        );
      }
    return 0;
  },
};

function idsOf(words: readonly string[]): number[] {
  const ids = words.map((word) => Number(word.replace(/^#/, "")));
  if (ids.length === 0 || !ids.every((id) => Number.isSafeInteger(id) && id > 0))
    throw new AppError("invalid", "Name observations by their numbers, such as 12 or #12.");
  return [...new Set(ids)];
}

function find({ paths, print }: CommandContext, ids: readonly number[]): Observation[] {
  const db = openReadOnly(paths.store);
  const rows = db ? observationsById(db, ids) : [];
  db?.close();
  for (const id of ids) if (!rows.some((row) => row.id === id)) print.error(`Observation #${id} not found.`);
  return rows;
}

function showOne({ paths, print }: CommandContext, row: Observation): void {
  const line = (text: string) => print.line(redactSecrets(text));
  const marks = [
    row.pinned ? "pinned" : "",
    row.hypothesis ? "unconfirmed" : "",
    row.times > 1 ? `noted ${row.times} times` : "",
  ];
  const mark = marks.filter(Boolean).join(", ");
  line(print.style("bold", `#${row.id} ${row.type}: ${row.title}`));
  line(
    `${new Date(row.at).toISOString()} · ${row.project || "no project"} · ${row.origin} (${row.source})${mark ? ` · ${mark}` : ""}`,
  );
  if (row.subtitle) line(row.subtitle);
  if (row.narrative && row.narrative !== row.title) line(`\n${row.narrative}\n`);
  for (const fact of row.facts) line(`- ${fact}`);
  if (row.filesModified.length > 0) line(`Modified: ${row.filesModified.join(", ")}`);
  if (row.filesRead.length > 0) line(`Read:     ${row.filesRead.join(", ")}`);
  if (row.supersededBy !== null) line(`Replaced by #${row.supersededBy} (${row.supersededHow}).`);
  const db = openReadOnly(paths.store);
  const source = db && provenanceOf(db, row.id);
  db?.close();
  if (source) {
    line(
      `From:     session ${source.sessionId}, prompt ${row.promptNumber}: ${source.prompt.slice(0, 160).replace(/\s+/g, " ")}`,
    );
    line(
      `Made of:  ${source.events.map((event) => `${event.tool ?? event.kind} at ${new Date(event.at).toISOString().slice(11, 19)}`).join(", ")}`,
    );
  }
  print.line();
}
