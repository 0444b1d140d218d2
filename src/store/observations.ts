import type { Observation, ObservationDraft, Origin, Source } from "../core/observation.ts";
import type { Db } from "./open.ts";

type Row = Record<string, string | number | null>;

const SELECT = `select o.*, coalesce(p.name, '') as project from observations o
  left join projects p on p.id = o.project_id`;

/**
 * Makes the local compressor's observations of a turn be exactly `drafts`: rows of the same unit are updated and
 * keep their id, others are added, those no longer made are removed. Answers what was added.
 */
export function replaceLocal(
  db: Db,
  turn: { sessionRow: number; projectId: number | null; promptNumber: number },
  drafts: readonly ObservationDraft[],
): { added: number; updated: number; removed: number } {
  const before = db
    .query(
      "select id, unit from observations where session_row = ? and prompt_number = ? and source = 'local'",
    )
    .all(turn.sessionRow, turn.promptNumber) as { id: number; unit: string }[];
  const units = new Set(drafts.map((draft) => draft.unit));
  let removed = 0;
  for (const row of before) {
    if (units.has(row.unit)) continue;
    db.query("delete from observations where id = ?").run(row.id);
    removed += 1;
  }
  for (const draft of drafts) {
    const { id } = upsert(db, turn, draft);
    db.query("delete from observation_events where observation_id = ?").run(id);
    for (const event of draft.evidence) {
      db.query("insert or ignore into observation_events select ?, id from events where id = ?").run(
        id,
        event,
      );
    }
  }
  const known = new Set(before.map((row) => row.unit));
  const updated = [...units].filter((unit) => known.has(unit)).length;
  return { added: units.size - updated, updated, removed };
}

function upsert(
  db: Db,
  turn: { sessionRow: number; projectId: number | null; promptNumber: number },
  draft: ObservationDraft,
): { id: number } {
  return db
    .query(
      `insert into observations (session_row, project_id, prompt_number, unit, type, title, subtitle, narrative, facts,
         concepts, files_read, files_modified, agent_id, agent_type, source, origin, pinned, created_at)
       values ($session, $project, $prompt, $unit, $type, $title, $subtitle, $narrative, $facts,
         $concepts, $filesRead, $filesModified, $agentId, $agentType, 'local', $origin, $pinned, $at)
       on conflict (session_row, prompt_number, source, unit) do update set
         type = excluded.type, title = excluded.title, subtitle = excluded.subtitle, narrative = excluded.narrative,
         facts = excluded.facts, concepts = excluded.concepts, files_read = excluded.files_read,
         files_modified = excluded.files_modified, origin = excluded.origin, created_at = excluded.created_at
       returning id`,
    )
    .get({
      session: turn.sessionRow,
      project: turn.projectId,
      prompt: turn.promptNumber,
      unit: draft.unit,
      type: draft.type,
      title: draft.title,
      subtitle: draft.subtitle,
      narrative: draft.narrative,
      facts: JSON.stringify(draft.facts),
      concepts: JSON.stringify(draft.concepts),
      filesRead: JSON.stringify(draft.filesRead),
      filesModified: JSON.stringify(draft.filesModified),
      agentId: draft.agentId,
      agentType: draft.agentType,
      origin: draft.origin,
      pinned: draft.pinned ? 1 : 0,
      at: draft.at,
    }) as { id: number };
}

/** What is needed of an observation to weigh and to name it; the rest is read for those that are told in full. */
export type Candidate = Pick<
  Observation,
  "id" | "unit" | "type" | "title" | "filesRead" | "filesModified" | "at"
>;

/** The newest observations of a project that nothing has superseded and nobody has pinned, newest first. */
export function recentCandidates(db: Db, projectId: number, limit: number): Candidate[] {
  const rows = db
    .query(
      `select id, unit, type, title, files_read, files_modified, created_at from observations
       where project_id = ? and superseded_by is null and pinned = 0 and source <> 'manual'
       order by created_at desc limit ?`,
    )
    .values(projectId, limit) as [number, string, string, string, string, string, number][];
  return rows.map(([id, unit, type, title, read, modified, at]) => ({
    id,
    unit,
    type,
    title,
    filesRead: textList(read),
    filesModified: textList(modified),
    at,
  }));
}

/** Pinned and manual memories of a project, newest first. */
export function pinnedObservations(db: Db, projectId: number, limit: number): Observation[] {
  const rows = db
    .query(
      `${SELECT} where o.project_id = ? and (o.pinned = 1 or o.source = 'manual') and o.superseded_by is null
       order by o.pinned desc, o.created_at desc, o.id desc limit ?`,
    )
    .all(projectId, limit) as Row[];
  return rows.map(fromRow);
}

/** The observations with these ids in the order asked for; unknown ones are left out. */
export function observationsById(db: Db, ids: readonly number[]): Observation[] {
  return ids.flatMap((id) => {
    const row = db.query(`${SELECT} where o.id = ?`).get(id) as Row | null;
    return row ? [fromRow(row)] : [];
  });
}

export function countObservations(db: Db, projectId?: number): number {
  const row =
    projectId === undefined
      ? db.query("select count(*) as n from observations").get()
      : db.query("select count(*) as n from observations where project_id = ?").get(projectId);
  return (row as { n: number }).n;
}

function fromRow(row: Row): Observation {
  return {
    id: Number(row.id),
    sessionRowId: row.session_row === null ? null : Number(row.session_row),
    projectId: row.project_id === null ? null : Number(row.project_id),
    project: String(row.project ?? ""),
    promptNumber: row.prompt_number === null ? null : Number(row.prompt_number),
    unit: String(row.unit),
    type: String(row.type),
    title: String(row.title),
    subtitle: String(row.subtitle),
    narrative: String(row.narrative),
    facts: textList(row.facts),
    concepts: textList(row.concepts),
    filesRead: textList(row.files_read),
    filesModified: textList(row.files_modified),
    agentId: row.agent_id === null ? null : String(row.agent_id),
    agentType: row.agent_type === null ? null : String(row.agent_type),
    source: row.source as Source,
    origin: row.origin as Origin,
    model: row.model === null ? null : String(row.model),
    pinned: row.pinned === 1,
    supersededBy: row.superseded_by === null ? null : Number(row.superseded_by),
    at: Number(row.created_at),
  };
}

/** A JSON column of texts. */
export function textList(stored: string | number | null | undefined): string[] {
  return stored === "[]" ? [] : (JSON.parse(String(stored ?? "[]")) as string[]);
}
