/**
 * What a coding agent's session consists of, in the product's own words. Every host adapter turns its
 * payloads into a `SessionEvent`; everything after the adapter knows only this shape.
 */

/** The kinds of event, in the order a turn usually produces them. */
export const EVENT_KINDS = [
  "session_start",
  "prompt",
  "tool",
  "tool_failure",
  "subagent_end",
  "compact_start",
  "compact_end",
  "turn_end",
  "turn_failure",
  "session_end",
] as const;

export type EventKind = (typeof EVENT_KINDS)[number];

/** Plain JSON, as it comes from a host and as it is stored. */
export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

/** Where an event happened; see `env/project.ts` for how it is found. */
export type ProjectRef = {
  /** Stable identity: an absolute path, or `name:<name>` where the user named it. */
  key: string;
  /** The name shown before it is made unique among projects. */
  name: string;
  /** The linked worktree's name, when the session runs in one. */
  worktree: string | null;
  /** The directory that file paths of this session are shown relative to. */
  root: string;
};

/** One normalised, redacted event. Also the exact content of a spool file. */
export type SessionEvent = {
  /** Spool format; raised when the shape changes. */
  v: 1;
  kind: EventKind;
  /** Idempotency key: the same happening always has the same key, through whichever door it comes. */
  key: string;
  /** Which agent, e.g. `claude-code`. */
  host: string;
  /** The agent's own session id. */
  sessionId: string;
  /** Unix milliseconds at which the hook ran. */
  at: number;
  /** `null` where the directory belongs to no project (home, root, temporary directory). */
  project: ProjectRef | null;
  cwd: string | null;
  transcriptPath: string | null;
  /** The host's id of the prompt this belongs to, where it has one. */
  promptId: string | null;
  /** Set when it happened inside a subagent. */
  agentId: string | null;
  agentType: string | null;
  /** The process id of the agent, to tell later whether its session still lives. */
  hostPid: number | null;
  /** The branch checked out then, where it is known. */
  branch?: string | null;
  /** How it reached us. */
  via: "hook" | "mcp" | "http" | "transcript";
  /** The parts that depend on the kind. */
  body: EventBody;
};

/** Kind-dependent content; absent fields are simply not there. */
export type EventBody = {
  /** session_start: startup, resume, clear, compact, fork. session_end: the reason. compact: the trigger. */
  reason?: string;
  /** prompt: what the user wrote, private parts removed. */
  prompt?: string;
  /** prompt: wholly private, so the whole turn is not kept. */
  private?: boolean;
  tool?: string;
  toolUseId?: string;
  input?: Json;
  /** tool: the structured result. */
  response?: Json;
  /** tool_failure, turn_failure: what went wrong. */
  error?: string;
  interrupted?: boolean;
  durationMs?: number;
  /** turn_end, turn_failure, subagent_end: the assistant's closing words. compact_end: the summary. */
  message?: string;
  /** turn_end: whether a summary of the turn is wanted. */
  summarize?: boolean;
};
