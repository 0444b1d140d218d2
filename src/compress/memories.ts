/** Memories kept, pinned and forgotten by hand, linked with the others like those that are made of a turn. */
import { AppError } from "../core/errors.ts";
import { OBSERVATION_TYPES, type Observation } from "../core/observation.ts";
import { cutText, firstSentence } from "../core/text.ts";
import { redactText } from "../privacy/redact.ts";
import { deleteObservation, insertMemory, setPinned } from "../store/memories.ts";
import { observationsById } from "../store/observations.ts";
import { type Db, inTransaction } from "../store/open.ts";
import { disturbedBy, relink } from "./links/consolidate.ts";

/** UTF-16 units of what may be kept at once: a page, not a book. */
const TEXT_MAX = 8_000;
const TITLE_MAX = 110;

export type Wish = { text: string; title?: string; type?: string; pinned?: boolean };

/**
 * Keeps the words as they are, but for secrets and private parts. Throws `invalid` for no words, too many, or a type
 * that there is not.
 */
export function remember(db: Db, projectId: number | null, wish: Wish, at: number): Observation {
  const { length } = wish.text;
  if (length > TEXT_MAX)
    throw new AppError("invalid", `text has ${length} characters; ${TEXT_MAX} can be kept at once.`);
  const text = redactText(wish.text, TEXT_MAX).trim();
  if (text === "") throw new AppError("invalid", "There is nothing to remember: text is empty or private.");
  const type = wish.type ?? "decision";
  if (!(OBSERVATION_TYPES as readonly string[]).includes(type))
    throw new AppError(
      "invalid",
      `There is no type ${cutText(type, 40)}; types are ${OBSERVATION_TYPES.join(", ")}.`,
    );
  const title = cutText(redactText(wish.title?.trim() || firstSentence(text), 400), TITLE_MAX);
  return inTransaction(db, () => {
    const id = insertMemory(db, { projectId, type, title, text, pinned: wish.pinned ?? false, at });
    if (projectId !== null) relink(db, projectId, [id], new Set());
    return get(db, id);
  });
}

/** Throws `not_found` for an unknown id. */
export function pin(db: Db, id: number, pinned: boolean): Observation {
  if (!setPinned(db, id, pinned)) throw unknown(id);
  return get(db, id);
}

/** Deletes them for good, all or none; what they stood for stands again. Throws `not_found` for an unknown id. */
export function forget(db: Db, ids: readonly number[]): Observation[] {
  return inTransaction(db, () => {
    const gone = ids.map((id) => get(db, id));
    for (const { id, projectId } of gone) {
      const disturbed = projectId === null ? new Set<number>() : disturbedBy(db, projectId, [id]);
      deleteObservation(db, id);
      if (projectId !== null) relink(db, projectId, [], disturbed);
    }
    return gone;
  });
}

function get(db: Db, id: number): Observation {
  const [found] = observationsById(db, [id]);
  if (!found) throw unknown(id);
  return found;
}

function unknown(id: number): AppError {
  return new AppError("not_found", `Observation #${id} not found`);
}
