/** Which processes of ours are running. */
import { readFileSync } from "node:fs";
import { processesOfHome } from "../e2e/driver/strays.ts";
import type { Place } from "./temp.ts";

export type Running = { pid: number; command: string };

/** The living processes of a place, whoever started them. A dead one that nobody has waited for is none. */
export function processesOf(place: Place): Running[] {
  return processesOfHome(place.home)
    .map((pid) => ({ pid, command: commandOf(pid) }))
    .filter(({ command }) => command !== "");
}

export function workersOf(place: Place): Running[] {
  return processesOf(place).filter(({ command }) => command.includes("worker.js"));
}

function commandOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ").trim();
  } catch {
    return "";
  }
}
