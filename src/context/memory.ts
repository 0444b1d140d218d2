/** Reading the store for a program that does not own it; whatever is wrong with the store, the answer is less, not an error. */
import { AppError } from "../core/errors.ts";
import type { SessionEvent } from "../core/event.ts";
import type { Paths } from "../env/paths.ts";
import type { Settings } from "../env/settings.ts";
import { lastCapture, type SessionCapture } from "../store/captures.ts";
import { type Db, openReadOnly } from "../store/open.ts";
import { findProject } from "../store/projects.ts";
import { lastSessionToolCalls } from "../store/sessions.ts";
import { buildSessionContext } from "./session.ts";

/**
 * What the starting session is told; "" for a session that continues or belongs to no project. What comes out still
 * has to pass the redaction: it is the caller's, who has it loaded.
 */
export function tell(paths: Paths, settings: Settings, start: SessionEvent, now: number): string {
  const { project } = start;
  const source = start.body.reason ?? "startup";
  if (!project || !/^(startup|clear|compact)$/.test(source)) return "";
  const { sessionId } = start;
  const told = withStore(paths, (db) =>
    buildSessionContext(db, project, { settings, source, now, sessionId }),
  );
  return told?.text ?? "";
}

/** The project's last session that began before `before` (Unix ms); `null` where nothing is known. */
export function lastSession(
  paths: Paths,
  projectKey: string,
  before: number,
): { toolCalls: number; capture: SessionCapture | null } | null {
  return withStore(paths, (db) => {
    const project = db && findProject(db, projectKey);
    if (!project) return null;
    const toolCalls = lastSessionToolCalls(db, project.id, before) ?? 0;
    return { toolCalls, capture: lastCapture(db, project.id, before) };
  });
}

/**
 * Opens the store, reads, closes it. `null` where the store cannot be read; an `AppError` of `read` itself, such as
 * a name nobody knows, is the caller's to answer.
 */
export function withStore<T>(paths: Paths, read: (db: Db | null) => T): T | null {
  let db: Db | null;
  try {
    db = openReadOnly(paths.store);
  } catch {
    return null;
  }
  try {
    return read(db);
  } catch (error) {
    if (error instanceof AppError) throw error;
    return null;
  } finally {
    db?.close();
  }
}
