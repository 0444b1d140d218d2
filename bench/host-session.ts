/** One session of the real Claude Code against the fake API, timed at the API. */
import { type FakeApi, mainRequests, toolTurnLatencies } from "../test/e2e/driver/fake-api.ts";
import type { HostHome } from "../test/e2e/driver/host.ts";
import { pluginArgs } from "../test/e2e/driver/print.ts";
import { marker } from "../test/e2e/driver/script.ts";
import { waitUntil } from "../test/e2e/driver/wait-until.ts";

export type SessionTimes = {
  /** From the program's start to its first request: loading, SessionStart and UserPromptSubmit. */
  startMs: number;
  /** From each answer that calls a tool to the request with the result. */
  toolMs: number[];
  /** From handing a further prompt over to its request. */
  promptMs: number[];
};

const ARGS = [
  ..."-p --input-format stream-json --output-format stream-json --verbose".split(" "),
  "--dangerously-skip-permissions",
];

/** First prompt: follows `script`. Then `prompts` more, each answered in words. */
export async function timeSession(
  api: FakeApi,
  home: HostHome,
  options: { pluginDir: string | undefined; script: string; prompts: number },
): Promise<SessionTimes> {
  api.requests.length = 0;
  const startedAt = now();
  const session = openSession(home, options.pluginDir);
  try {
    session.say(`Look at the files. ${marker(options.script)}`);
    await session.turnsDone(1);
    const first = mainRequests(api)[0];
    const times: SessionTimes = {
      startMs: (first?.receivedAt ?? Number.NaN) - startedAt,
      toolMs: toolTurnLatencies(api),
      promptMs: [],
    };
    for (let prompt = 1; prompt <= options.prompts; prompt += 1) {
      const before = mainRequests(api).length;
      const at = now();
      session.say(`And what of case ${prompt}? ${marker("words")}`);
      await session.turnsDone(prompt + 1);
      times.promptMs.push((mainRequests(api)[before]?.receivedAt ?? Number.NaN) - at);
    }
    return times;
  } finally {
    await session.end();
  }
}

/** The program, taking prompts one after the other. */
function openSession(home: HostHome, pluginDir: string | undefined) {
  const child = Bun.spawn([home.claude, ...ARGS, ...pluginArgs(pluginDir)], {
    cwd: home.projectDir,
    env: home.env,
    stdin: "pipe",
    stdout: "pipe",
    stderr: "ignore",
  });
  const turns = countResults(child.stdout);
  return {
    say: (content: string) => {
      const message = { role: "user", content };
      const line = JSON.stringify({ type: "user", message, parent_tool_use_id: null, session_id: "" });
      child.stdin.write(`${line}\n`);
      child.stdin.flush();
    },
    turnsDone: (count: number) => waitUntil(() => (turns.done >= count ? true : null), `turn ${count}`),
    end: async () => {
      child.stdin.end();
      const timer = setTimeout(() => child.kill("SIGKILL"), 10_000);
      await child.exited;
      clearTimeout(timer);
    },
  };
}

function now(): number {
  return performance.timeOrigin + performance.now();
}

/** Counts the turns that the program's output says are over. */
function countResults(stream: ReadableStream<Uint8Array>): { done: number } {
  const turns = { done: 0 };
  const read = async () => {
    let rest = "";
    const decoder = new TextDecoder();
    for await (const chunk of stream) {
      const lines = (rest + decoder.decode(chunk, { stream: true })).split("\n");
      rest = lines.pop() ?? "";
      turns.done += lines.filter((line) => line.includes('"type":"result"')).length;
    }
  };
  read().catch(() => undefined);
  return turns;
}
