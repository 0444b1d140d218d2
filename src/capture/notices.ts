/** What the user hears of us, in one line, where the host lets it reach nobody else. */
import type { SessionEvent } from "../core/event.ts";
import type { Paths } from "../env/paths.ts";
import type { Settings } from "../env/settings.ts";
import { captureNotice, type LastSession } from "./last-session.ts";
import { brokenNotice, noteFailuresTold, takeBroken, takeFailureNotice } from "./trouble.ts";

export type NoticeParts = {
  paths: Paths;
  settings: () => Settings;
  /** What is known of the project's last session that began before `before` (Unix ms). */
  lastSession: (projectKey: string, before: number) => LastSession | null;
  /** One sentence when programs and plugin do not fit together. */
  guard: () => string | null;
  /** Why the worker could not start, where it could not. */
  workerTrouble: () => string | null;
};

/** What the user should hear, in one line; `undefined` for nothing. */
export function notices(
  parts: NoticeParts,
  eventName: string,
  failure: string | null,
  event?: SessionEvent,
): string | undefined {
  const starts = eventName === "SessionStart";
  const said: (string | null)[] = [];
  if (starts) {
    said.push(parts.guard());
    const trouble = parts.workerTrouble();
    if (trouble) {
      said.push(
        `Throughline's worker cannot start (${trouble}): events wait and nothing new is remembered. Run \`npx throughline doctor\`.`,
      );
    }
    const begins = event?.body.reason === "startup" || event?.body.reason === "clear";
    const last = begins && event.project ? parts.lastSession(event.project.key, event.at) : null;
    const broken = takeBroken(parts.paths);
    said.push(brokenNotice(broken, last?.toolCalls ?? null) ?? captureNotice(last?.capture ?? null));
    if (failure) {
      noteFailuresTold(parts.paths);
      said.push(
        `Throughline cannot write to ${parts.paths.data} (${failure}): this session is not remembered. Run \`npx throughline doctor\`.`,
      );
    }
  }
  if (!(starts && failure)) {
    said.push(takeFailureNotice(parts.paths, parts.settings().CLAUDE_MEM_HOOK_FAIL_LOUD_THRESHOLD));
  }
  return said.filter((line) => line !== null).join(" ") || undefined;
}
