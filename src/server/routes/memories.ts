/** Keeping, pinning and forgetting by hand. */
import type { Hono } from "hono";
import { forget, pin, remember, type Wish } from "../../compress/memories.ts";
import { AppError } from "../../core/errors.ts";
import type { Db } from "../../store/open.ts";
import { findProjectsByName, upsertProject } from "../../store/projects.ts";
import { type Fields, fieldsOf } from "../input.ts";
import { asObservation } from "../rows.ts";

export function memoryRoutes(app: Hono, store: () => Db): void {
  app.post("/api/memory/save", async (context) => {
    const body = await fieldsOf(context.req);
    const db = store();
    const now = Date.now();
    return context.json(asObservation(remember(db, projectOf(db, body.project, now), wishOf(body), now)));
  });
  app.patch("/api/observation/:id", async (context) => {
    const body = await fieldsOf(context.req);
    if (typeof body.pinned !== "boolean") throw new AppError("invalid", "pinned must be true or false.");
    return context.json(asObservation(pin(store(), idOf(context.req.param("id")), body.pinned)));
  });
  app.delete("/api/observation/:id", (context) => {
    forget(store(), [idOf(context.req.param("id"))]);
    return context.json({ success: true });
  });
}

function wishOf(body: Fields): Wish {
  const { text, title, type, pinned } = body;
  if (typeof text !== "string") throw new AppError("invalid", "text must be a text.");
  if (title !== undefined && typeof title !== "string")
    throw new AppError("invalid", "title must be a text.");
  if (type !== undefined && typeof type !== "string") throw new AppError("invalid", "type must be a text.");
  if (pinned !== undefined && typeof pinned !== "boolean")
    throw new AppError("invalid", "pinned must be true or false.");
  return {
    text,
    ...(title === undefined ? {} : { title }),
    ...(type === undefined ? {} : { type }),
    ...(pinned === undefined ? {} : { pinned }),
  };
}

/** By key and name, as our own programs give it; by its shown name; or no project at all. */
function projectOf(db: Db, given: unknown, now: number): number | null {
  if (given === undefined || given === null || given === "") return null;
  if (typeof given === "string") {
    const found = findProjectsByName(db, given)[0];
    if (!found) throw new AppError("not_found", `No project named ${given.slice(0, 100)} is remembered.`);
    return found.id;
  }
  const { key, name } = given as Fields;
  if (typeof key !== "string" || typeof name !== "string" || key === "" || name === "")
    throw new AppError("invalid", "project must be a name, or an object with key and name.");
  return upsertProject(db, { key, name, worktree: null, root: key }, now);
}

function idOf(text: string): number {
  const id = Number(text);
  if (!/^\d{1,15}$/.test(text) || id < 1) throw new AppError("invalid", "id must be a whole number.");
  return id;
}
