/** Searching, looking around, and what is told with a prompt. */
import type { Hono } from "hono";
import { promptContext } from "../../context/prompt.ts";
import { AppError } from "../../core/errors.ts";
import { redactSecrets } from "../../privacy/secrets.ts";
import { recallFor } from "../../search/recall.ts";
import type { SearchRequest, SearchResult } from "../../search/request.ts";
import { search } from "../../search/search.ts";
import type { Db } from "../../store/open.ts";
import { findProject, findProjectsByName } from "../../store/projects.ts";
import { itemsAround, momentOf } from "../../store/timeline.ts";
import { fieldsOf, numberOf } from "../input.ts";

export function recallRoutes(app: Hono, store: () => Db): void {
  app.get("/api/search", async (context) => {
    const db = store();
    const answer = await search(db, requestOf(db, context.req.query()));
    return context.json({ ...answer, results: answer.results.map(asResult) });
  });
  app.get("/api/timeline", async (context) => {
    const db = store();
    const query = context.req.query();
    const anchor = await anchorOf(db, query);
    const moment = anchor === null ? null : momentOf(db, anchor);
    if (!moment)
      throw new AppError(
        "not_found",
        anchor === null ? "Nothing fits the query." : `Observation #${anchor} not found`,
      );
    const [before, after] = [
      numberOf(query, "depth_before", 10, 100),
      numberOf(query, "depth_after", 10, 100),
    ];
    const items = itemsAround(db, moment, before, after).map(({ at, ...item }) => ({
      ...item,
      created_at: new Date(at).toISOString(),
      created_at_epoch: at,
    }));
    return context.json({ anchor, items });
  });
  app.post("/api/context/semantic", async (context) => {
    const body = await fieldsOf(context.req);
    const { q, exclude } = body;
    if (typeof q !== "string") throw new AppError("invalid", "q must be a text.");
    const db = store();
    const project = projectIn(db, body);
    const limit = numberOf(body, "limit", 5, 20);
    const told = new Set(Array.isArray(exclude) ? exclude.map(Number) : []);
    const ids =
      project === null ? [] : recallFor(db, { prompt: q, project, exclude: told, limit, now: Date.now() });
    return context.json({ context: redactSecrets(promptContext(db, ids)), count: ids.length, ids });
  });
}

type Words = Record<string, unknown>;

/** By key, as our own programs give it, or by shown name; `null` where none is given. */
function projectIn(db: Db, given: Words): number | null {
  const { project_key: key, project: name } = given;
  // A project that nothing is remembered of has nothing to be found: no row has this id.
  if (typeof key === "string" && key !== "") return findProject(db, key)?.id ?? 0;
  if (typeof name !== "string" || name === "") return null;
  const found = findProjectsByName(db, name)[0];
  if (!found) throw new AppError("not_found", `No project named ${name.slice(0, 100)} is remembered.`);
  return found.id;
}

const KINDS = ["observation", "summary", "prompt"] as const;
const PLURALS = { observation: "observations", summary: "summaries", prompt: "prompts" };

function requestOf(db: Db, given: Record<string, string>): SearchRequest {
  const list = (name: string) =>
    (given[name] ?? "")
      .split(",")
      .map((one) => one.trim())
      .filter(Boolean);
  const kinds = KINDS.filter((kind) => list("type").some((one) => one === kind || one === PLURALS[kind]));
  const order = given.orderBy ?? given.order;
  return {
    query: given.query ?? "",
    project: projectIn(db, given),
    ...(kinds.length > 0 ? { kinds } : {}),
    types: list("obs_type"),
    concepts: list("concept"),
    file: given.file || null,
    from: timeOf(given, "from"),
    to: timeOf(given, "to"),
    limit: numberOf(given, "limit", 20, 100),
    offset: numberOf(given, "offset", 0, 100_000),
    order:
      order === "date_desc" || order === "newest"
        ? "newest"
        : order === "date_asc" || order === "oldest"
          ? "oldest"
          : "relevance",
  };
}

/** ISO 8601, or Unix milliseconds. */
function timeOf(given: Words, name: string): number | null {
  const value = given[name];
  if (value === undefined || value === "") return null;
  const at = /^\d{9,15}$/.test(String(value)) ? Number(value) : Date.parse(String(value));
  if (!Number.isFinite(at)) throw new AppError("invalid", `${name} must be a date such as 2026-01-31.`);
  return at;
}

async function anchorOf(db: Db, given: Record<string, string>): Promise<number | null> {
  if (given.anchor) {
    const id = Number(given.anchor.replace(/^#/, ""));
    if (!Number.isSafeInteger(id) || id < 1)
      throw new AppError("invalid", "anchor must be an observation number.");
    return id;
  }
  if (!given.query) throw new AppError("invalid", "Give an anchor or a query.");
  const request = { ...requestOf(db, given), kinds: ["observation"] as const, limit: 1, offset: 0 };
  return (await search(db, request)).results[0]?.id ?? null;
}

function asResult({ at, project, session, ...rest }: SearchResult): Record<string, unknown> {
  return {
    ...rest,
    title: redactSecrets(rest.title),
    snippet: redactSecrets(rest.snippet),
    project: project?.name ?? null,
    session_db_id: session,
    created_at: new Date(at).toISOString(),
    created_at_epoch: at,
  };
}
