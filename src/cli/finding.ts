/** One answer of `doctor`. */
export type Finding = {
  check: string;
  level: "ok" | "note" | "fault";
  detail: string;
  /** What to do about it, as an instruction. */
  remedy?: string;
};
