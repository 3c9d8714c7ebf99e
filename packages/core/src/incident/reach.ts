import type { Finding } from "../finding.ts";
import { FLAP_MS } from "./kinship.ts";
import { announcedSteps, findingSpan, findingTimes, forerunnerSteps, quietSteps } from "./span.ts";

/** What is over before both has nothing to do with a finding. Null: the finding knows no step, or no time, and is kin to nothing by it. */
export interface FoldReach {
  readonly fromStep: number | null;
  /** Epoch ms. */
  readonly fromMs: number | null;
}

/** How far back an incident of a run may have ended and still be kin to one of the findings (`kinship`); null: a finding knows neither step nor time, so that nothing bounds it. */
export function foldReach(findings: readonly Finding[], logEveryOf: (finding: Finding) => number): FoldReach | null {
  const reaches = findings.map((finding) => reachOf(finding, logEveryOf(finding)));
  if (reaches.some(({ fromStep, fromMs }) => fromStep === null && fromMs === null)) return null;
  return { fromStep: least(reaches.map(({ fromStep }) => fromStep)), fromMs: least(reaches.map(({ fromMs }) => fromMs)) };
}

function reachOf(finding: Finding, logEvery: number): FoldReach {
  const [span, times] = [findingSpan(finding), findingTimes(finding)];
  const steps = Math.max(quietSteps(logEvery), announcedSteps(logEvery), forerunnerSteps(logEvery));
  // A fault that comes again is the longest that times reach.
  return { fromStep: span === null ? null : span.from - steps, fromMs: times === null ? null : times.from - FLAP_MS };
}

function least(values: readonly (number | null)[]): number | null {
  const known = values.filter((value) => value !== null);
  return known.length === 0 ? null : Math.min(...known);
}
