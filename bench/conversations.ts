/** Long conversations with questions, from files: LoCoMo's form and BEAM's. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Conversation, Said } from "./recall.ts";

export type Question = { text: string; kind: string; evidence: string[] };
export type Questioned = Conversation & { questions: Question[] };

type LocomoTurn = { speaker: string; dia_id: string; text: string; blip_caption?: string };
type Locomo = {
  sample_id: string;
  conversation: Record<string, string | LocomoTurn[]>;
  qa: { question: string; category: number; evidence?: string[] }[];
};

/**
 * Each turn is an observation that a person made (origin manual): the speaker is its title, a shared picture's caption
 * its subtitle, the words its narrative; the turns of a session are a second apart.
 */
export function locomo(file: string): Questioned[] {
  const samples = JSON.parse(readFileSync(file, "utf8")) as Locomo[];
  return samples.map((sample) => {
    const sessions = locomoSessions(sample);
    const known = new Set(sessions.flatMap((session) => session.said.map((said) => said.id)));
    const questions = sample.qa.map((one) => ({
      text: String(one.question),
      kind: String(one.category),
      // Evidence is now and then several ids in one text, or an id that is not there.
      evidence: [...new Set((one.evidence ?? []).flatMap((text) => text.match(/D\d+:\d+/g) ?? []))],
    }));
    return {
      name: sample.sample_id,
      sessions,
      questions: questions.filter(({ evidence }) => evidence.some((id) => known.has(id))),
    };
  });
}

function locomoSessions(sample: Locomo): { name: string; said: Said[] }[] {
  const numbers = Object.keys(sample.conversation).flatMap((key) => /^session_(\d+)$/.exec(key)?.[1] ?? []);
  return numbers.map(Number).flatMap((number) => {
    const turns = sample.conversation[`session_${number}`];
    const start = locomoTime(String(sample.conversation[`session_${number}_date_time`]));
    if (!Array.isArray(turns)) return [];
    const said = turns.map(
      (turn, at): Said => ({
        id: turn.dia_id,
        as: "observation",
        title: turn.speaker,
        subtitle: turn.blip_caption ?? "",
        text: turn.text,
        origin: "manual",
        at: start + at * 1_000,
      }),
    );
    return [{ name: `D${number}`, said }];
  });
}

/** "1:56 pm on 8 May, 2023" as Unix milliseconds. */
function locomoTime(text: string): number {
  const [, hour, minute, half, day] = /(\d+):(\d+) (am|pm) on (.+)/.exec(text) ?? [];
  const date = Date.parse(`${(day ?? "").replace(",", "")} UTC`);
  const hours = (Number(hour) % 12) + (half === "pm" ? 12 : 0);
  return date + (hours * 60 + Number(minute)) * 60_000;
}

type BeamMessage = { role: string; id: number; content: string; time_anchor?: string };
type BeamBatch = { turns: BeamMessage[][]; time_anchor?: string };

/**
 * Each of the user's messages is a prompt, each of the assistant's an observation without a title; a batch is a
 * session, its messages a minute apart.
 */
export function beam(folder: string): Questioned[] {
  const chats = readdirSync(folder).filter((name) => existsSync(join(folder, name, "chat.json")));
  return chats
    .sort((one, other) => Number(one) - Number(other))
    .map((name) => {
      const batches = JSON.parse(readFileSync(join(folder, name, "chat.json"), "utf8")) as BeamBatch[];
      return {
        name: `chat ${name}`,
        sessions: batches.map(beamSession),
        questions: beamQuestions(join(folder, name, "probing_questions", "probing_questions.json")),
      };
    });
}

function beamSession(batch: BeamBatch, number: number): { name: string; said: Said[] } {
  const messages = batch.turns.flat();
  const anchor = messages.map((message) => message.time_anchor).find(Boolean) ?? batch.time_anchor ?? "";
  const start = Date.parse(`${anchor.replaceAll("-", " ")} UTC`) || number * 86_400_000;
  const said = messages.map(
    (message, at): Said => ({
      id: String(message.id),
      as: message.role === "user" ? "prompt" : "observation",
      title: "",
      subtitle: "",
      text: message.content,
      origin: "assistant",
      at: start + at * 60_000,
    }),
  );
  return { name: `batch ${number + 1}`, said };
}

function beamQuestions(file: string): Question[] {
  const kinds = JSON.parse(readFileSync(file, "utf8")) as Record<
    string,
    { question: string; source_chat_ids?: unknown }[]
  >;
  return Object.entries(kinds).flatMap(([kind, questions]) =>
    questions
      .map((one) => ({ text: one.question, kind, evidence: numbersIn(one.source_chat_ids).map(String) }))
      .filter(({ evidence }) => evidence.length > 0),
  );
}

/** The ids come in lists, lists of lists, and by name. */
function numbersIn(value: unknown): number[] {
  if (typeof value === "number") return [value];
  if (value === null || typeof value !== "object") return [];
  return [...new Set(Object.values(value).flatMap(numbersIn))];
}
