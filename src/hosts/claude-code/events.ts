/**
 * The hooks of Claude Code that the plugin registers. Both manifests (with the MCP server, and with commands alone) are
 * made from this one table.
 */

export type HookRow = {
  event: string;
  /** Absent: every occurrence. */
  matcher?: string;
  /**
   * `mcp`: called in the plugin's MCP server where the host can, else a process; `mcp-only`: not worth a process;
   * `command`: always a process.
   */
  door: "mcp" | "mcp-only" | "command";
  /** As a command: may the host go on without waiting? Never where the answer or the end of the run matters. */
  async?: boolean;
  /** Seconds the host waits at most. */
  timeout: number;
  /** Payload fields handed to the MCP server beside the common ones. */
  fields?: readonly string[];
};

const TOOL_FIELDS = ["tool_name", "tool_input", "tool_use_id"] as const;

export const HOOKS: readonly HookRow[] = [
  { event: "Setup", door: "command", timeout: 10 },
  { event: "SessionStart", matcher: "startup|clear|compact|resume|fork", door: "command", timeout: 15 },
  { event: "UserPromptSubmit", door: "mcp", timeout: 5, fields: ["prompt"] },
  { event: "PreToolUse", matcher: "Read", door: "mcp-only", timeout: 2, fields: TOOL_FIELDS },
  {
    event: "PostToolUse",
    matcher: "*",
    door: "mcp",
    async: true,
    timeout: 10,
    fields: [...TOOL_FIELDS, "tool_response", "duration_ms"],
  },
  {
    event: "PostToolUseFailure",
    matcher: "*",
    door: "mcp",
    async: true,
    timeout: 10,
    fields: [...TOOL_FIELDS, "error", "is_interrupt", "duration_ms"],
  },
  {
    event: "SubagentStop",
    door: "mcp",
    async: true,
    timeout: 10,
    fields: ["last_assistant_message", "agent_transcript_path", "stop_hook_active"],
  },
  { event: "PreCompact", door: "mcp", timeout: 10, fields: ["trigger", "custom_instructions"] },
  { event: "PostCompact", door: "mcp", timeout: 10, fields: ["trigger", "compact_summary"] },
  { event: "Stop", door: "mcp", timeout: 10, fields: ["last_assistant_message", "stop_hook_active"] },
  {
    event: "StopFailure",
    door: "mcp",
    timeout: 10,
    fields: ["error", "error_details", "last_assistant_message"],
  },
  { event: "SessionEnd", door: "command", timeout: 5, fields: ["reason"] },
];

/** Fields that every payload may have. */
export const COMMON_FIELDS = [
  "session_id",
  "transcript_path",
  "cwd",
  "hook_event_name",
  "prompt_id",
  "agent_id",
  "agent_type",
] as const;
