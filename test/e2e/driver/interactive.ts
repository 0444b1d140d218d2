import type { HostHome } from "./host.ts";
import { pluginArgs } from "./print.ts";
import { createScreen } from "./screen.ts";
import { signal } from "./strays.ts";

export type InteractiveOptions = {
  cwd?: string;
  args?: string[];
  env?: Record<string, string>;
  pluginDir?: string | string[];
  cols?: number;
  rows?: number;
};

export type Key = "enter" | "escape" | "tab" | "up" | "down" | "ctrl-c" | "ctrl-d";

export type Interactive = {
  pid: number;
  /** Everything on the screen now, and what scrolled off it. */
  screen(): string;
  type(text: string): Promise<void>;
  press(key: Key): Promise<void>;
  /** Types the text and presses enter. */
  submit(text: string): Promise<void>;
  /** Resolves with the screen once it holds the text; rejects with the screen after `timeoutMs` (30 000). */
  waitFor(wanted: string | RegExp, timeoutMs?: number): Promise<string>;
  exited: Promise<number>;
  /** Ends the program, by SIGTERM and after three seconds by SIGKILL. */
  stop(): Promise<void>;
};

const KEYS: Record<Key, string> = {
  enter: "\r",
  escape: "\x1b",
  tab: "\t",
  up: "\x1b[A",
  down: "\x1b[B",
  "ctrl-c": "\x03",
  "ctrl-d": "\x04",
};
/** On the screen once the program takes prompts. */
export const READY = "bypass permissions on";
const WAIT_MS = 30_000;
const LOOK_EVERY_MS = 50;
/** Keys that arrive together with text are taken as one paste, and an enter in a paste does not submit. */
const KEY_PAUSE_MS = 250;
const TERM_GRACE_MS = 3_000;

async function waitFor(screen: () => string, wanted: string | RegExp, timeoutMs: number): Promise<string> {
  const deadline = performance.now() + timeoutMs;
  for (;;) {
    const text = screen();
    if (typeof wanted === "string" ? text.includes(wanted) : wanted.test(text)) return text;
    if (performance.now() > deadline) throw new Error(`no ${wanted} after ${timeoutMs} ms on:\n${text}`);
    await Bun.sleep(LOOK_EVERY_MS);
  }
}

function spawn(home: HostHome, options: InteractiveOptions, write: (text: string) => void) {
  const { cols = 140, rows = 50, args = [] } = options;
  const decoder = new TextDecoder();
  const command = [home.claude, "--dangerously-skip-permissions", ...pluginArgs(options.pluginDir), ...args];
  return Bun.spawn(command, {
    cwd: options.cwd ?? home.projectDir,
    env: { ...home.env, ...options.env },
    terminal: { cols, rows, data: (_, bytes) => write(decoder.decode(bytes, { stream: true })) },
  });
}

/** Starts the program in a terminal of its own. It is ready for a prompt once `waitFor(READY)` resolves. */
export function startInteractive(home: HostHome, options: InteractiveOptions = {}): Interactive {
  const { cols = 140, rows = 50 } = options;
  const screen = createScreen(cols, rows);
  const child = spawn(home, options, screen.write);
  home.running.add(child.pid);
  const exited = child.exited.finally(() => home.running.delete(child.pid));
  const send = async (keys: string) => {
    child.terminal?.write(keys);
    await Bun.sleep(KEY_PAUSE_MS);
  };
  const session: Interactive = {
    pid: child.pid,
    screen: screen.text,
    type: send,
    press: (key) => send(KEYS[key]),
    submit: async (text) => {
      await send(text);
      await send(KEYS.enter);
    },
    waitFor: (wanted, timeoutMs = WAIT_MS) => waitFor(screen.text, wanted, timeoutMs),
    exited,
    stop: async () => {
      signal(child.pid, "SIGTERM");
      const timer = setTimeout(() => signal(child.pid, "SIGKILL"), TERM_GRACE_MS);
      await exited;
      clearTimeout(timer);
      child.terminal?.close();
    },
  };
  return session;
}
