/** Drafts that say the same become one. */
import type { ObservationDraft } from "../../core/observation.ts";
import { unique } from "./words.ts";

/** The first of each unit and of each title stays and takes over the others' evidence, files and facts. */
export function mergeAlike(drafts: readonly ObservationDraft[]): ObservationDraft[] {
  const kept: ObservationDraft[] = [];
  for (const draft of drafts) {
    const at = kept.findIndex((one) => one.unit === draft.unit || sameWords(one, draft));
    const same = kept[at];
    if (same) kept[at] = merged(same, draft);
    else kept.push(draft);
  }
  return kept;
}

function sameWords(one: ObservationDraft, other: ObservationDraft): boolean {
  return one.origin === other.origin && plain(one.title) === plain(other.title);
}

function plain(title: string): string {
  return title
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .trim();
}

function merged(one: ObservationDraft, other: ObservationDraft): ObservationDraft {
  return {
    ...one,
    pinned: one.pinned || other.pinned,
    facts: unique([...one.facts, ...other.facts]),
    filesRead: unique([...one.filesRead, ...other.filesRead]),
    filesModified: unique([...one.filesModified, ...other.filesModified]),
    evidence: unique([...one.evidence, ...other.evidence]),
    at: Math.max(one.at, other.at),
  };
}
