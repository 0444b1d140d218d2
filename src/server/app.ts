/** The worker's HTTP interface: one application, served on the socket and on the loopback port. */
import { Hono } from "hono";
import type { Health, WorkerStatus } from "../api/client.ts";
import { AppError, type ErrorCode, messageOf } from "../core/errors.ts";
import type { Db } from "../store/open.ts";
import { type Door, guard } from "./guard.ts";
import { memoryRoutes } from "./routes/memories.ts";
import { recallRoutes } from "./routes/recall.ts";

export type AppParts = {
  token: string;
  health: () => Health;
  /** Whether the store is migrated and open. */
  isReady: () => boolean;
  status: () => WorkerStatus;
  /** Throws `unavailable` until the store is open. */
  store: () => Db;
  /** Asks the process to leave after this answer. */
  stop: (why: string) => void;
  onError: (why: string) => void;
};

const STATUS: Partial<Record<ErrorCode, 400 | 404 | 503>> = {
  invalid: 400,
  not_found: 404,
  unavailable: 503,
};

/** The application behind one door. */
export function createApp(parts: AppParts, door: Door): Hono {
  const app = new Hono();
  app.use(guard(door, parts.token));
  app.get("/health", (context) => context.json(parts.health()));
  app.get("/api/health", (context) => context.json(parts.health()));
  app.get("/api/readiness", (context) =>
    parts.isReady() ? context.json({ status: "ready" }) : context.json({ status: "starting" }, 503),
  );
  app.get("/api/status", (context) => context.json(parts.status()));
  app.post("/api/stop", (context) => {
    parts.stop("asked to stop");
    return context.json({ success: true });
  });
  memoryRoutes(app, parts.store);
  recallRoutes(app, parts.store);
  app.notFound((context) =>
    context.json({ error: `There is no ${context.req.method} ${context.req.path}.` }, 404),
  );
  app.onError((error, context) => {
    const status = error instanceof AppError ? STATUS[error.code] : undefined;
    if (status) return context.json({ error: error.message }, status);
    parts.onError(messageOf(error));
    return context.json({ error: "Something went wrong inside; the log tells more." }, 500);
  });
  return app;
}
