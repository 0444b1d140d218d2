/** Questions put to the product's search and to plain BM25 over the same conversations. */
import { search, searchSessions } from "../src/search/search.ts";
import type { Question, Questioned } from "./conversations.ts";
import { plainBm25 } from "./plain.ts";
import { anyAt, keep, meanPercent, recallAt } from "./recall.ts";

export type Answered = {
  question: Question;
  /** Ids of what was said, best first. */
  ours: string[];
  plain: string[];
  /** Names of sessions, best first. */
  sessions: string[];
  plainSessions: string[];
  ms: number;
};

const LIMIT = 50;

/** Each question asked within its own conversation, through the production path. */
export async function askAll(conversations: readonly Questioned[]): Promise<Answered[]> {
  const kept = keep(conversations);
  const all: Answered[] = [];
  for (const [at, conversation] of conversations.entries()) {
    const project = kept.projects[at] ?? 0;
    const sessionOf = new Map(
      conversation.sessions.flatMap(({ name, said }) => said.map(({ id }) => [id, name] as const)),
    );
    const plain = plainBm25(
      conversation.sessions.flatMap(({ said }) =>
        said.map(({ id, title, subtitle, text }) => ({ id, text: `${title}: ${text} ${subtitle}` })),
      ),
    );
    const plainSessions = plainBm25(
      conversation.sessions.map(({ name, said }) => ({
        id: name,
        text: said.map(({ title, subtitle, text }) => `${title}: ${text} ${subtitle}`).join("\n"),
      })),
    );
    const now = Math.max(...conversation.sessions.flatMap(({ said }) => said.map((one) => one.at)));
    for (const question of conversation.questions) {
      const request = { query: question.text, project, limit: LIMIT, now };
      const began = performance.now();
      const { results } = await search(kept.db, request);
      const ms = performance.now() - began;
      const found = await searchSessions(kept.db, request);
      all.push({
        question: { ...question, evidence: question.evidence.filter((id) => sessionOf.has(id)) },
        ours: results.flatMap((result) => kept.idOf(result) ?? []),
        plain: plain.rank(question.text, LIMIT),
        sessions: found.sessions.flatMap(({ session }) => kept.sessionOf(session) ?? []),
        plainSessions: plainSessions.rank(question.text, LIMIT),
        ms,
      });
    }
  }
  kept.dispose();
  return all;
}

/** Mean fractional recall among the first ten, in percent. */
export function recall10(answers: readonly Answered[], way: "ours" | "plain"): number {
  return meanPercent(answers.map((one) => recallAt(10, one[way], one.question.evidence)));
}

/** Whether any right session is among the first `k`, in percent. */
export function anySession(
  k: number,
  answers: readonly Answered[],
  way: "sessions" | "plainSessions",
): number {
  return meanPercent(
    answers.map((one) =>
      anyAt(
        k,
        one[way],
        one.question.evidence.map((id) => id.replace(/:.*$/, "")),
      ),
    ),
  );
}
