import { describeIncident } from "@trainwatch/core";
import type { Advice, Checkpoint, Finding, Incident } from "@trainwatch/core";
import { describeAction } from "@trainwatch/decide";
import type { FlightAnalysis } from "@trainwatch/detect";
import { adviseRun } from "./advise.ts";
import type { AdviseOptions } from "./advise.ts";
import { reportHealth } from "./health/health-report.ts";
import type { ReportHealth } from "./health/health-report.ts";
import type { InspectedInput, Inspection } from "./inspect-inputs.ts";
import type { InspectedRun } from "./recorder-set.ts";
import type { SeriesSummary } from "./series-summary.ts";

/** The object that `inspect --json` prints (product.md "Public interfaces"): fields may be added, never renamed. */
export interface InspectReport {
  readonly version: 1;
  readonly inputs: readonly ReportInput[];
  readonly skipped: Inspection["skipped"];
  readonly runs: readonly ReportRun[];
  /** Of inputs that are a machine's and no trainer's, and what NCCL says in trainers' logs. */
  readonly health: readonly ReportHealth[];
  /** Of dumps of the NCCL flight recorder, by folder: the suspects, most suspect first, and the groups in which ranks wait. */
  readonly flightRecorder: readonly ReportFlight[];
  /** Of results of benchmarks and probes: what their numbers say. */
  readonly measurements: Inspection["measurements"];
}

interface ReportFlight extends FlightAnalysis {
  readonly folder: string;
  readonly ranks: readonly number[];
}

type ReportInput = Omit<InspectedInput, "fault"> & { readonly readable: boolean };

export interface ReportRun {
  readonly project: string;
  readonly name: string;
  readonly stepUnit: string;
  readonly attempts: readonly {
    readonly id: string;
    readonly parent: string | null;
    readonly branchStep: number | null;
    readonly firstStep: number | null;
    readonly lastStep: number | null;
    readonly origin: string;
    readonly logEvery: number | null;
    readonly stepTimeS: number | null;
  }[];
  readonly metrics: readonly ReportMetric[];
  readonly findings: readonly ReportFinding[];
  readonly incidents: readonly {
    readonly title: string;
    readonly severity: string;
    readonly ongoing: boolean;
    readonly attempt: string;
    readonly onsetStep: number | null;
    readonly findingIds: readonly string[];
  }[];
  readonly advice: readonly (Advice & { readonly text: string })[];
  readonly checkpoints: readonly ReportCheckpoint[];
  /** Per attempt, which detectors could not see, and why. */
  readonly blind: readonly { readonly attempt: string; readonly detector: string; readonly why: string | null }[];
  /** Facts that the log states: gpus, tokensPerStep, targetSteps, timeZoneAssumed. */
  readonly facts: Readonly<Record<string, string | number>>;
  /** What did not fit into bounded memory, counted. */
  readonly omitted: { readonly points: number; readonly checkpoints: number; readonly notes: number };
}

interface ReportMetric {
  readonly name: string;
  readonly sourceName: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly attempt: string;
  readonly points: number;
  readonly min: number | null;
  readonly max: number | null;
  readonly nonFinite: number;
  readonly firstStep: number | null;
  readonly lastStep: number | null;
}

type ReportFinding = Omit<Finding, "onsetTimeMs" | "detectedTimeMs"> & {
  readonly onsetTime: string | null;
  readonly detectedTime: string | null;
};
type ReportCheckpoint = Omit<Checkpoint, "savedAtMs"> & { readonly savedAt: string | null };

export function inspectReport(inspection: Inspection, options: AdviseOptions): InspectReport {
  return {
    version: 1,
    inputs: inspection.inputs.map(({ fault, ...input }) => ({ ...input, readable: fault === null })),
    skipped: inspection.skipped,
    runs: inspection.runs.map((run) => reportRun(run, options)),
    health: inspection.health.map(reportHealth),
    flightRecorder: inspection.flights.map(({ folder, ranks, analysis }) => ({ folder, ranks, ...analysis })),
    measurements: inspection.measurements,
  };
}

function reportRun({ project, name, recorder }: InspectedRun, options: AdviseOptions): ReportRun {
  const attempts = recorder.attempts();
  const advised = adviseRun(recorder, options);
  return {
    project,
    name,
    stepUnit: recorder.stepUnit,
    attempts: attempts.map(({ name: id, parent, branchStep, firstStep, lastStep, origin }) => {
      const facts = recorder.shelf.facts(id);
      return {
        id,
        parent,
        branchStep,
        firstStep,
        lastStep,
        origin,
        logEvery: facts?.logEvery ?? null,
        stepTimeS: facts?.stepTimeS ?? null,
      };
    }),
    metrics: recorder.metrics().map(reportMetric),
    findings: recorder.ledger.findings().map(reportFinding),
    incidents: advised.map(({ incident }) => reportIncident(incident)),
    advice: advised.map(({ advice }) => ({ ...advice, text: describeAction(advice) })),
    checkpoints: recorder.checkpoints.map(({ savedAtMs, ...checkpoint }) => ({ ...checkpoint, savedAt: isoTime(savedAtMs) })),
    blind: attempts.flatMap(({ name: attempt }) =>
      (recorder.shelf.facts(attempt)?.coverage ?? []).filter(({ sees }) => !sees).map(({ detector, why }) => ({ attempt, detector, why })),
    ),
    facts: Object.fromEntries(recorder.facts),
    omitted: recorder.omissions(),
  };
}

function reportMetric({ writer, labels, ...summary }: SeriesSummary): ReportMetric {
  return { ...summary, labels: writer === null ? labels : { ...labels, writer } };
}

function reportFinding({ onsetTimeMs, detectedTimeMs, ...finding }: Finding): ReportFinding {
  return { ...finding, onsetTime: isoTime(onsetTimeMs), detectedTime: isoTime(detectedTimeMs) };
}

function reportIncident(incident: Incident): ReportRun["incidents"][number] {
  const { title, severity, ongoing, onsetStep } = describeIncident(incident);
  return { title, severity, ongoing, attempt: incident.attempt, onsetStep, findingIds: incident.findings.map((finding) => finding.id) };
}

function isoTime(ms: number | null): string | null {
  return ms === null || !Number.isFinite(ms) || Math.abs(ms) > 8.64e15 ? null : new Date(ms).toISOString();
}
