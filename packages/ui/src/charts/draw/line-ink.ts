import type { LaneLine } from "../prepare/index.ts";

interface LineInk {
  readonly stroke: string;
  readonly band: string;
  readonly dash?: string;
}

/** Dashes tell series apart where colour cannot. */
const SERIES_DASH = [undefined, "7 3", "2 2", "9 3 2 3", "4 2", "12 3", "3 4", "6 2 2 2"] as const;
const SERIES_INK = ["var(--s1)", "var(--s2)", "var(--s3)", "var(--s4)", "var(--s5)", "var(--s6)", "var(--s7)", "var(--s8)"] as const;

export function lineInk(line: Pick<LaneLine, "role" | "series">): LineInk {
  if (line.role === "superseded") return { stroke: "var(--ink-2)", band: "var(--band-2)", dash: "3 2" };
  if (line.series === null) return { stroke: "var(--ink)", band: "var(--band)" };
  const index = (line.series - 1) % SERIES_INK.length;
  const dash = SERIES_DASH[index];
  return { stroke: SERIES_INK[index] ?? "var(--ink)", band: "var(--band-2)", ...(dash === undefined ? {} : { dash }) };
}

/** The spread of ranks and what is superseded lie under what counts; the second run and single ranks lie on top. */
const DEPTH = { spread: 0, superseded: 1, effective: 2, overlay: 3, single: 4 } as const;

export function byDepth(a: LaneLine, b: LaneLine): number {
  return DEPTH[a.role] - DEPTH[b.role];
}
