import type { Answer, Host } from "../host.ts";
import { isHostMemory, ownDirs, parse } from "./parse.ts";

/** Events whose answer may carry context for the model, by Claude Code's own validation. */
const TAKES_CONTEXT = new Set(["SessionStart", "UserPromptSubmit", "PreToolUse"]);
/**
 * Events at which a `systemMessage` reaches the user alone. The answer of an asynchronous hook goes to the model
 * instead, so the events that may be registered so are not here.
 */
const MAY_SPEAK = new Set(["SessionStart", "UserPromptSubmit", "Setup"]);

export const claudeCode: Host = {
  name: "claude-code",
  maySpeak: (event) => MAY_SPEAK.has(event),
  parse,
  reply,
  sessionOf: (env) => env.CLAUDE_CODE_SESSION_ID || null,
  ownDirs,
  isHostMemory,
};

function reply(event: string, answer: Answer): string {
  const out: Record<string, unknown> = {};
  if (answer.context && TAKES_CONTEXT.has(event)) {
    out.hookSpecificOutput = { hookEventName: event, additionalContext: answer.context };
  }
  // Without a refusal never a decision: `allow` would skip the user's own permission prompt.
  if (answer.refusal && event === "PreToolUse") {
    out.hookSpecificOutput = {
      hookEventName: event,
      permissionDecision: "deny",
      permissionDecisionReason: answer.refusal,
    };
  }
  if (answer.notice && MAY_SPEAK.has(event)) out.systemMessage = answer.notice;
  return JSON.stringify(out);
}
