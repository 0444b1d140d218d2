/** Memories as text for a model: compact, dated, one line a fact. */
import type { Observation } from "../core/observation.ts";

/** An observation in full. */
export function renderObservation(observation: Observation): string {
  const day = new Date(observation.at).toISOString().slice(0, 10);
  const lines = [`#${observation.id} ${observation.type}: ${observation.title}`];
  lines.push(
    `${day}, project ${observation.project || "none"}, source: ${observation.origin} (${observation.source})`,
  );
  if (observation.subtitle) lines.push(observation.subtitle);
  if (observation.narrative) lines.push(observation.narrative);
  for (const fact of observation.facts) lines.push(`- ${fact}`);
  if (observation.filesModified.length > 0) lines.push(`Modified: ${observation.filesModified.join(", ")}`);
  if (observation.filesRead.length > 0) lines.push(`Read: ${observation.filesRead.join(", ")}`);
  if (observation.supersededBy !== null) lines.push(`Superseded by #${observation.supersededBy}.`);
  return lines.join("\n");
}
