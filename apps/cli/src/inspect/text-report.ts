import { describeIncident, sayInteger } from "@trainwatch/core";
import type { AdviseOptions } from "./advise.ts";
import { adviseRun } from "./advise.ts";
import { counted, incidentLines } from "./incident-lines.ts";
import { flightLines } from "./flight/flight-lines.ts";
import { healthLines } from "./health/health-lines.ts";
import { measurementLines } from "./measurements/measurement-lines.ts";
import type { Inspection } from "./inspect-inputs.ts";
import type { InspectedRun } from "./recorder-set.ts";
import { issueLines } from "./issue-lines.ts";
import { blindLines, noteLines } from "./note-lines.ts";
import { terminalChart } from "./terminal-chart.ts";

const LEAST_WIDTH = 40;
const MOST_WIDTH = 120;
const MOST_ATTEMPTS = 20;

/** The report for people: per run its chart, its incidents with the proposal and its reasons; what happened to machines; then what could not be read. */
export function textReport(inspection: Inspection, options: AdviseOptions, columns: number): string {
  const width = Math.min(MOST_WIDTH, Math.max(LEAST_WIDTH, columns));
  const blocks = [
    ...inspection.runs.map((run) => runBlock(run, options, width)),
    ...inspection.health.map(healthLines),
    ...inspection.flights.map(flightLines),
    ...inspection.measurements.map(measurementLines),
    issueLines(inspection),
  ];
  return `${blocks
    .filter((block) => block.length > 0)
    .map((block) => block.join("\n"))
    .join("\n\n")}\n`;
}

function runBlock(run: InspectedRun, options: AdviseOptions, width: number): readonly string[] {
  const advised = adviseRun(run.recorder, options);
  const marks = advised
    .filter(({ incident }) => incident.attempt === run.recorder.attempts().at(-1)?.name)
    .map(({ incident }) => describeIncident(incident).onsetStep)
    .filter((step) => step !== null);
  return [
    `${run.project}/${run.name} · ${headline(run)}`,
    ...attemptLines(run),
    ...chartLines(run, width, marks),
    "",
    ...incidentLines(
      advised,
      run.recorder.attempts().map(({ name }) => name),
    ),
    ...noteLines(run.recorder),
    ...blindLines(run.recorder),
  ];
}

function headline({ recorder }: InspectedRun): string {
  const attempts = recorder.attempts();
  const steps = attempts.flatMap(({ firstStep, lastStep }) => [firstStep, lastStep]).filter((step) => step !== null);
  const points = recorder.metrics().reduce((sum, metric) => sum + metric.points, 0);
  const range = steps.length === 0 ? "no steps" : `steps ${sayInteger(Math.min(...steps))} to ${sayInteger(Math.max(...steps))}`;
  const names = new Set(recorder.metrics().map((metric) => metric.name));
  return [range, counted(attempts.length, "attempt"), counted(names.size, "metric"), counted(points, "point")].join(" · ");
}

function attemptLines({ recorder }: InspectedRun): readonly string[] {
  const lines = recorder
    .attempts()
    .filter(({ parent }) => parent !== null)
    .map(
      ({ name, parent, branchStep }) =>
        `  attempt ${name} after ${parent ?? ""}, ${branchStep === null ? "from scratch" : `from step ${sayInteger(branchStep)}`}`,
    );
  return lines.length > MOST_ATTEMPTS
    ? [...lines.slice(0, MOST_ATTEMPTS), `  … and ${sayInteger(lines.length - MOST_ATTEMPTS)} more attempts`]
    : lines;
}

/** The loss of the newest attempt. */
function chartLines({ recorder }: InspectedRun, width: number, marks: readonly number[]): readonly string[] {
  const attempts = recorder.attempts();
  const newest = attempts.at(-1);
  const sketch = newest === undefined ? null : recorder.shelf.sketch(newest.name);
  if (newest === undefined || sketch === null) return [];
  return ["", `  loss${attempts.length > 1 ? ` of attempt ${newest.name}` : ""}`, ...terminalChart(sketch, width, marks)];
}
