/** Which session it was: the items found, taken together by session. */
import type { Scored } from "./fuse.ts";
import { SESSION } from "./weights.ts";

/** Sessions by what was found in them, best first; `scored` is best first. */
export function bestSessions(
  scored: readonly Scored[],
): { session: number; score: number; items: Scored[] }[] {
  const sessions = new Map<number, Scored[]>();
  for (const one of scored) {
    const { session } = one.doc;
    if (session === null) continue;
    const items = sessions.get(session);
    if (items) items.push(one);
    else sessions.set(session, [one]);
  }
  return [...sessions]
    .map(([session, items]) => ({
      session,
      items,
      score:
        SESSION.cover * (items[0]?.cover ?? 0) +
        items
          .slice(0, SESSION.counted)
          .reduce((sum, { score }, at) => sum + score * SESSION.further ** at, 0),
    }))
    .sort((one, other) => other.score - one.score || other.session - one.session);
}
