/** What the long-lived processes hold of memory, and that an idle worker does nothing. Linux: it is read from /proc. */
import { readFileSync } from "node:fs";
import { commandFor } from "../src/process/spawn.ts";
import { fillSpool } from "./fill.ts";
import { postToolUse } from "./payloads.ts";
import { atMost, createReport, figure, type Report } from "./report.ts";
import { makeScratch, type Scratch } from "./scratch.ts";
import { settle, startWorker } from "./worker-process.ts";

const EVENTS = 50_000;
const HOOK_CALLS = 500;
const IDLE_S = 20;
/** For the runtime to come to rest after what went before. */
const CALM_MS = 3_000;

export async function benchMemory(): Promise<Report> {
  if (process.platform !== "linux") throw new Error("This bench reads /proc: it runs on Linux alone.");
  const report = createReport("memory");
  const scratch = makeScratch("memory");
  try {
    const waiting = emptyProgram(scratch);
    const worker = await startWorker(scratch, scratch.paths);
    await Bun.sleep(CALM_MS);
    const empty = megabytes(waiting.pid);
    const idle = megabytes(worker.pid);
    const mcp = await mcpServer(scratch);
    await settle(scratch.paths);
    await Bun.sleep(CALM_MS);
    const before = [ticks(worker.pid), ticks(waiting.pid)] as const;
    await Bun.sleep(IDLE_S * 1_000);
    const used = ticks(worker.pid) - before[0];
    const usedEmpty = ticks(waiting.pid) - before[1];
    await waiting.end();
    fillSpool(scratch.paths, scratch.project, 0, EVENTS);
    await settle(scratch.paths);
    const busy = megabytes(worker.pid);
    const peak = megabytes(worker.pid, "VmHWM");
    await worker.stop();
    tell(report, { empty, idle, busy, peak, mcp });
    tellIdle(report, used, usedEmpty);
    return report;
  } finally {
    await scratch.dispose();
  }
}

type Megabytes = {
  empty: number;
  idle: number;
  busy: number;
  peak: number;
  mcp: { before: number; after: number };
};

function tell(report: Report, of: Megabytes): void {
  const rows: [string, number][] = [
    ["Bun that does nothing", of.empty],
    ["worker, idle", of.idle],
    [`worker after ${EVENTS} events`, of.busy],
    ["worker at its highest", of.peak],
    ["MCP server, before the first call", of.mcp.before],
    [`MCP server after ${HOOK_CALLS} hook calls`, of.mcp.after],
  ];
  report.tables.push({
    title: "resident memory, MB",
    head: ["process", "MB", "x empty"],
    rows: rows.map(([name, size]) => [name, size, size / of.empty]),
  });
  figure(report, "empty MB", of.empty);
  figure(report, "worker peak MB", of.peak);
  figure(report, "MCP before MB", of.mcp.before);
  atMost(report, "worker idle MB", of.idle, 80);
  atMost(report, "worker after events MB", of.busy, 150);
  atMost(report, "MCP MB", of.mcp.after, 60);
}

function tellIdle(report: Report, used: number, usedEmpty: number): void {
  report.notes.push(
    `CPU of the idle worker in ${IDLE_S} s: ${used} ticks (of a Bun that does nothing: ${usedEmpty}).`,
  );
  figure(report, "idle ticks of an empty Bun", usedEmpty);
  atMost(report, "idle ticks", used, 2);
}

/** `VmRSS` (now) or `VmHWM` (its highest ever) of proc(5). */
function megabytes(pid: number, field: "VmRSS" | "VmHWM" = "VmRSS"): number {
  const status = readFileSync(`/proc/${pid}/status`, "utf8");
  return Number(new RegExp(`^${field}:\\s+(\\d+)`, "m").exec(status)?.[1]) / 1_024;
}

/** proc(5): utime and stime, fields 14 and 15, counted after the command name; 100 a second. */
function ticks(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return Number(fields[11]) + Number(fields[12]);
}

/** A Bun whose program only waits, for scale. */
function emptyProgram(scratch: Scratch): { pid: number; end: () => Promise<unknown> } {
  const words = commandFor(scratch.programs, "worker").slice(0, -1);
  const child = Bun.spawn([...words, "-e", "setInterval(() => {}, 5000)"], { env: scratch.env });
  const end = () => {
    child.kill("SIGKILL");
    return child.exited;
  };
  return { pid: child.pid, end };
}

/** The MCP server, asked over its pipes as a host does: each call waits for the answer to the one before. */
async function mcpServer(scratch: Scratch): Promise<{ before: number; after: number }> {
  const child = Bun.spawn([...commandFor(scratch.programs, "mcp"), "claude-code"], {
    env: scratch.env,
    cwd: scratch.project,
    stdin: "pipe",
    stdout: "pipe",
    stderr: "ignore",
  });
  const answers = linesOf(child.stdout);
  const send = (message: Record<string, unknown>) => {
    child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
    child.stdin.flush();
  };
  const clientInfo = { name: "bench", version: "1" };
  const params = { protocolVersion: "2025-06-18", capabilities: {}, clientInfo };
  send({ id: 0, method: "initialize", params });
  await answers.next();
  send({ method: "notifications/initialized" });
  await Bun.sleep(500);
  const before = megabytes(child.pid);
  for (let call = 1; call <= HOOK_CALLS; call += 1) {
    const payload = JSON.parse(postToolUse({ sessionId: "bench", cwd: scratch.project, call, bytes: 2_000 }));
    // The host fills its templates with text: what is structured comes as JSON.
    const input = Object.entries(payload).map(([key, value]) => [
      key,
      typeof value === "string" ? value : JSON.stringify(value),
    ]);
    send({ id: call, method: "tools/call", params: { name: "hook", arguments: Object.fromEntries(input) } });
    const answer = await answers.next();
    if (!String(answer.value).includes('"content"'))
      throw new Error(`The hook tool answered ${answer.value}.`);
  }
  const after = megabytes(child.pid);
  child.stdin.end();
  await child.exited;
  return { before, after };
}

async function* linesOf(stream: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  let rest = "";
  const decoder = new TextDecoder();
  for await (const chunk of stream) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split("\n");
    rest = lines.pop() ?? "";
    yield* lines;
  }
}
