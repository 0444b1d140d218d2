/** Remembered text beside a model's instructions: it must not be able to look like any part of them. */
import { oneLine } from "../core/text.ts";

/** Our own markers, the host's wrappers, and anything built like one (`<a-b>`, `<a_b>`, `<a:b>`). */
const TAG_LIKE =
  /<(?=\/?\s*(?:private|system|human|assistant|user|invoke|parameter|tool|result|[a-z]+[-_:][a-z])[\w:-]*)/gi;
const TURN_LIKE = /^(\W*)(human|assistant|user|system)(\s*:)/i;

/** The text on one line, with imitated markers, host tags and turns made harmless but still readable. */
export function neutral(text: string): string {
  return oneLine(text).replace(TAG_LIKE, "‹").replace(TURN_LIKE, "$1“$2”$3");
}
