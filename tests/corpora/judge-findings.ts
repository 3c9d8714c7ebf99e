import type { Finding, Sample } from "@trainwatch/core";
import { createMonitor } from "@trainwatch/detect";
import type { ExpectedRow } from "./expected-rows.ts";
import type { ReadLog } from "./read-attempts.ts";

export interface AttemptFindings {
  readonly attempt: string;
  readonly samples: readonly Sample[];
  readonly findings: readonly Finding[];
  /** Why detectors could not see, where they could not. */
  readonly blind: readonly string[];
}

export interface RowVerdict {
  readonly row: ExpectedRow;
  readonly met: boolean;
  /** What was found instead, or how far off. */
  readonly text: string;
  /** Logged points between the true onset and ours; null where nothing was found or the row has no step. */
  readonly onsetError: number | null;
}

/** Logged points by which an onset may miss. */
const ONSET_POINTS = 2;

/** What the monitors say at the end of each attempt of a log. */
export function detectAll(log: ReadLog): readonly AttemptFindings[] {
  return [...log.attempts].map(([attempt, samples]) => {
    const monitor = createMonitor({ run: `corpus/${log.file}`, attempt });
    const byId = new Map<string, Finding>();
    for (const finding of [...monitor.observe(samples), ...monitor.finish()]) byId.set(finding.id, finding);
    const blind = monitor.coverage().flatMap(({ detector, sees, why }) => (sees ? [] : [`${detector}: ${why}`]));
    return { attempt, samples, findings: [...byId.values()], blind };
  });
}

export function isAlarm(finding: Finding): boolean {
  return finding.severity !== "info";
}

export function judgeRow(row: ExpectedRow, log: ReadLog, attempts: readonly AttemptFindings[]): RowVerdict {
  switch (row.class) {
    case "none":
      return judgeNone(row, attempts);
    case "outlier":
      return judgeOutlier(row, attempts);
    case "blow-up":
    case "shift":
      return judgeOnset(row, attempts);
    case "slow":
      return judgeSlow(row, attempts);
    case "reset":
      return { row, met: attempts.length > 1, text: `${attempts.length} attempts`, onsetError: null };
    case "two-writers":
      return { row, met: log.writers.size > 0, text: `${log.writers.size} further writers, ${attempts.length} attempts`, onsetError: null };
  }
}

function judgeNone(row: ExpectedRow, attempts: readonly AttemptFindings[]): RowVerdict {
  const alarms = attempts.flatMap(({ findings }) => findings.filter(isAlarm));
  return {
    row,
    met: alarms.length === 0,
    text: alarms.map((finding) => `${finding.severity}: ${finding.summary}`).join(" ") || "silent",
    onsetError: null,
  };
}

function judgeOutlier(row: ExpectedRow, attempts: readonly AttemptFindings[]): RowVerdict {
  const notes = attempts.flatMap(({ findings }) =>
    findings.filter((finding) => finding.metric === row.metric && finding.severity === "info" && finding.shape === "point"),
  );
  const exact = notes.find((note) => note.onsetStep === row.step && note.peakStep === row.step);
  return {
    row,
    met: exact !== undefined,
    text: exact?.summary ?? `no note at the step; notes at ${notes.map((note) => note.peakStep).join(", ") || "none"}`,
    onsetError: exact === undefined ? null : 0,
  };
}

function judgeOnset(row: ExpectedRow, attempts: readonly AttemptFindings[]): RowVerdict {
  const candidates = attempts.flatMap(({ findings, samples }) =>
    findings
      .filter((finding) => finding.metric === row.metric && isAlarm(finding))
      .map((finding) => ({
        finding,
        error: pointsBetween(samples, row.metric, row.step ?? 0, finding.onsetStep ?? Number.POSITIVE_INFINITY),
      })),
  );
  const nearest = candidates.toSorted((a, b) => Math.abs(a.error) - Math.abs(b.error))[0];
  if (nearest !== undefined && Math.abs(nearest.error) <= ONSET_POINTS)
    return { row, met: true, text: nearest.finding.summary, onsetError: nearest.error };
  const short = attempts.length > 0 && attempts.every(({ blind }) => blind.some((why) => why.includes("too short")));
  const mayBeShort = short && row.note.includes("may be called too short");
  return { row, met: mayBeShort, text: mayBeShort ? "called too short" : (nearest?.finding.summary ?? "no finding"), onsetError: null };
}

function judgeSlow(row: ExpectedRow, attempts: readonly AttemptFindings[]): RowVerdict {
  const slow = attempts.flatMap(({ findings }) => findings.filter((finding) => finding.metric === row.metric && isAlarm(finding)))[0];
  return { row, met: slow !== undefined, text: slow?.summary ?? "no finding", onsetError: null };
}

/** Logged points of the metric from one step to another, signed. */
function pointsBetween(samples: readonly Sample[], metric: string, from: number, to: number): number {
  const steps = samples.filter((sample) => sample.metric === metric).map((sample) => sample.step);
  const index = (step: number): number => steps.filter((logged) => logged < step).length;
  return index(to) - index(from);
}
