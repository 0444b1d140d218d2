/** What lies around a moment: observations, sessions' summaries and prompts of a project, in order of time. */
import type { Db } from "./open.ts";

export type TimelineItem = {
  kind: "observation" | "summary" | "prompt";
  id: number;
  /** Of an observation; "" for the others. */
  type: string;
  /** Title, request or prompt. */
  text: string;
  /** Unix milliseconds. */
  at: number;
};

export type Moment = { projectId: number | null; at: number; kind: TimelineItem["kind"]; id: number };

/** Where an observation stands; `null` where there is none. */
export function momentOf(db: Db, observationId: number): Moment | null {
  const row = db
    .query("select project_id as projectId, created_at as at from observations where id = ?")
    .get(observationId) as { projectId: number | null; at: number } | null;
  return row && { ...row, kind: "observation", id: observationId };
}

/** The parts of a timeline; each is read through its own index, so none is read whole. */
const PARTS = [
  {
    kind: "observation",
    columns: "o.id, o.type, o.title as text, o.created_at as at",
    from: "observations o where o.project_id is ?1",
    at: "o.created_at",
  },
  {
    kind: "summary",
    columns: "m.id, '' as type, m.request as text, m.created_at as at",
    from: "summaries m where m.project_id is ?1 and m.prompt_number is null",
    at: "m.created_at",
  },
  {
    kind: "prompt",
    columns: "p.id, '' as type, p.text, p.created_at as at",
    from: "prompts p join sessions s on s.id = p.session_row where s.project_id is ?1 and p.private = 0",
    at: "p.created_at",
  },
] as const;

/** At most so many items before the moment and after it, the moment's own item between them; oldest first. */
export function itemsAround(db: Db, moment: Moment, before: number, after: number): TimelineItem[] {
  const order = (one: TimelineItem, other: TimelineItem) =>
    one.at - other.at || one.kind.localeCompare(other.kind) || one.id - other.id;
  const own = { kind: moment.kind, id: moment.id, type: "", text: "", at: moment.at };
  const near = PARTS.flatMap(({ kind, columns, from, at }) => {
    const select = `select ${columns} from ${from}`;
    const older = db
      .query(`${select} and ${at} <= ?2 order by ${at} desc limit ?3`)
      .all(moment.projectId, moment.at, before + 1);
    const newer = db
      .query(`${select} and ${at} >= ?2 order by ${at} limit ?3`)
      .all(moment.projectId, moment.at, after + 1);
    return ([...older, ...newer] as Omit<TimelineItem, "kind">[]).map((item) => ({ ...item, kind }));
  });
  const all = new Map(near.map((item) => [`${item.kind} ${item.id}`, item]));
  const items = [...all.values()].sort(order);
  const middle = items.findIndex((item) => item.kind === own.kind && item.id === own.id);
  const at = middle >= 0 ? middle : items.filter((item) => order(item, own) < 0).length;
  return items.slice(Math.max(0, at - before), at + after + (middle >= 0 ? 1 : 0));
}
