/** Reading a file of the workspace, and none outside it. */
import { closeSync, constants, fstatSync, openSync, readSync, type Stats, statSync } from "node:fs";
import { isAbsolute, join, relative, sep } from "node:path";
import { AppError, messageOf } from "../core/errors.ts";
import { isInside, realPath } from "../env/project.ts";
import { isSecretPath } from "../privacy/files.ts";
import { formatSize } from "../privacy/size.ts";

/** Larger files are data; nobody wants them outlined. */
export const SOURCE_MAX = 8 * 1024 * 1024;
/** So much of a file is looked at to tell text from anything else. */
const SNIFFED = 8_192;

export type Located = {
  /** Absolute, links resolved. */
  real: string;
  /** Below the workspace, with `/`; "" for the workspace itself. */
  path: string;
  stat: Stats;
};

export type Source = {
  path: string;
  text: string;
  bytes: number;
  /** What is odd about the file, as a sentence; `null` where nothing is. */
  note: string | null;
};

/**
 * Finds `path` (absolute, or from `root`) after all symbolic links. Throws `invalid` for what lies outside of
 * `root`, `not_found` for what is not there.
 */
export function locate(root: string, path: string): Located {
  if (path.includes("\0") || path.length > 4_096) throw new AppError("invalid", "That is no path of a file.");
  const top = realPath(root);
  const wanted = isAbsolute(path) ? path : join(top, path);
  const real = realPath(wanted);
  if (!isInside(real, top)) {
    throw new AppError(
      "invalid",
      `${path} is outside of the workspace (${top}); only what is in it can be read.`,
    );
  }
  const stat = statOf(real, path);
  return { real, path: relative(top, real).split(sep).join("/"), stat };
}

function statOf(real: string, path: string): Stats {
  try {
    return statSync(real);
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code === "ENOENT" || code === "ENOTDIR" || code === "ELOOP")
      throw new AppError("not_found", `There is no file ${path} in the workspace.`);
    throw new AppError("invalid", `${path} cannot be read (${messageOf(error)}).`);
  }
}

/**
 * The file's text. Throws `not_found`, and `invalid` with a sentence for what is outside, a directory, no ordinary
 * file, binary, too large, or holds secrets by its name.
 */
export function readSource(root: string, path: string): Source {
  const located = locate(root, path);
  const { stat } = located;
  const shown = located.path || path;
  if (stat.isDirectory()) throw new AppError("invalid", `${shown} is a directory; name a file in it.`);
  if (!stat.isFile()) throw new AppError("invalid", `${shown} is no ordinary file.`);
  if (isSecretPath(located.real))
    throw new AppError("invalid", `${shown} holds secrets by its name and is not read.`);
  if (stat.size > SOURCE_MAX) {
    throw new AppError(
      "invalid",
      `${shown} has ${formatSize(stat.size)}; files of more than ${formatSize(SOURCE_MAX)} are not outlined.`,
    );
  }
  const bytes = readBytes(located.real, shown);
  const { text, note } = decode(bytes, shown);
  return { path: located.path, text, bytes: bytes.length, note };
}

/** Opened without waiting, and looked at again once open: the path may lead elsewhere by now. */
function readBytes(real: string, shown: string): Uint8Array {
  let fd: number | undefined;
  try {
    fd = openSync(real, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOFOLLOW ?? 0));
    if (!fstatSync(fd).isFile()) throw new Error("it is no ordinary file");
    const buffer = new Uint8Array(Math.min(fstatSync(fd).size, SOURCE_MAX));
    let length = 0;
    for (let read = -1; read !== 0 && length < buffer.length; length += read)
      read = readSync(fd, buffer, length, buffer.length - length, length);
    return buffer.subarray(0, length);
  } catch (error) {
    throw new AppError("invalid", `${shown} cannot be read (${messageOf(error)}).`, { cause: error });
  } finally {
    if (fd !== undefined) closeSync(fd);
  }
}

function decode(bytes: Uint8Array, shown: string): { text: string; note: string | null } {
  const mark = `${bytes[0]},${bytes[1]}`;
  if (mark === "255,254" || mark === "254,255") {
    return { text: new TextDecoder(mark === "255,254" ? "utf-16le" : "utf-16be").decode(bytes), note: null };
  }
  if (bytes.subarray(0, SNIFFED).includes(0)) throw new AppError("invalid", `${shown} is a binary file.`);
  try {
    return { text: new TextDecoder("utf-8", { fatal: true }).decode(bytes), note: null };
  } catch {
    return { text: new TextDecoder().decode(bytes), note: "It is not valid UTF-8; broken places show as �." };
  }
}
