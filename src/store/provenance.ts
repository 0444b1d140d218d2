/** Where an observation comes from. */
import type { EventKind } from "../core/event.ts";
import type { Db } from "./open.ts";

export type Provenance = {
  /** The host's id. */
  sessionId: string;
  /** What the user had asked; "" where it is unknown. */
  prompt: string;
  /** What it was made of, in order. */
  events: { id: number; kind: EventKind; tool: string | null; at: number }[];
};

/** `null` for one that no session made. */
export function provenanceOf(db: Db, observationId: number): Provenance | null {
  const turn = db
    .query(
      `select s.session_id as sessionId, coalesce(p.text, '') as prompt
       from observations o join sessions s on s.id = o.session_row
       left join prompts p on p.session_row = o.session_row and p.number = o.prompt_number
       where o.id = ?`,
    )
    .get(observationId) as { sessionId: string; prompt: string } | null;
  if (!turn) return null;
  const events = db
    .query(
      `select e.id, e.kind, e.tool, e.created_at as at from observation_events oe join events e on e.id = oe.event_id
       where oe.observation_id = ? order by e.created_at, e.id`,
    )
    .all(observationId) as Provenance["events"];
  return { ...turn, events };
}
