/** How the paths of tool inputs are shown. Works on text alone: the paths may be of another system. */

/**
 * Relative to `root` with forward slashes where it lies inside, absolute otherwise. A relative path is taken from
 * `cwd`. "" stays "".
 */
export function shownPath(path: string, root: string | null, cwd: string | null): string {
  if (path.trim() === "" || path.includes("\0")) return "";
  const whole = isAbsolute(path) || !cwd ? path : `${cwd}/${path}`;
  const full = normal(whole);
  const base = root ? normal(root) : "";
  if (base === "" || !isAbsolute(full)) return full;
  const inside = isWindows(base)
    ? full.toLowerCase().startsWith(`${base.toLowerCase()}/`)
    : full.startsWith(base === "/" ? "/" : `${base}/`);
  return inside ? full.slice(base === "/" ? 1 : base.length + 1) : full;
}

/** As `shownPath`, but "" for what lies outside the project (or under a home not spelled out). */
export function ownPath(path: string, root: string | null, cwd: string | null): string {
  const shown = path.startsWith("~") ? "" : shownPath(path, root, cwd);
  return root !== null && isAbsolute(shown) ? "" : shown;
}

/** The last part of a shown path. */
export function baseName(path: string): string {
  return path.split("/").at(-1) || path;
}

/** The path, or its last parts behind `…/` where it is longer than `max` UTF-16 units. */
export function shortPath(path: string, max: number): string {
  if (path.length <= max) return path;
  const parts = path.split("/");
  let short = parts.at(-1) ?? path;
  for (let at = parts.length - 2; at >= 0; at -= 1) {
    const longer = `${parts[at]}/${short}`;
    if (longer.length + 2 > max) break;
    short = longer;
  }
  return short === path ? path : `…/${short}`;
}

type FileClass = "source" | "test" | "docs" | "config";

const TEST_PATH =
  /(^|\/)(tests?|__tests__|spec|specs|e2e|integration_test)\/|[._-](test|spec)s?\.\w+$|(^|\/)test_[^/]*$/i;
const DOCS_PATH = /\.(md|mdx|rst|adoc|txt|markdown)$|(^|\/)(LICENSE|NOTICE|CHANGELOG|AUTHORS)[^/]*$/i;
const CONFIG_PATH =
  /\.(json|jsonc|json5|ya?ml|toml|ini|cfg|conf|lock|env|properties|xml|plist|gradle|editorconfig)$|(^|\/)(\.[^/]+rc|\.gitignore|\.dockerignore|\.gitattributes|Dockerfile[^/]*|Makefile|Procfile|go\.(mod|sum)|\.env[^/]*|requirements[^/]*\.txt)$/i;

/** What kind of file a path names, by its name alone. */
export function classOf(path: string): FileClass {
  if (CONFIG_PATH.test(path)) return "config";
  if (DOCS_PATH.test(path)) return "docs";
  return TEST_PATH.test(path) ? "test" : "source";
}

function isAbsolute(path: string): boolean {
  return path.startsWith("/") || isWindows(path) || path.startsWith("\\\\");
}

function isWindows(path: string): boolean {
  return /^[A-Za-z]:[/\\]/.test(path);
}

/** Forward slashes (backslashes are separators only in Windows paths), no `.`, `..` or doubled slashes. */
function normal(path: string): string {
  const slashed = isWindows(path) || path.startsWith("\\\\") ? path.replaceAll("\\", "/") : path;
  const lead = slashed.startsWith("/") ? "/" : "";
  const parts: string[] = [];
  for (const part of slashed.split("/")) {
    if (part === "" || part === ".") continue;
    if (part === ".." && parts.length > 0 && parts.at(-1) !== "..") parts.pop();
    else if (part !== ".." || lead === "") parts.push(part);
  }
  return lead + parts.join("/");
}
