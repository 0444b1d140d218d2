/** From what a host says to what may be kept: project, time and key added, private parts and secrets removed. */
import type { ProjectRef, SessionEvent } from "../core/event.ts";
import type { HostEvent } from "../hosts/host.ts";
import { redactEvent } from "../privacy/redact.ts";
import { isWhollyPrivate } from "../privacy/tags.ts";
import { eventKey } from "./key.ts";

/** What the product adds to a host's event. */
export type Circumstances = {
  host: string;
  /** Unix milliseconds. */
  at: number;
  project: ProjectRef | null;
  hostPid: number | null;
  via: SessionEvent["via"];
};

/** The host's event as it may be written to disk. The same happening gets the same key through every door. */
export function completeEvent(happened: HostEvent, added: Circumstances): SessionEvent {
  const prompt = happened.body.prompt;
  const body =
    prompt !== undefined && isWhollyPrivate(prompt) ? { prompt: "", private: true } : happened.body;
  const { projectDir: _, ...rest } = happened;
  const event = redactEvent({ ...rest, ...added, v: 1, key: "", body });
  // Keyed after redaction: a key is kept, so it must not be a hash of what is not.
  return { ...event, key: eventKey(event) };
}
