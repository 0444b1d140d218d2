/** BEAM: which messages of very long chats answer a question. */
import { beam } from "./conversations.ts";
import { askAll, recall10 } from "./questions.ts";
import { atLeast, createReport, figure, type Report } from "./report.ts";
import { dataFolder } from "./sessions.ts";

export async function benchBeam(): Promise<Report> {
  const report = createReport("beam");
  const folder = dataFolder();
  if (!folder) return report;
  const answers = await askAll(beam(folder));
  const kinds = [...new Set(answers.map((one) => one.question.kind))].sort();
  report.tables.push({
    title: `${answers.length} questions; messages, fractional recall among the first 10, percent`,
    head: ["kind", "n", "plain BM25", "ours"],
    rows: [...kinds, "all"].map((kind) => {
      const of = answers.filter((one) => kind === "all" || one.question.kind === kind);
      return [kind, of.length, recall10(of, "plain"), recall10(of, "ours")];
    }),
  });
  atLeast(report, "messages R@10", recall10(answers, "ours"), 45);
  figure(report, "messages R@10, plain BM25", recall10(answers, "plain"));
  return report;
}
