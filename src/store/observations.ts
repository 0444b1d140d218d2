import type { Observation, ObservationDraft, Origin, Source, SupersededHow } from "../core/observation.ts";
import type { Db } from "./open.ts";

type Row = Record<string, string | number | null>;

/** Rows for `observationFromRow`; the observations are `o`. */
export const SELECT_OBSERVATION = `select o.*, coalesce(p.name, '') as project,
    (select count(*) + 1 from observations r where r.superseded_by = o.id and r.superseded_how = 'repeated') as times
  from observations o left join projects p on p.id = o.project_id`;

export type TurnRef = { sessionRow: number; projectId: number | null; promptNumber: number };

/** How many of each; `written` holds the ids of those added and of those that now say something else. */
export type Replaced = { added: number; updated: number; removed: number; written: number[] };

/**
 * Makes the local compressor's observations of a turn be exactly `drafts`: rows of the same unit are updated and
 * keep their id, others are added, those no longer made are removed. `before` is called with the ids of rows about
 * to be removed or to say something else.
 */
export function replaceLocal(
  db: Db,
  turn: TurnRef,
  drafts: readonly ObservationDraft[],
  before: (ids: number[]) => void = () => undefined,
): Replaced {
  const rows = db
    .query(`${SELECT_OBSERVATION} where o.session_row = ? and o.prompt_number = ? and o.source = 'local'`)
    .all(turn.sessionRow, turn.promptNumber) as Row[];
  const known = new Map(rows.map((row) => [String(row.unit), observationFromRow(row)]));
  const units = new Set(drafts.map((draft) => draft.unit));
  const gone = [...known.values()].filter((row) => !units.has(row.unit)).map((row) => row.id);
  const same = new Set(drafts.filter((draft) => saysSame(known.get(draft.unit), draft)));
  const changing = drafts
    .filter((draft) => !same.has(draft))
    .flatMap((draft) => known.get(draft.unit)?.id ?? []);
  before([...gone, ...changing]);
  for (const id of gone) db.query("delete from observations where id = ?").run(id);
  const written: number[] = [];
  for (const draft of drafts) {
    const old = same.has(draft) ? known.get(draft.unit) : undefined;
    const id = old?.id ?? upsert(db, turn, draft);
    if (!old) written.push(id);
    rewriteEvidence(db, id, draft.evidence, known.has(draft.unit));
  }
  const updated = [...units].filter((unit) => known.has(unit)).length;
  return { added: units.size - updated, updated, removed: gone.length, written };
}

function rewriteEvidence(db: Db, id: number, evidence: readonly number[], existed: boolean): void {
  if (existed) db.query("delete from observation_events where observation_id = ?").run(id);
  for (const event of evidence) {
    db.query("insert or ignore into observation_events select ?, id from events where id = ?").run(id, event);
  }
}

/** Whether the row holds the draft already, but for the evidence. */
function saysSame(row: Observation | undefined, draft: ObservationDraft): boolean {
  if (!row || row.at !== draft.at || row.hypothesis !== (draft.hypothesis ?? false)) return false;
  const words = ["type", "title", "subtitle", "narrative", "origin", "agentId", "agentType"] as const;
  const lists = ["facts", "concepts", "filesRead", "filesModified"] as const;
  return (
    words.every((name) => row[name] === draft[name]) &&
    lists.every(
      (name) =>
        row[name].length === draft[name].length && row[name].every((one, at) => one === draft[name][at]),
    )
  );
}

function upsert(db: Db, turn: TurnRef, draft: ObservationDraft): number {
  const row = db
    .query(
      `insert into observations (session_row, project_id, prompt_number, unit, type, title, subtitle, narrative, facts,
         concepts, files_read, files_modified, agent_id, agent_type, source, origin, pinned, hypothesis, created_at)
       values ($session, $project, $prompt, $unit, $type, $title, $subtitle, $narrative, $facts,
         $concepts, $filesRead, $filesModified, $agentId, $agentType, 'local', $origin, $pinned, $hypothesis, $at)
       on conflict (session_row, prompt_number, source, unit) do update set
         type = excluded.type, title = excluded.title, subtitle = excluded.subtitle, narrative = excluded.narrative,
         facts = excluded.facts, concepts = excluded.concepts, files_read = excluded.files_read,
         files_modified = excluded.files_modified, agent_id = excluded.agent_id, agent_type = excluded.agent_type,
         origin = excluded.origin, hypothesis = excluded.hypothesis, created_at = excluded.created_at
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
      hypothesis: draft.hypothesis ? 1 : 0,
      at: draft.at,
    }) as { id: number };
  return row.id;
}

/** The newest `limit` observations of a session, in order of happening. */
export function sessionObservations(db: Db, sessionRow: number, limit: number): Observation[] {
  const rows = db
    .query(`${SELECT_OBSERVATION} where o.session_row = ? order by o.created_at desc, o.id desc limit ?`)
    .all(sessionRow, limit) as Row[];
  return rows.map(observationFromRow).reverse();
}

/** The observations with these ids in the order asked for; unknown ones are left out. */
export function observationsById(db: Db, ids: readonly number[]): Observation[] {
  return ids.flatMap((id) => {
    const row = db.query(`${SELECT_OBSERVATION} where o.id = ?`).get(id) as Row | null;
    return row ? [observationFromRow(row)] : [];
  });
}

export function countObservations(db: Db, projectId?: number): number {
  const row =
    projectId === undefined
      ? db.query("select count(*) as n from observations").get()
      : db.query("select count(*) as n from observations where project_id = ?").get(projectId);
  return (row as { n: number }).n;
}

export function observationFromRow(row: Row): Observation {
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
    hypothesis: row.hypothesis === 1,
    supersededBy: row.superseded_by === null ? null : Number(row.superseded_by),
    supersededHow: row.superseded_how as SupersededHow | null,
    times: Number(row.times ?? 1),
    at: Number(row.created_at),
  };
}

/** A JSON column of texts. */
export function textList(stored: string | number | null | undefined): string[] {
  return stored === "[]" ? [] : (JSON.parse(String(stored ?? "[]")) as string[]);
}
