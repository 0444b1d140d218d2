/** What a starting session tells its user about how well the last one was captured. */

/** Prompts and tool calls of a session. */
export type CaptureCounts = {
  /** Shown by the session's transcript. */
  expected: number;
  /** Of these, kept. */
  captured: number;
  /** Of these, delivered by hooks. */
  byHooks: number;
  /** Whether any hook of the session ran at all. */
  hooked: boolean;
};

export type LastSession = {
  /** How many tool calls are kept. */
  toolCalls: number;
  /** `null` where no transcript of it has been read. */
  capture: CaptureCounts | null;
};

/** A call that the user interrupts has no hook: a few missed ones are no fault. */
const MISSED_FEW = 3;
const MISSED_SHARE = 0.1;

/** One line where something is wrong; `null` for a session that is all there and came through the hooks. */
export function captureNotice(capture: CaptureCounts | null): string | null {
  if (!capture) return null;
  const { expected, captured, byHooks, hooked } = capture;
  if (captured < expected) {
    return `Throughline kept ${captured} of the ${expected} prompts and tool calls in the last session's transcript — run \`npx throughline doctor\`.`;
  }
  const missed = expected - byHooks;
  if (!hooked || missed <= MISSED_FEW || missed <= expected * MISSED_SHARE) return null;
  return `Throughline's hooks missed ${missed} of ${expected} prompts and tool calls of the last session; they were found in its transcript. If this goes on, run \`npx throughline doctor\`.`;
}
