/** Files that travel inside text. */
import { formatSize } from "./size.ts";

/** Shorter runs are keys, hashes and icons, which other rules judge. */
const MIN_RUN = 512;

const MAGIC: readonly (readonly [string, string])[] = [
  ["iVBOR", "image/png"],
  ["/9j/", "image/jpeg"],
  ["R0lG", "image/gif"],
  ["UklGR", "image/webp"],
  ["JVBER", "application/pdf"],
  ["UEsDB", "application/zip"],
  ["H4sI", "application/gzip"],
  ["PHN2Z", "image/svg+xml"],
  ["SUkq", "image/tiff"],
  ["T2dnU", "audio/ogg"],
  ["AAAAGG", "video/mp4"],
  ["AAAAIG", "video/mp4"],
];
const DATA_URI = /data:([\w.+-]{1,64}\/[\w.+-]{1,64})?(?:;[\w=.+-]{1,64}){0,4};base64,$/i;

/**
 * The text with each run of base64 of at least 512 characters replaced by `[base64 <type>, <size>]`. The
 * type comes from the data URI around it, from its first characters, or is `type` if the run is all there
 * is. Looks at few characters, so it costs next to nothing on text without such runs.
 */
export function collapseBase64(text: string, type?: string): string {
  let out = "";
  let from = 0;
  // A run of this length covers at least one of these places.
  for (let at = MIN_RUN - 1; at < text.length; at += MIN_RUN) {
    if (!isBase64Code(text.charCodeAt(at))) continue;
    let start = at;
    while (start > from && isBase64Code(text.charCodeAt(start - 1))) start -= 1;
    let end = at + 1;
    while (isBase64Code(text.charCodeAt(end))) end += 1;
    while (text.charCodeAt(end) === 61 && end - start > 0) end += 1;
    if (end - start >= MIN_RUN && isMixed(text.slice(start, start + 256))) {
      const uri = DATA_URI.exec(text.slice(Math.max(from, start - 200), start));
      const note = describe(text, start, end, uri?.[1] ?? type);
      out += text.slice(from, start - (uri?.[0].length ?? 0)) + note;
      from = end;
    }
    at = Math.max(at, end - 1);
  }
  return from === 0 ? text : out + text.slice(from);
}

function describe(text: string, start: number, end: number, type: string | undefined): string {
  const known = MAGIC.find(([magic]) => text.startsWith(magic, start))?.[1];
  const padding = text[end - 1] === "=" ? (text[end - 2] === "=" ? 2 : 1) : 0;
  const bytes = Math.floor(((end - start) / 4) * 3) - padding;
  return `[base64 ${type ?? known ?? "data"}, ${formatSize(bytes)}]`;
}

function isMixed(sample: string): boolean {
  return /[a-z]/.test(sample) && /[A-Z]/.test(sample) && /[0-9+/]/.test(sample);
}

function isBase64Code(code: number): boolean {
  const lower = code | 32;
  return (lower >= 97 && lower <= 122) || (code >= 47 && code <= 57) || code === 43;
}
