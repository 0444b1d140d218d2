/** What a bench found: figures, the bars they are held against, and tables for people. */
import { rounded } from "./stats.ts";

export type Bar = { want: string; got: number; ok: boolean };
export type Table = {
  title: string;
  head: readonly string[];
  rows: readonly (readonly (string | number)[])[];
};

export type Report = {
  name: string;
  figures: Record<string, number>;
  bars: Record<string, Bar>;
  tables: Table[];
  notes: string[];
};

export function createReport(name: string): Report {
  return { name, figures: {}, bars: {}, tables: [], notes: [] };
}

/** Keeps a figure and answers it. */
export function figure(report: Report, name: string, value: number): number {
  report.figures[name] = rounded(value);
  return value;
}

/** Keeps a figure that must not be above `limit`. */
export function atMost(report: Report, name: string, value: number, limit: number): void {
  figure(report, name, value);
  report.bars[name] = { want: `<= ${limit}`, got: rounded(value), ok: value <= limit };
}

/** Keeps a figure that must not be below `limit`. */
export function atLeast(report: Report, name: string, value: number, limit: number): void {
  figure(report, name, value);
  report.bars[name] = { want: `>= ${limit}`, got: rounded(value), ok: value >= limit };
}

/** The report as text: its tables, then one line a bar. */
export function reportText(report: Report): string {
  const bars: Table = {
    title: "bars",
    head: ["figure", "want", "got", ""],
    rows: Object.entries(report.bars).map(([name, bar]) => [
      name,
      bar.want,
      bar.got,
      bar.ok ? "ok" : "MISSED",
    ]),
  };
  return [...report.tables, bars].map(tableText).concat(report.notes).join("\n\n");
}

/** The report as one line for programs. */
export function reportJson(report: Report): string {
  const { name, figures, bars } = report;
  return JSON.stringify({ name, figures, bars });
}

function tableText(table: Table): string {
  const lines = [table.head, ...table.rows].map((row) =>
    row.map((cell) => (typeof cell === "number" ? String(rounded(cell)) : cell)),
  );
  const widths = table.head.map((_, column) => Math.max(...lines.map((row) => row[column]?.length ?? 0)));
  const text = lines.map((row) =>
    row
      .map((cell, column) =>
        column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0),
      )
      .join("  ")
      .trimEnd(),
  );
  return [table.title, ...text.map((line) => `  ${line}`)].join("\n");
}
