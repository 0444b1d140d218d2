/** Tools that read the workspace's code: its structure, and one definition of it. */
import { AppError } from "../core/errors.ts";
import { textOf } from "./input.ts";
import type { Tool, ToolParts } from "./tool.ts";

const path = { type: "string", description: "File of this project" };

export const codeTools: readonly Tool[] = [
  {
    name: "smart_outline",
    description: "Structure of a source file (symbols with signatures and lines) without reading it all.",
    inputSchema: { type: "object", properties: { path }, required: ["path"] },
    run: async (input, parts) => {
      const { outlineText } = await import("../outline/outlines.ts");
      return outlineText(rootOf(parts), needed(input, "path"));
    },
  },
  {
    name: "smart_search",
    description: "Find functions, types and other definitions of this project by name.",
    inputSchema: {
      type: "object",
      properties: {
        query: { type: "string" },
        path: { type: "string", description: "Only below this file or directory" },
        limit: { type: "integer" },
      },
      required: ["query"],
    },
    run: async (input, parts) => {
      const { symbolsText } = await import("../outline/outlines.ts");
      const within = textOf(input, "path");
      return symbolsText(rootOf(parts), needed(input, "query"), {
        ...(within ? { path: within } : {}),
        ...(typeof input.limit === "number" ? { limit: input.limit } : {}),
        index: parts.outlineIndex,
      });
    },
  },
  {
    name: "smart_unfold",
    description: "Exact source of one symbol of a file, such as parse or Class.method.",
    inputSchema: {
      type: "object",
      properties: { path, symbol: { type: "string" } },
      required: ["path", "symbol"],
    },
    run: async (input, parts) => {
      const { unfoldText } = await import("../outline/outlines.ts");
      return unfoldText(rootOf(parts), needed(input, "path"), needed(input, "symbol"));
    },
  },
];

function needed(input: Record<string, unknown>, name: string): string {
  const text = textOf(input, name).trim();
  if (text === "") throw new AppError("invalid", `${name} is needed.`);
  return text;
}

function rootOf(parts: ToolParts): string {
  const root = parts.workspace();
  if (root === null) throw new AppError("not_found", "This directory belongs to no project.");
  return root;
}
