/** The payload of a hook that the host hands over as a tool call. */

/** Name of the tool hooks call. It is not listed: the model neither sees nor needs it. */
export const HOOK_TOOL = "hook";

/** Filled by the host's templates with JSON text. */
const STRUCTURED = ["tool_input", "tool_response"] as const;

/**
 * The payload as the hook program would read it. The host fills every template with text: a missing field with
 * "", anything structured with its JSON.
 */
export function payloadOf(input: Record<string, unknown>): Record<string, unknown> {
  const payload = Object.fromEntries(Object.entries(input).filter(([, value]) => value !== ""));
  for (const name of STRUCTURED) {
    const text = payload[name];
    if (typeof text !== "string" || !/^\s*[[{]/.test(text)) continue;
    try {
      payload[name] = JSON.parse(text);
    } catch {
      // A text that only begins like JSON stays the text it is.
    }
  }
  return payload;
}
