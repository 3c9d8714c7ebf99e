import type { Finding, RunDetail, Severity } from "@trainwatch/core";
import { formatInteger, formatSigned } from "../../format/index.ts";
import type { AxisWords } from "./axis.ts";
import { axisShort } from "./axis.ts";
import type { StepPlaces } from "./step-places.ts";

/** Onset solid, detection dashed, the 90 % interval of the onset a pale column behind. */
export interface OnsetMark {
  readonly findingId: string;
  readonly severity: Severity;
  /** The fault that is going on now is lit; past ones are grey. */
  readonly current: boolean;
  readonly x: number;
  readonly lowerX: number | null;
  readonly detectedX: number | null;
  readonly label: string;
}

/** A line through all lanes is for what lasted or paged somebody; a spike that came back has its mark and its place in the rail. */
export function hasOnsetLine(finding: Finding): boolean {
  if (finding.onsetStep === null || finding.severity === "info") return false;
  return finding.severity === "critical" || isCurrent(finding);
}

export interface OnsetInput {
  readonly findings: readonly Finding[];
  readonly attempts: RunDetail["attempts"];
  readonly toX: StepPlaces;
  readonly range: { readonly from: number; readonly to: number };
  readonly words: AxisWords;
}

export function onsetMarks({ findings, attempts, toX, range, words }: OnsetInput): readonly OnsetMark[] {
  const isLit = (finding: Finding): boolean => isCurrent(finding) && !isRolledBack(finding, attempts);
  const marks: OnsetMark[] = [];
  const taken = new Set<string>();
  const worstFirst = [...findings].filter(hasOnsetLine).sort((a, b) => Number(isLit(b)) - Number(isLit(a)));
  for (const finding of worstFirst) {
    const x = finding.onsetStep === null ? null : toX(finding.onsetStep, finding.attempt);
    if (x === null || x < range.from || x > range.to) continue;
    // Findings of one cause share an onset; one line says it.
    const place = `${finding.attempt} ${finding.onsetStep}`;
    if (taken.has(place)) continue;
    taken.add(place);
    marks.push({
      findingId: finding.id,
      severity: finding.severity,
      current: isLit(finding),
      x,
      lowerX: finding.onsetLowerStep === null ? null : toX(finding.onsetLowerStep, finding.attempt),
      detectedX: finding.detectedStep === null ? null : toX(finding.detectedStep, finding.attempt),
      label: onsetLabel(finding, x, words),
    });
  }
  return marks.sort((a, b) => a.x - b.x);
}

export function isCurrent(finding: Pick<Finding, "state">): boolean {
  return finding.state !== "recovered";
}

/** Whether the steps of a finding were rolled back: today's weights have not seen them, so it is past whatever its own state. */
export function isRolledBack({ attempt, onsetStep }: Pick<Finding, "attempt" | "onsetStep">, attempts: RunDetail["attempts"]): boolean {
  if (onsetStep === null) return false;
  const own = attempts.find(({ name }) => name === attempt);
  return own?.superseded.some(({ fromStep, toStep }) => onsetStep >= fromStep && onsetStep <= toStep) ?? false;
}

function onsetLabel(finding: Finding, x: number, words: AxisWords): string {
  const where = words.axis === "step" ? formatInteger(finding.onsetStep) : axisShort(x, words);
  if (finding.detectedStep === null || finding.onsetStep === null) return `onset ${where}`;
  const late = formatSigned(finding.detectedStep - finding.onsetStep, 0);
  return `onset ${where}, detected ${late}${words.axis === "step" ? "" : " steps"}`;
}

/** Severity of the finding on a metric that covers a step, worst first: what an off-scale mark is shaped by. */
export function severityAt(findings: readonly Finding[]): (metric: string, attempt: string, step: number) => Severity | null {
  const order = ["critical", "warning", "info"] as const;
  return (metric, attempt, step) => {
    const covering = findings.filter((finding) => finding.metric === metric && finding.attempt === attempt && covers(finding, step));
    return order.find((severity) => covering.some((finding) => finding.severity === severity)) ?? null;
  };
}

function covers(finding: Finding, step: number): boolean {
  if (finding.peakStep === step) return true;
  if (finding.onsetStep === null || step < finding.onsetStep) return false;
  const end =
    finding.endStep ?? (finding.state === "recovered" || finding.shape === "point" ? finding.onsetStep : Number.POSITIVE_INFINITY);
  return step <= end;
}
