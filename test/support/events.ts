/** Made-up events as they stand in the spool. */
import { eventKey } from "../../src/capture/key.ts";
import type { EventBody, EventKind, SessionEvent } from "../../src/core/event.ts";

export const T0 = Date.UTC(2026, 0, 1, 12);

/** An event of session `s1` of the project /srv/shop, keyed as the hook keys it. */
export function eventOf(
  kind: EventKind,
  body: EventBody = {},
  more: Partial<SessionEvent> = {},
): SessionEvent {
  const event: SessionEvent = {
    v: 1,
    kind,
    key: "",
    host: "claude-code",
    sessionId: "s1",
    at: T0,
    project: { key: "/srv/shop", name: "shop", worktree: null, root: "/srv/shop" },
    cwd: "/srv/shop",
    transcriptPath: null,
    promptId: null,
    agentId: null,
    agentType: null,
    hostPid: null,
    via: "hook",
    body,
    ...more,
  };
  return { ...event, key: more.key ?? eventKey(event) };
}

export function toolEvent(id: string, more: Partial<SessionEvent> = {}): SessionEvent {
  const body = { tool: "Bash", toolUseId: id, input: { command: `echo ${id}` }, response: { stdout: id } };
  return eventOf("tool", body, more);
}

export function promptEvent(prompt: string, more: Partial<SessionEvent> = {}): SessionEvent {
  return eventOf("prompt", { prompt }, more);
}
