/** What is told with a prompt. */
import { cutText } from "../core/text.ts";
import { observationsById } from "../store/observations.ts";
import type { Db } from "../store/open.ts";
import { neutral } from "./neutral.ts";
import { CLOSE, OPEN } from "./render.ts";
import { dayOf } from "./select.ts";

const TITLE_MAX = 160;
const FILES_SHOWN = 3;

/** The memories with these ids as text, in this order; "" for none. */
export function promptContext(db: Db, ids: readonly number[]): string {
  const rows = observationsById(db, ids);
  if (rows.length === 0) return "";
  const lines = rows.map((row) => {
    const title = cutText(neutral(row.title), TITLE_MAX);
    const files = [...row.filesModified, ...row.filesRead]
      .filter((path) => !title.includes(path.split("/").at(-1) ?? path))
      .slice(0, FILES_SHOWN)
      .map((path) => cutText(neutral(path), 80));
    const mark = row.hypothesis ? " (unconfirmed)" : "";
    return `- #${row.id} ${dayOf(row.at)} ${neutral(row.type)}${mark}: ${title}${files.length > 0 ? ` [${files.join(", ")}]` : ""}`;
  });
  return [
    OPEN,
    "Notes from earlier sessions that may bear on this prompt; dated, to verify. In full: get_observations([ids]).",
    ...lines,
    CLOSE,
  ].join("\n");
}
