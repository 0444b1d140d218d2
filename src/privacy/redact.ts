/** The one redaction that every event passes before it is written anywhere. */
import type { EventBody, Json, SessionEvent } from "../core/event.ts";
import { isSecretPath, secretPathsInCommand } from "./files.ts";
import { redactJson } from "./json.ts";
import { redactSecrets } from "./secrets.ts";
import { redactText } from "./text.ts";

export { redactJson } from "./json.ts";
export { redactText } from "./text.ts";

/** UTF-16 units of what a person or the assistant wrote. */
const WORDS_MAX = 32_768;

const SECRET_FILE = "[redacted:secret-file]";
const PATH_KEYS =
  /^(?:(?:file|notebook|target|source|relative|absolute|full)_?path|path|paths|file|files|filename|uri)$/i;
const CONTENT_KEYS =
  /^(?:content|contents|(?:old|new)_(?:string|str|source|text)|(?:old|new)(?:String|Str|Text)|edits|text|file_text|insert_line_text|insert_text|diff|patch|data|body)$/;
/** The whole file before an edit: over a megabyte at times, and the patch says what changed. */
const WHOLE_FILE_KEYS = new Set(["originalFile", "original_file", "originalFileContents"]);
/** A line of a search result in a secret file: `src/.env:12:KEY=…`. */
const FOUND_LINE = /^([^\s:]{1,300}?)([:-]\d{1,7}[:-]|:)(.+)$/gm;
const MAY_BE_FOUND =
  /(?:env|rc|pem|key|tfvars|tfstate|credentials|rsa|ed25519|ya?ml|json|toml)[\w.]{0,64}[:-]/i;

type Fields = { [key: string]: Json };

/**
 * A copy of the event as it may be kept. Texts pass `redactText`, structures `redactJson`; of a secret file
 * only the path stays. Never changes its argument; applying it again changes nothing.
 */
export function redactEvent(event: SessionEvent): SessionEvent {
  return {
    ...event,
    cwd: asPath(event.cwd),
    transcriptPath: asPath(event.transcriptPath),
    promptId: asId(event.promptId),
    agentId: asId(event.agentId),
    agentType: asName(event.agentType),
    body: redactBody(event.body),
  };
}

/** Names and ids come from outside like everything else. */
const NAME_MAX = 256;
/** What an id looks like. It is left as it is: events are known again by it. */
const PLAIN_ID = /^[\w.:-]{0,128}$/;

function asName<T extends string | null | undefined>(name: T): T {
  return (typeof name === "string" ? redactText(name, NAME_MAX) : name) as T;
}

function asId<T extends string | null | undefined>(id: T): T {
  return (typeof id === "string" && !PLAIN_ID.test(id) ? redactText(id, NAME_MAX) : id) as T;
}

function asPath(path: string | null): string | null {
  return path === null ? null : redactSecrets(path.toWellFormed());
}

function redactBody(body: EventBody): EventBody {
  const copy: EventBody = { ...body };
  const hidden = touchesSecretFile(body.input) || touchesSecretFile(fileOf(body.response));
  if (body.reason !== undefined) copy.reason = asName(body.reason);
  if (body.tool !== undefined) copy.tool = asName(body.tool);
  if (body.toolUseId !== undefined) copy.toolUseId = asId(body.toolUseId);
  if (body.prompt !== undefined) copy.prompt = redactText(body.prompt, WORDS_MAX);
  if (body.message !== undefined) copy.message = redactText(body.message, WORDS_MAX);
  if (body.error !== undefined) copy.error = hidden ? SECRET_FILE : redactText(body.error, WORDS_MAX);
  if (body.input !== undefined) copy.input = redactJson(hidden ? hideContent(body.input) : body.input);
  if (body.response !== undefined) {
    copy.response = hidden ? SECRET_FILE : redactJson(hideFoundLines(dropWholeFile(body.response)));
  }
  return copy;
}

function isFields(value: Json | undefined): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Where a response says which file it holds. */
function fileOf(response: Json | undefined): Json | undefined {
  if (!isFields(response)) return undefined;
  const { filePath, file_path: snake, file } = response;
  const inner = isFields(file) ? file.filePath : undefined;
  return { filePath: filePath ?? null, file_path: snake ?? null, file: inner ?? null };
}

function touchesSecretFile(input: Json | undefined): boolean {
  if (!isFields(input)) return false;
  for (const [key, value] of Object.entries(input)) {
    if (/^(?:command|cmd|script)$/.test(key)) {
      if (typeof value === "string" && secretPathsInCommand(value)) return true;
      if (Array.isArray(value) && secretPathsInCommand(commandLine(value))) return true;
    } else if (PATH_KEYS.test(key)) {
      const paths = Array.isArray(value) ? value : [value];
      if (paths.some((path) => typeof path === "string" && isSecretPath(path))) return true;
    } else if (key === "glob" && typeof value === "string" && isSecretPath(value)) {
      return true;
    }
  }
  return false;
}

/** `["bash", "-lc", "cat .env"]` as one line. */
function commandLine(words: Json[]): string {
  return words
    .map((word) =>
      typeof word === "string" && /\s/.test(word) ? `'${word.replaceAll("'", '"')}'` : String(word),
    )
    .join(" ");
}

function hideContent(input: Json): Json {
  if (!isFields(input)) return input;
  const copy: Fields = {};
  for (const [key, value] of Object.entries(input)) {
    if (CONTENT_KEYS.test(key)) copy[key] = SECRET_FILE;
    else copy[key] = key === "command" && typeof value === "string" ? hideWritten(value) : value;
  }
  return copy;
}

/** A command that writes a secret file carries its content in a here-document, or quoted after `echo`. */
function hideWritten(command: string): string {
  const firstLine = command.split("\n", 1)[0] ?? "";
  if (/<<-?\s*\\?["']?\w/.test(firstLine) && firstLine.length < command.length)
    return `${firstLine}\n${SECRET_FILE}`;
  return command.replace(
    /\b(echo|printf)(\s[^|&;\n]{0,4000}?)(>>?|\|\s{0,4}tee)/g,
    (_all, program: string, _text, to: string) => `${program} ${SECRET_FILE} ${to}`,
  );
}

function dropWholeFile(response: Json): Json {
  if (!isFields(response) || !Object.keys(response).some((key) => WHOLE_FILE_KEYS.has(key))) return response;
  return Object.fromEntries(Object.entries(response).filter(([key]) => !WHOLE_FILE_KEYS.has(key)));
}

/** Search results may show lines of secret files among those of others. */
function hideFoundLines(response: Json): Json {
  if (typeof response === "string") return hideFoundIn(response);
  if (!isFields(response)) return response;
  const copy: Fields = { ...response };
  for (const key of ["stdout", "content", "output"]) {
    const text = copy[key];
    if (typeof text === "string") copy[key] = hideFoundIn(text);
  }
  return copy;
}

function hideFoundIn(text: string): string {
  if (!MAY_BE_FOUND.test(text)) return text;
  return text.replace(FOUND_LINE, (all: string, path: string, sign: string, rest: string) =>
    rest !== SECRET_FILE && /[./\\_]/.test(path) && isSecretPath(path) ? `${path}${sign}${SECRET_FILE}` : all,
  );
}
