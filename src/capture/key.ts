/** Idempotency keys: the same happening gets the same key through every door and at every replay. */
import type { SessionEvent } from "../core/event.ts";
import { hashText } from "../env/hash.ts";

/**
 * Two deliveries of one happening come within moments of each other. Where a host gives nothing to tell them from
 * a repetition by the user, this window decides.
 */
const SAME_HAPPENING_MS = 10_000;

/** The key of a redacted event (`key` itself is not read): by the host's tool call or prompt id, else by content. */
export function eventKey(event: SessionEvent): string {
  const { at, host, body, promptId, agentId } = event;
  const parts = ((): string[] => {
    switch (event.kind) {
      case "tool":
      case "tool_failure":
        if (body.toolUseId) return ["tool", body.toolUseId];
        return [
          "tool",
          hashText(JSON.stringify([promptId, agentId, body.tool, body.input, body.response, body.error])),
        ];
      case "prompt":
        return ["prompt", promptId ?? window(at), hashText(body.prompt ?? "")];
      case "session_start":
      case "session_end":
        return [event.kind, body.reason ?? "", window(at)];
      default:
        return [
          event.kind,
          promptId ?? window(at),
          agentId ?? "",
          hashText([body.reason, body.error, body.message].join("\n")),
        ];
    }
  })();
  return [host, event.sessionId, ...parts].join(":");
}

function window(at: number): string {
  return String(Math.floor(at / SAME_HAPPENING_MS));
}
