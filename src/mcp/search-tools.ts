/** Tools that find: three layers, ids and titles first, surroundings next, full text (get_observations) last. */
import type { FoundView } from "../api/client.ts";
import { AppError } from "../core/errors.ts";
import { askWorker } from "./ask-worker.ts";
import { textOf } from "./input.ts";
import type { Tool, ToolParts } from "./tool.ts";

const text = { type: "string" };
const count = { type: "integer" };

export const searchTools: readonly Tool[] = [
  {
    name: "search",
    description:
      "Search what is remembered of this project (or project: a name, or * for all). Answers ids and titles; read them with get_observations.",
    inputSchema: {
      type: "object",
      properties: {
        query: text,
        project: text,
        type: { ...text, description: "observation, summary, prompt" },
        obs_type: { ...text, description: "bugfix, feature, refactor, change, discovery, decision" },
        concept: text,
        file: { ...text, description: "path or its end" },
        from: { ...text, description: "date" },
        to: { ...text, description: "date" },
        limit: count,
        offset: count,
        order: { ...text, description: "relevance, newest, oldest" },
      },
    },
    run: async (input, parts) => {
      const names = ["query", "type", "obs_type", "concept", "file", "from", "to", "order"] as const;
      const words = Object.fromEntries(names.map((name) => [name, textOf(input, name)]));
      const numbers = { limit: numberOf(input, "limit"), offset: numberOf(input, "offset") };
      const answer = await askWorker(parts, (worker) =>
        worker.search({ ...words, ...numbers, ...placeOf(input, parts) }),
      );
      if (answer.results.length === 0) return "Nothing remembered fits.";
      const more = answer.hasMore
        ? [`More: the same with offset ${(numbers.offset ?? 0) + answer.results.length}.`]
        : [];
      const notes = answer.degraded ? [answer.degraded] : [];
      return [...answer.results.map(lineOf), ...more, ...notes].join("\n");
    },
  },
  {
    name: "timeline",
    description:
      "What happened around an observation (anchor: its number) or around the best match of a query.",
    inputSchema: {
      type: "object",
      properties: { anchor: count, query: text, project: text, depth_before: count, depth_after: count },
    },
    run: async (input, parts) => {
      const { items, anchor } = await askWorker(parts, (worker) =>
        worker.timeline({
          anchor: numberOf(input, "anchor"),
          query: textOf(input, "query"),
          depth_before: numberOf(input, "depth_before"),
          depth_after: numberOf(input, "depth_after"),
          ...placeOf(input, parts),
        }),
      );
      return items
        .map((item) => {
          const here = item.kind === "observation" && item.id === anchor ? "→" : "-";
          return `${here} ${stamp(item.created_at)} ${nameOf(item)}: ${item.text.replace(/\s+/g, " ").slice(0, 200)}`;
        })
        .join("\n");
    },
  },
];

/** This project, another by its name, or all. */
function placeOf(
  input: Record<string, unknown>,
  parts: ToolParts,
): { project?: string; project_key?: string } {
  const named = textOf(input, "project");
  if (named === "*") return {};
  if (named !== "") return { project: named };
  const here = parts.project();
  return here ? { project_key: here.key } : {};
}

function numberOf(input: Record<string, unknown>, name: string): number | undefined {
  const value = input[name];
  if (value === undefined || value === null || value === "") return undefined;
  const number = Number(String(value).replace(/^#/, ""));
  if (!Number.isSafeInteger(number) || number < 0)
    throw new AppError("invalid", `${name} must be a whole number.`);
  return number;
}

function lineOf(found: FoundView): string {
  const marks = [found.pinned ? "pinned" : "", found.superseded ? "replaced since" : ""].filter(Boolean);
  const mark = marks.length > 0 ? ` (${marks.join(", ")})` : "";
  const snippet = found.snippet && found.snippet !== found.title ? `\n  ${found.snippet}` : "";
  return `- ${nameOf(found)} ${stamp(found.created_at).slice(0, 10)}${mark}: ${found.title}${snippet}`;
}

function nameOf({ kind, id, type }: Pick<FoundView, "kind" | "id" | "type">): string {
  return kind === "observation" ? `#${id} ${type}` : `${kind} ${id}`;
}

function stamp(iso: string): string {
  return iso.slice(0, 16).replace("T", " ");
}
