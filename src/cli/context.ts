/** context, version: what a new session here would be told, and which program this is. */

import { dayOf } from "../context/select.ts";
import { buildSessionContext } from "../context/session.ts";
import { resolveProject } from "../env/project.ts";
import { loadSettings } from "../env/settings.ts";
import { VERSION } from "../env/version.ts";
import { redactSecrets } from "../privacy/secrets.ts";
import { openReadOnly } from "../store/open.ts";
import { findProjectsByName } from "../store/projects.ts";
import { type Command, JSON_OPTION } from "./command.ts";

export const context: Command = {
  name: "context",
  about: "what a new session in this directory is told",
  options: {
    all: { type: "boolean", about: "everything remembered, without a budget" },
    project: { type: "string", short: "p", about: "of the project with this name" },
    ...JSON_OPTION,
  },
  run: async ({ paths, env, print, cwd }, flags) => {
    if (cwd === null && !flags.project) {
      print.error(
        "This directory has been deleted; change to another one, or name a project with --project.",
      );
      return 1;
    }
    const db = openReadOnly(paths.store);
    try {
      const named =
        typeof flags.project === "string" && db ? findProjectsByName(db, flags.project)[0] : undefined;
      const project = named
        ? { key: named.key, name: named.name, worktree: null, root: named.key }
        : flags.project
          ? null
          : resolveProject(cwd ?? "", env, [paths.data]).project;
      if (!project) {
        print.error(
          flags.project
            ? `No project named ${flags.project} is remembered.`
            : `${cwd} belongs to no project.`,
        );
        return 1;
      }
      const settings = loadSettings(paths.settings, env).values;
      const told = buildSessionContext(db, project, {
        settings,
        source: "startup",
        now: Date.now(),
        all: flags.all === true,
      });
      const text = redactSecrets(told.text);
      if (flags.json) print.json({ project: project.name, day: dayOf(Date.now()), ...told, text });
      else {
        print.line(text);
        print.line(
          print.style(
            "dim",
            `${told.chars} characters, about ${told.tokens} tokens; ${told.leftOut} left out.`,
          ),
        );
      }
      return 0;
    } finally {
      db?.close();
    }
  },
};

export const version: Command = {
  name: "version",
  about: "the version of this program",
  options: JSON_OPTION,
  run: async ({ print }, flags) => {
    if (flags.json) print.json({ version: VERSION, bun: Bun.version });
    else print.line(VERSION);
    return 0;
  },
};
