/** What the product needs to know of a coding agent. One file or folder per agent implements it. */
import type { EventBody, EventKind } from "../core/event.ts";

/** One payload of a host in the product's words, before projects, privacy and keys. */
export type HostEvent = {
  kind: EventKind;
  sessionId: string;
  cwd: string | null;
  /** The directory the session was started for, where the host tells it. */
  projectDir: string | null;
  transcriptPath: string | null;
  promptId: string | null;
  agentId: string | null;
  agentType: string | null;
  body: EventBody;
};

/** What a payload asks of us. */
export type HostRequest =
  /** Something happened: keep it, and perhaps answer. */
  | { want: "keep"; event: HostEvent }
  /** Nothing to keep, but an answer may be wanted (a guard, a file about to be read). */
  | { want: "answer"; event: HostEvent | null }
  /** Nothing to do. `why` is for the log. */
  | { want: "nothing"; why: string };

/** What the handler has to say; the host's adapter turns it into the host's JSON. */
export type Answer = {
  /** For the model. */
  context?: string | undefined;
  /** Why the tool call is not to be made, for the model. */
  refusal?: string | undefined;
  /** One line for the user, never for the model. */
  notice?: string | undefined;
};

export type Host = {
  /** As it stands in commands and in the store, e.g. `claude-code`. */
  name: string;
  /** Whether a notice given with this event's answer reaches the user and nobody else. */
  maySpeak(event: string): boolean;
  /** What one payload of the event asks of us. Never throws. */
  parse(
    event: string,
    payload: Record<string, unknown>,
    env: Record<string, string | undefined>,
  ): HostRequest;
  /** The host's JSON for the answer; `{}` where there is nothing to say. */
  reply(event: string, answer: Answer): string;
  /** The running session's id, where the host tells its children. */
  sessionOf(env: Record<string, string | undefined>): string | null;
  /** Directories of the host's own that are never a project. */
  ownDirs(env: Record<string, string | undefined>): string[];
  /** Files in which the host keeps its own memory; tool calls on them are not captured. */
  isHostMemory(path: string): boolean;
};
