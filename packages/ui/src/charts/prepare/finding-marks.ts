import { severityRank, type Finding, type Severity } from "@trainwatch/core";
import type { Lane } from "./lane.ts";
import type { StepPlaces } from "./step-places.ts";

/** The peak of a finding in its own lane, in scale space: the shape of its severity stands above it. */
export interface FindingMark {
  readonly id: string;
  readonly x: number;
  readonly y: number;
  readonly severity: Severity;
  readonly text: string;
}

/** Closer than this, shapes would cover one another: the worse stays, the other is in the rail. */
const SPACING_PX = 7;

export interface FindingMarksInput {
  readonly lane: Lane;
  readonly findings: readonly Finding[];
  readonly toX: StepPlaces;
  readonly range: { readonly from: number; readonly to: number };
  readonly xPerPx: number;
}

/** Peaks that lie within the lane; those off scale have their mark on the edge already. */
export function findingMarks({ lane, findings, toX, range, xPerPx }: FindingMarksInput): readonly FindingMark[] {
  const { domain } = lane;
  if (domain === null) return [];
  const onEdge = new Set(lane.offScale.map((mark) => mark.step));
  const marks = findings.flatMap((finding): FindingMark[] => {
    if (
      finding.metric !== lane.spec.metric ||
      finding.peakStep === null ||
      typeof finding.peakValue !== "number" ||
      onEdge.has(finding.peakStep)
    )
      return [];
    const x = toX(finding.peakStep, finding.attempt);
    const y = lane.transform.forward(finding.peakValue);
    if (x === null || y === null || x < range.from || x > range.to || y < domain.low || y > domain.high) return [];
    return [{ id: finding.id, x, y, severity: finding.severity, text: finding.summary }];
  });
  const kept: FindingMark[] = [];
  for (const mark of marks.sort((a, b) => severityRank(b.severity) - severityRank(a.severity) || a.x - b.x)) {
    if (kept.every((other) => Math.abs(other.x - mark.x) >= SPACING_PX * xPerPx)) kept.push(mark);
  }
  return kept;
}
