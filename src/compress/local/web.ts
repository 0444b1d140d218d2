/** Pages fetched and searches made. What they say is a stranger's word: kept short, marked as a tool's. */
import type { ObservationDraft } from "../../core/observation.ts";
import { cutText, firstSentence, oneLine } from "../../core/text.ts";
import { agentOf, type Call, draftOf } from "./call.ts";
import { listOf, objectOf, outputOf, stringOf } from "./json.ts";
import { paragraphsOf } from "./talk/closing.ts";
import { pointOf } from "./talk/point.ts";
import { TITLE_MAX, titleOf, unique } from "./words.ts";

/** More are folded into the last. */
const DRAFTS_MAX = 4;

/** At most four; the same page or query is one. */
export function webDrafts(calls: readonly Call[]): ObservationDraft[] {
  const drafts = new Map<string, ObservationDraft>();
  for (const call of calls) {
    if (call.failed) continue;
    const draft =
      call.tool === "WebFetch" ? fetched(call) : call.tool === "WebSearch" ? searched(call) : null;
    if (draft) drafts.set(draft.unit, draft);
  }
  const all = [...drafts.values()];
  const rest = all.slice(DRAFTS_MAX - 1);
  const [last] = rest;
  if (rest.length < 2 || !last) return all;
  return [...all.slice(0, DRAFTS_MAX - 1), folded(rest)];
}

function folded(rest: readonly ObservationDraft[]): ObservationDraft {
  return {
    ...draftOf("web:*", [], {
      type: "discovery",
      title: titleOf(`Looked up ${rest.length} more pages: ${rest.map((draft) => draft.title).join("; ")}`),
    }),
    facts: rest.flatMap((draft) => draft.facts.slice(0, 1)).slice(0, 12),
    concepts: ["how-it-works"],
    evidence: unique(rest.flatMap((draft) => draft.evidence)),
    at: Math.max(...rest.map((draft) => draft.at)),
  };
}

function fetched(call: Call): ObservationDraft | null {
  const url = oneLine(stringOf(call.input.url)).slice(0, 2_000);
  if (url === "") return null;
  const response = objectOf(call.response);
  const code = typeof response.code === "number" && response.code >= 400 ? response.code : 0;
  const paragraphs = paragraphsOf(outputOf(response.result ?? call.response).slice(0, 16_000));
  const said =
    code > 0 ? `answered ${code}` : pointOf(paragraphs) || firstSentence(paragraphs[0]?.text ?? "");
  const name = shortUrl(url);
  return draftOf(`web:${url}`, [call], {
    type: "discovery",
    title: titleOf(said ? `${name}: ${said}` : `Read ${name}`),
    narrative: cutText(paragraphs.map((paragraph) => paragraph.text).join(" "), 500),
    facts: unique([url, oneLine(stringOf(call.input.prompt))].filter((fact) => fact !== "")).map((fact) =>
      cutText(fact, 300),
    ),
    concepts: ["how-it-works"],
    ...agentOf([call]),
  });
}

function searched(call: Call): ObservationDraft | null {
  const query = oneLine(stringOf(call.input.query));
  if (query === "") return null;
  const hits = listOf(objectOf(call.response).results)
    .flatMap((result) => [...listOf(objectOf(result).content), result])
    .map((hit) => ({ title: oneLine(stringOf(objectOf(hit).title)), url: stringOf(objectOf(hit).url) }))
    .filter((hit) => hit.url !== "");
  const best = hits[0] ? hits[0].title || shortUrl(hits[0].url) : "";
  const asked = `Searched the web for “${cutText(query, 60)}”`;
  return draftOf(`web:search:${query.slice(0, 300)}`, [call], {
    type: "discovery",
    title: titleOf(best !== "" && asked.length + best.length + 2 <= TITLE_MAX ? `${asked}: ${best}` : asked),
    facts: hits.slice(0, 5).map((hit) => cutText(`${hit.title ? `${hit.title}: ` : ""}${hit.url}`, 300)),
    concepts: ["how-it-works"],
    ...agentOf([call]),
  });
}

function shortUrl(url: string): string {
  return cutText(
    url
      .replace(/^https?:\/\/(?:www\.)?/, "")
      .replace(/[?#].*$/, "")
      .replace(/\/$/, ""),
    50,
  );
}
