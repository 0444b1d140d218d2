/** From a commit's subject to the session that made it, over what the local compressor made of recorded sessions. */
import { searchSessions } from "../src/search/search.ts";
import { plainBm25 } from "./plain.ts";
import { anyAt, meanPercent } from "./recall.ts";
import { recordedStore } from "./recorded-store.ts";
import { atLeast, createReport, figure, type Report } from "./report.ts";
import { commitSubjects, dataFolder, eventsOf, recordedSessions } from "./sessions.ts";

export async function benchCommits(): Promise<Report> {
  const report = createReport("commits");
  const data = dataFolder();
  if (!data) return report;
  const { db, now, dispose } = recordedStore(data);
  const rows = db.query("select id, session_id as name from sessions").all() as {
    id: number;
    name: string;
  }[];
  const names = new Map(rows.map((row) => [row.id, row.name]));
  const plain = plainBm25(
    recordedSessions(data).map((session) => ({
      id: session.id,
      text: eventsOf(data, session)
        .map((event) => event.body.prompt ?? event.body.message ?? "")
        .join("\n"),
    })),
  );
  const wanted = new Map<string, string[]>();
  for (const [session, subjects] of commitSubjects(data))
    for (const subject of subjects) wanted.set(subject, [...(wanted.get(subject) ?? []), session]);
  const answers: { ours: string[]; plain: string[]; wanted: string[] }[] = [];
  for (const [subject, sessions] of wanted) {
    const found = await searchSessions(db, {
      query: subject,
      kinds: ["observation", "summary"],
      limit: 20,
      now,
    });
    answers.push({
      ours: found.sessions.flatMap(({ session }) => names.get(session) ?? []),
      plain: plain.rank(subject, 20),
      wanted: sessions,
    });
  }
  dispose();
  const any = (k: number, way: "ours" | "plain") =>
    meanPercent(answers.map((one) => anyAt(k, one[way], one.wanted)));
  report.tables.push({
    title: `${answers.length} subjects, percent`,
    head: ["", "plain BM25 over prompts and the assistant's text", "ours over observations and summaries"],
    rows: [1, 5, 10].map((k) => [`any among the first ${k}`, any(k, "plain"), any(k, "ours")]),
  });
  atLeast(report, "any@1", any(1, "ours"), 50);
  atLeast(report, "any@10", any(10, "ours"), 80);
  figure(report, "any@1, plain BM25", any(1, "plain"));
  figure(report, "any@10, plain BM25", any(10, "plain"));
  return report;
}
