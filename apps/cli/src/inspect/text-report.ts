import { describeIncident, sayInteger } from "@trainwatch/core";
import type { Severity } from "@trainwatch/core";
import { describeAction } from "@trainwatch/decide";
import { adviseRun } from "./advise.ts";
import type { AdviseOptions } from "./advise.ts";
import type { InspectedInput, InspectedRun, Inspection } from "./inspect-inputs.ts";
import { terminalChart } from "./terminal-chart.ts";

/** Severity is told by shape and word (visual.md). */
const SHAPES: Readonly<Record<Severity, string>> = { critical: "◆ critical", warning: "▲ warning", info: "● note" };
const MOST_ISSUES = 5;
const MOST_INCIDENTS = 20;
const MOST_WIDTH = 120;

/** The report for people: per run its chart, its incidents with the proposal and its reasons; then what could not be read. */
export function textReport(inspection: Inspection, options: AdviseOptions, columns: number): string {
  const width = Math.min(MOST_WIDTH, Math.max(40, columns));
  const blocks = [...inspection.runs.map((run) => runBlock(run, options, width)), issueBlock(inspection)].filter((block) => block.length > 0);
  return `${blocks.map((block) => block.join("\n")).join("\n\n")}\n`;
}

function runBlock(run: InspectedRun, options: AdviseOptions, width: number): readonly string[] {
  const { recorder } = run;
  const attempts = recorder.attempts();
  const advised = adviseRun(recorder, options);
  const newest = attempts.at(-1);
  const sketch = newest === undefined ? null : recorder.sketch(newest.name);
  const marks = advised.filter(({ incident }) => incident.attempt === newest?.name).map(({ incident }) => describeIncident(incident).onsetStep).filter((step) => step !== null);
  return [
    `${run.project}/${run.name} · ${headline(run)}`,
    ...attempts.filter((attempt) => attempt.parent !== null).map((attempt) => `  attempt ${attempt.name} from ${attempt.parent}${attempt.branchStep === null ? ", from scratch" : ` at step ${sayInteger(attempt.branchStep)}`}`).slice(0, MOST_INCIDENTS),
    ...(sketch === null ? [] : ["", `  loss${attempts.length > 1 ? ` of attempt ${newest?.name ?? ""}` : ""}`, ...terminalChart(sketch, width, marks)]),
    "",
    ...incidentLines(advised),
    ...noteLines(run),
  ];
}

function headline({ recorder }: InspectedRun): string {
  const attempts = recorder.attempts();
  const steps = attempts.flatMap(({ firstStep, lastStep }) => [firstStep, lastStep]).filter((step) => step !== null);
  const points = recorder.metrics().reduce((sum, metric) => sum + metric.points, 0);
  const range = steps.length === 0 ? "no steps" : `steps ${sayInteger(Math.min(...steps))} to ${sayInteger(Math.max(...steps))}`;
  const names = new Set(recorder.metrics().map((metric) => metric.name));
  return `${range} · ${counted(attempts.length, "attempt")} · ${counted(names.size, "metric")} · ${counted(points, "point")}`;
}

function incidentLines(advised: ReturnType<typeof adviseRun>): readonly string[] {
  if (advised.length === 0) return ["  No incident."];
  const lines = advised.slice(0, MOST_INCIDENTS).flatMap(({ incident, advice }) => [
    `  ${SHAPES[incident.severity]}: ${describeIncident(incident).title}${incident.attempt === "a1" ? "" : ` (${incident.attempt})`}`,
    `    → ${describeAction(advice)} · ${advice.confidence.word}, ${Math.round(100 * advice.confidence.share)} %`,
    ...advice.reasons.map((reason) => `      ${reason}`),
    ...(advice.costUnknown === null ? [] : [`      ${advice.costUnknown}`]),
    ...advice.rejected.slice(0, 3).map(({ step, why }) => `      not ${sayInteger(step)}: ${why}`),
  ]);
  return advised.length > MOST_INCIDENTS ? [...lines, `  … and ${advised.length - MOST_INCIDENTS} more incidents; --json lists all.`] : lines;
}

function noteLines({ recorder }: InspectedRun): readonly string[] {
  const inIncidents = new Set(recorder.ledger.incidents().flatMap((incident) => incident.findings.map((finding) => finding.id)));
  const notes = recorder.ledger.findings().filter((finding) => !inIncidents.has(finding.id));
  const total = notes.length + recorder.ledger.notesOmitted;
  const blind = recorder.attempts().flatMap(({ name }) => (recorder.watch(name)?.coverage() ?? []).filter(({ sees }) => !sees).map(({ detector, why }) => `  blind (${name}): ${detector}${why === null ? "" : `, ${why}`}`));
  const first = notes.slice(0, 3).map((finding) => `      ${finding.summary}`);
  return [...(total === 0 ? [] : [`  ${SHAPES.info}: ${counted(total, "one-step outlier or other note", "one-step outliers and other notes")} that opened no incident`, ...first]), ...blind.slice(0, MOST_INCIDENTS)];
}

function issueBlock({ inputs, skipped }: Inspection): readonly string[] {
  const lines = inputs.flatMap((input) => inputIssues(input));
  if (skipped.length > 0) lines.push(`${counted(skipped.length, "file")} in the directory ${skipped.length === 1 ? "is" : "are"} no log and ${skipped.length === 1 ? "was" : "were"} passed over; --json lists them.`);
  return lines;
}

function inputIssues(input: InspectedInput): string[] {
  const own = input.issues.filter((issue) => issue.message !== input.fault?.message);
  if (own.length === 0) return [];
  const rest = input.issuesTotal - Math.min(own.length, MOST_ISSUES) - (input.fault === null ? 0 : 1);
  return [
    `${input.path}: ${counted(input.issuesTotal - (input.fault === null ? 0 : 1), "issue")}`,
    ...own.slice(0, MOST_ISSUES).map((issue) => `  ${issue.line === null ? "" : `line ${sayInteger(issue.line)}: `}${issue.message}`),
    ...(rest > 0 ? [`  … and ${sayInteger(rest)} more`] : []),
  ];
}

function counted(count: number, one: string, many = `${one}s`): string {
  return `${sayInteger(count)} ${count === 1 ? one : many}`;
}
