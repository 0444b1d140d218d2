/** The only place that prints. Colours and progress only where a person looks. */
import { styleText } from "node:util";

type Style = Parameters<typeof styleText>[0];

export type Printer = {
  line: (text?: string) => void;
  error: (text: string) => void;
  json: (value: unknown) => void;
  /** The text in a style, where the terminal shows styles. */
  style: (style: Style, text: string) => string;
  /** Runs the work; after a moment, and on a terminal alone, says that it goes on. */
  during: <T>(what: string, work: () => Promise<T>) => Promise<T>;
};

/** Longer than this is long enough to wonder. */
const SHOW_AFTER_MS = 600;

export function createPrinter(): Printer {
  const colours = process.stdout.isTTY === true && !process.env.NO_COLOR && process.env.TERM !== "dumb";
  const write = (text: string) => process.stdout.write(text);
  return {
    line: (text = "") => write(`${text}\n`),
    error: (text) => process.stderr.write(`${text}\n`),
    json: (value) => write(`${JSON.stringify(value, null, 2)}\n`),
    style: (style, text) => (colours ? styleText(style, text, { validateStream: false }) : text),
    during: async (what, work) => {
      if (process.stderr.isTTY !== true) return work();
      let shown = false;
      const started = Date.now();
      const tick = setInterval(() => {
        const seconds = Math.floor((Date.now() - started) / 1_000);
        if (Date.now() - started < SHOW_AFTER_MS) return;
        shown = true;
        process.stderr.write(`\r\u001b[K${what} … ${seconds} s`);
      }, 200);
      try {
        return await work();
      } finally {
        clearInterval(tick);
        if (shown) process.stderr.write("\r\u001b[K");
      }
    },
  };
}
