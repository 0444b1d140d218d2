/** Tools that keep, pin and forget: the worker does it, since it alone writes the store. */
import { AppError } from "../core/errors.ts";
import { observationsById } from "../store/observations.ts";
import { askWorker } from "./ask-worker.ts";
import { idOf, idsOf, textOf } from "./input.ts";
import type { Tool } from "./tool.ts";

export const memoryTools: readonly Tool[] = [
  {
    name: "remember",
    description:
      "Keep a fact or decision for later sessions, in these exact words. Only what the user asked to keep.",
    effect: "writes",
    inputSchema: {
      type: "object",
      properties: {
        text: { type: "string" },
        title: { type: "string" },
        type: { type: "string", description: "decision (default), discovery, change, …" },
        pinned: { type: "boolean", description: "Tell it at every session start" },
      },
      required: ["text"],
    },
    run: async (input, parts) => {
      const project = parts.project();
      const [title, type] = [textOf(input, "title"), textOf(input, "type")];
      const kept = await askWorker(parts, (worker) =>
        worker.remember({
          text: textOf(input, "text"),
          ...(title ? { title } : {}),
          ...(type ? { type } : {}),
          pinned: input.pinned === true,
          ...(project ? { project: { key: project.key, name: project.name } } : {}),
        }),
      );
      return `Remembered as #${kept.id}${kept.pinned ? ", pinned" : ""}: ${kept.title}`;
    },
  },
  {
    name: "pin",
    description: "Pin an observation so that every session start tells it, or unpin it.",
    effect: "writes",
    inputSchema: {
      type: "object",
      properties: { id: { type: "integer" }, pinned: { type: "boolean", description: "false unpins" } },
      required: ["id"],
    },
    run: async (input, parts) => {
      const row = await askWorker(parts, (worker) => worker.pin(idOf(input.id), input.pinned !== false));
      return `${row.pinned ? "Pinned" : "Unpinned"} #${row.id}: ${row.title}`;
    },
  },
  {
    name: "forget",
    description: "Delete observations for good, by ids. Without confirm: true it only lists what would go.",
    effect: "deletes",
    inputSchema: {
      type: "object",
      properties: {
        ids: { type: "array", items: { type: "integer" } },
        confirm: { type: "boolean", description: "true deletes" },
      },
      required: ["ids"],
    },
    run: async (input, parts) => {
      const ids = idsOf(input.ids);
      const found = parts.withStore((db) => (db ? observationsById(db, ids) : [])) ?? [];
      if (found.length === 0) throw new AppError("not_found", "None of these observations is there.");
      const list = found.map((row) => `#${row.id} ${row.type}: ${row.title}`).join("\n");
      if (input.confirm !== true) return `Would be deleted (call again with confirm: true):\n${list}`;
      for (const row of found) await askWorker(parts, (worker) => worker.forget(row.id));
      return `Deleted:\n${list}`;
    },
  },
];
