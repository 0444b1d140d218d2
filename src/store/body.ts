/** How an event's body lies in the store: JSON, packed where that is shorter. */
import { deflateRawSync, inflateRawSync } from "node:zlib";
import type { EventBody } from "../core/event.ts";

/** Shorter bodies gain nothing. */
const PACK_FROM = 200;

/**
 * What bodies of common tools have in common, the most common last: most of them are so short that packing each by
 * itself finds little to repeat. Never to be changed: bodies in stores are read with it. Bodies packed without it are
 * read with it as well.
 */
const COMMON = Buffer.from(
  '{"message":"","summarize":true}{"error":"Exit code 1\\n","interrupted":true,' +
    '"mode":"content","filenames":[],"numFiles":0,"content":"","numLines":,"appliedLimit":' +
    '{"tool":"Grep","toolUseId":"toolu_01","input":{"pattern":"","path":"","output_mode":"content","-n":true,"-A":,"-C":,"head_limit":},' +
    '{"tool":"Write","toolUseId":"toolu_01","input":{"file_path":"/","content":""},"response":{"type":"create","filePath":"/","content":"' +
    '{"tool":"Edit","toolUseId":"toolu_01","input":{"replace_all":false,"file_path":"/","old_string":"","new_string":""},' +
    '"response":{"filePath":"/","oldString":"","newString":"","structuredPatch":[{"oldStart":,"oldLines":,"newStart":,"newLines":,' +
    '"lines":["  ","+","-"]}],"userModified":false,"replaceAll":false}}' +
    '{"tool":"Read","toolUseId":"toolu_01","input":{"file_path":"/","offset":,"limit":},' +
    '"response":{"type":"text","file":{"filePath":"/","content":"","numLines":,"startLine":1,"totalLines":}}}' +
    '{"tool":"Bash","toolUseId":"toolu_01","input":{"command":"","description":""},' +
    '"response":{"stdout":"","stderr":"","interrupted":false,"isImage":false,"noOutputExpected":false}}',
);
const LEVEL = 6;

export function encodeBody(body: EventBody): string | Uint8Array {
  const text = JSON.stringify(body);
  if (text.length < PACK_FROM) return text;
  const packed = deflateRawSync(Buffer.from(text), { level: LEVEL, dictionary: COMMON });
  return packed.length < text.length ? packed : text;
}

export function decodeBody(stored: string | Uint8Array): EventBody {
  const text =
    typeof stored === "string" ? stored : inflateRawSync(stored, { dictionary: COMMON }).toString("utf8");
  return JSON.parse(text) as EventBody;
}
