import type { Severity } from "@trainwatch/core";
import { normMove } from "../companion/norm-companion.ts";
import type { NormCompanion } from "../companion/norm-companion.ts";
import type { PaceState, SlowStretch } from "./pace.ts";

/** What the series beside a pace did during one slow stretch, and how bad the stretch is by that. JSON-safe. */
export interface BesideStretch {
  readonly detectedStep: number;
  /** Median before the stretch, and the newest over it; null where too little of it is logged. */
  readonly base: number | null;
  readonly nowRatio: number | null;
  readonly severity: Severity;
}

/**
 * Judges a stretch by what is logged beside it, and remembers that in `memory` for as long as the pace follows the stretch. Once the pace
 * is back, what lies beside it is back too: then what it was meanwhile counts.
 */
export function judgeBeside(
  memory: BesideStretch[],
  pace: PaceState,
  companion: NormCompanion,
  stretch: SlowStretch,
  judge: (nowRatio: number | null) => Severity,
): BesideStretch {
  const { detectedStep } = stretch;
  const known = memory.find((each) => each.detectedStep === detectedStep);
  if (known !== undefined && stretch.state === "recovered") return known;
  const move = normMove(companion, stretch.onsetStep, known?.base ?? null);
  const nowRatio = move?.nowRatio ?? null;
  const told = { detectedStep, base: move?.base ?? null, nowRatio, severity: judge(nowRatio) };
  const followed = new Set([pace.open, ...pace.shifted].map((each) => each?.detectedStep));
  const others = memory.filter((each) => each.detectedStep !== detectedStep && followed.has(each.detectedStep));
  memory.splice(0, memory.length, ...others, told);
  return told;
}
