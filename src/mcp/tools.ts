/** The tools the model has: a table of name, words, schema and function. */

import { buildSessionContext } from "../context/session.ts";
import { AppError } from "../core/errors.ts";
import type { ProjectRef } from "../core/event.ts";
import { observationsById } from "../store/observations.ts";
import type { Db } from "../store/open.ts";
import { findProjectsByName } from "../store/projects.ts";
import { codeTools } from "./code-tools.ts";
import { idsOf } from "./input.ts";
import { memoryTools } from "./memory-tools.ts";
import { renderObservation } from "./render.ts";
import { searchTools } from "./search-tools.ts";
import type { Tool } from "./tool.ts";

export const TOOLS: readonly Tool[] = [
  {
    name: "get_observations",
    description: "Full text of remembered observations by id (the #numbers in memory notes).",
    inputSchema: {
      type: "object",
      properties: { ids: { type: "array", items: { type: "integer" }, description: "Observation ids" } },
      required: ["ids"],
    },
    run: (input, parts) => {
      const ids = idsOf(input.ids);
      const found = parts.withStore((db) => (db ? observationsById(db, ids) : [])) ?? [];
      const missing = ids.filter((id) => !found.some((one) => one.id === id));
      const texts = found.map(renderObservation);
      if (missing.length > 0) texts.push(`Not found: ${missing.map((id) => `#${id}`).join(", ")}`);
      return texts.join("\n\n");
    },
  },
  {
    name: "session_context",
    description: "What a new session of this project (or the named one) is told from memory.",
    inputSchema: { type: "object", properties: { project: { type: "string", description: "Project name" } } },
    run: (input, parts) => {
      const text = parts.withStore((db) => {
        const project =
          typeof input.project === "string" && input.project ? named(db, input.project) : parts.project();
        if (!project) throw new AppError("not_found", "This directory belongs to no project; name one.");
        return buildSessionContext(db, project, {
          settings: parts.settings(),
          source: "startup",
          now: parts.now(),
        }).text;
      });
      if (text === null)
        throw new AppError("unavailable", "The memory store cannot be read; `throughline doctor` tells why.");
      return text;
    },
  },
  ...searchTools,
  ...memoryTools,
  ...codeTools,
];

function named(db: Db | null, name: string): ProjectRef {
  const project = db ? findProjectsByName(db, name)[0] : undefined;
  if (!project) throw new AppError("not_found", `No project named ${name} is remembered.`);
  return { key: project.key, name: project.name, worktree: null, root: project.key };
}
