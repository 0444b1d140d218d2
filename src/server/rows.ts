/** Rows as the interface shows them. */
import type { Observation } from "../core/observation.ts";

export function asObservation(row: Observation): Record<string, unknown> {
  return {
    id: row.id,
    session_db_id: row.sessionRowId,
    project: row.project,
    type: row.type,
    title: row.title,
    subtitle: row.subtitle,
    narrative: row.narrative,
    facts: row.facts,
    concepts: row.concepts,
    files_read: row.filesRead,
    files_modified: row.filesModified,
    prompt_number: row.promptNumber,
    agent_id: row.agentId,
    agent_type: row.agentType,
    source: row.source,
    model: row.model,
    pinned: row.pinned,
    superseded_by: row.supersededBy,
    created_at: new Date(row.at).toISOString(),
    created_at_epoch: row.at,
  };
}
