/**
 * What the running sessions have been told already. Kept in the process that lives as long as the session; forgotten
 * when the session's context is cut down or begun anew, since then the model no longer has it before it.
 */
export type Shown = {
  /** The newest note told about the file (Unix ms); `null` where none was. */
  file: (sessionId: string, path: string) => number | null;
  noteFile: (sessionId: string, path: string, newest: number) => void;
  wasEdited: (sessionId: string, path: string) => boolean;
  noteEdit: (sessionId: string, path: string) => void;
  /** Ids of memories told with prompts. */
  items: (sessionId: string) => ReadonlySet<number>;
  noteItems: (sessionId: string, ids: readonly number[]) => void;
  forget: (sessionId: string) => void;
};

type Told = { files: Map<string, number>; edited: Set<string>; items: Set<number> };

/** One process serves one session, or a few in a row; more are not kept. */
const SESSIONS_MAX = 8;
/** Of each kind and session; beyond them the oldest is told again. */
const KEPT_MAX = 2_000;

export function createShown(): Shown {
  const sessions = new Map<string, Told>();
  const of = (sessionId: string): Told => {
    const told = sessions.get(sessionId) ?? { files: new Map(), edited: new Set(), items: new Set() };
    sessions.delete(sessionId);
    sessions.set(sessionId, told);
    bound(sessions, SESSIONS_MAX);
    return told;
  };
  return {
    file: (sessionId, path) => of(sessionId).files.get(path) ?? null,
    noteFile: (sessionId, path, newest) => bound(of(sessionId).files.set(path, newest), KEPT_MAX),
    wasEdited: (sessionId, path) => of(sessionId).edited.has(path),
    noteEdit: (sessionId, path) => bound(of(sessionId).edited.add(path), KEPT_MAX),
    items: (sessionId) => of(sessionId).items,
    noteItems: (sessionId, ids) => {
      const { items } = of(sessionId);
      for (const id of ids) items.add(id);
      bound(items, KEPT_MAX);
    },
    forget: (sessionId) => {
      sessions.delete(sessionId);
    },
  };
}

function bound(
  kept: { size: number; keys: () => Iterator<unknown>; delete: (key: never) => boolean },
  most: number,
) {
  while (kept.size > most) kept.delete(kept.keys().next().value as never);
}
