/** Environment variables that switch the product off. */

/** Set for every process of ours, so that an agent that we start is never observed by us. */
export const CHILD_MARKER = "THROUGHLINE_CHILD";
/** The user's switch for one session or one shell. */
const OFF_SWITCH = "THROUGHLINE_OFF";

/** Whether the environment alone says to do nothing. */
export function isSwitchedOff(env: Record<string, string | undefined>): boolean {
  return isSet(env[CHILD_MARKER]) || isSet(env[OFF_SWITCH]);
}

function isSet(value: string | undefined): boolean {
  return value !== undefined && value !== "" && value !== "0" && value !== "false";
}
