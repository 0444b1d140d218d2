/** LoCoMo: which turns of long conversations answer a question. Turn and session level, categories 1 to 4. */
import { locomo } from "./conversations.ts";
import { anySession, askAll, recall10 } from "./questions.ts";
import { atLeast, createReport, figure, type Report } from "./report.ts";
import { dataFolder } from "./sessions.ts";
import { percentile } from "./stats.ts";

const KINDS = { 1: "multi-hop", 2: "temporal", 3: "open-domain", 4: "single-hop" } as const;

export async function benchLocomo(): Promise<Report> {
  const report = createReport("locomo");
  const file = dataFolder();
  if (!file) return report;
  const answers = (await askAll(locomo(file))).filter((one) => one.question.kind in KINDS);
  report.tables.push({
    title: `${answers.length} questions; turns, fractional recall among the first 10, percent`,
    head: ["category", "n", "plain BM25", "ours"],
    rows: [
      ...Object.entries(KINDS).map(([kind, name]) => {
        const of = answers.filter((one) => one.question.kind === kind);
        return [name, of.length, recall10(of, "plain"), recall10(of, "ours")];
      }),
      ["all", answers.length, recall10(answers, "plain"), recall10(answers, "ours")],
    ],
  });
  report.tables.push({
    title: "sessions, percent",
    head: ["", "plain BM25", "ours"],
    rows: [1, 5, 10].map((k) => [
      `any among the first ${k}`,
      anySession(k, answers, "plainSessions"),
      anySession(k, answers, "sessions"),
    ]),
  });
  atLeast(report, "turns R@10, words alone", recall10(answers, "ours"), 74);
  atLeast(report, "sessions Hit@1", anySession(1, answers, "sessions"), 75.2);
  atLeast(report, "sessions any@10", anySession(10, answers, "sessions"), 97.6);
  figure(report, "turns R@10, plain BM25", recall10(answers, "plain"));
  figure(
    report,
    "search ms p95",
    percentile(
      answers.map((one) => one.ms),
      95,
    ),
  );
  report.notes.push(
    "A turn is kept as an observation by hand (the speaker its title, a picture's caption its subtitle), each conversation a project of its own; the questions go through the same search as every door.",
  );
  return report;
}
