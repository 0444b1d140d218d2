/** Made-up hook payloads and events of the sizes and kinds that sessions have. */

import { eventKey } from "../src/capture/key.ts";
import type { EventBody, EventKind, SessionEvent } from "../src/core/event.ts";
import { FILES } from "./scratch.ts";

const CODE = [
  "export function priceOf(order: Order, rates: Rates): Money {",
  "  const base = order.lines.reduce((sum, line) => sum + line.amount * line.price, 0);",
  "  if (order.customer.country !== rates.country) return exported(base, rates);",
  "  // The discount comes before the tax: the ledger expects it so.",
  "  return { amount: Math.round(base * (1 - order.discount) * rates.vat), currency: rates.currency };",
  "}",
  "",
].join("\n");

/** Code-like text of exactly `length` characters; other text for another `seed`. */
function codeOf(length: number, seed: number): string {
  const block = CODE.replaceAll("base", `base${seed}`);
  return block.repeat(Math.ceil(length / block.length)).slice(0, length);
}

/** What a host pipes into a PostToolUse hook for a Read, about `bytes` long. */
export function postToolUse(at: { sessionId: string; cwd: string; call: number; bytes: number }): string {
  const file = `${at.cwd}/${FILES[at.call % FILES.length]}`;
  return JSON.stringify({
    session_id: at.sessionId,
    transcript_path: `${at.cwd}/../transcript.jsonl`,
    cwd: at.cwd,
    permission_mode: "default",
    hook_event_name: "PostToolUse",
    tool_name: "Read",
    tool_input: { file_path: file },
    tool_response: {
      type: "text",
      file: {
        filePath: file,
        content: codeOf(Math.max(0, at.bytes - 700), at.call),
        numLines: 60,
        startLine: 1,
        totalLines: 60,
      },
    },
    tool_use_id: `toolu_bench_${at.call}`,
    duration_ms: 12,
  });
}

/** What a host pipes into a SessionStart hook. */
export function sessionStart(sessionId: string, cwd: string): string {
  return JSON.stringify({
    session_id: sessionId,
    transcript_path: `${cwd}/../transcript.jsonl`,
    cwd,
    hook_event_name: "SessionStart",
    source: "startup",
    model: "claude-opus-4-8",
  });
}

/** Events of one turn: a prompt, eight tool calls, the end. */
const TURN = 10;
/** Turns of one session. */
const TURNS = 20;

/**
 * The `index`-th of an endless row of events: sessions of twenty turns, turns of ten events, each event about 2 KB.
 * The same index always gives the same event.
 */
export function eventOf(index: number, project: string): SessionEvent {
  const turn = Math.floor(index / TURN);
  const step = index % TURN;
  const [kind, body] = stepOf(index, step, project);
  const event: SessionEvent = {
    v: 1,
    kind,
    key: "",
    host: "claude-code",
    sessionId: `bench-${Math.floor(turn / TURNS)}`,
    at: Date.UTC(2026, 0, 1) + index * 1_000,
    project: { key: project, name: "shop", worktree: null, root: project },
    cwd: project,
    transcriptPath: null,
    promptId: `prompt-${turn}`,
    agentId: null,
    agentType: null,
    hostPid: null,
    via: "hook",
    body,
  };
  return { ...event, key: eventKey(event) };
}

function stepOf(index: number, step: number, project: string): [EventKind, EventBody] {
  if (step === 0)
    return [
      "prompt",
      { prompt: `Make order ${index} take the discount before the tax. ${codeOf(400, index)}` },
    ];
  if (step === TURN - 1)
    return [
      "turn_end",
      { message: `Done: the discount of ${index} comes first. ${codeOf(900, index)}`, summarize: true },
    ];
  const file = `${project}/${FILES[index % FILES.length]}`;
  const toolUseId = `toolu_bench_${index}`;
  switch (step % 4) {
    case 0:
      return ["tool", { tool: "Edit", toolUseId, ...editOf(file, index) }];
    case 1:
      return [
        "tool",
        {
          tool: "Bash",
          toolUseId,
          input: { command: `npm test -- module-${index}` },
          response: { stdout: codeOf(2_200, index), stderr: "", interrupted: false },
        },
      ];
    default:
      return [
        "tool",
        {
          tool: "Read",
          toolUseId,
          input: { file_path: file },
          response: { type: "text", file: { filePath: file, content: codeOf(1_900, index) } },
        },
      ];
  }
}

function editOf(file: string, index: number): Pick<EventBody, "input" | "response"> {
  const [before, after] = [codeOf(500, index), codeOf(520, index + 1)];
  return {
    input: { file_path: file, old_string: before, new_string: after },
    response: {
      filePath: file,
      structuredPatch: [
        {
          oldStart: 1,
          oldLines: 6,
          newStart: 1,
          newLines: 6,
          lines: [
            ...before.split("\n").map((line) => `-${line}`),
            ...after.split("\n").map((line) => `+${line}`),
          ],
        },
      ],
    },
  };
}
