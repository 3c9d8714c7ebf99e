import {
  CAUSE_WORDS,
  sayInteger,
  sayShare,
  sayValue,
  type ExportedSeries,
  type Finding,
  type IncidentExport,
  type IncidentExportContent,
} from "@trainwatch/core";
import { accusedName } from "@trainwatch/decide";

/** Rows of a series that are shown around the onset; all of them are in the JSON. */
const ROWS_BEFORE = 32;
const ROWS_AFTER = 96;

/** The export as a document for people, to begin a post-mortem with. Its data is that of the JSON of the same hash, of which the series are shown around the onset only. */
export function exportMarkdown({ exportedAt, generator, contentHash, content }: IncidentExport): string {
  const sections = [
    header(content),
    causes(content),
    evidence(content),
    decisions(content),
    replays(content),
    timeline(content),
    notices(content),
    series(content),
    leftOut(content),
    [`Exported ${exportedAt} by ${generator}. SHA-256 of the content, which the JSON export holds whole: \`${contentHash}\``],
  ];
  return `${sections
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join("\n"))
    .join("\n\n")}\n`;
}

function header({ incident, action }: IncidentExportContent): string[] {
  const {
    id,
    title,
    run,
    attempt,
    severity,
    state,
    ongoing,
    replacedBy,
    onsetStep,
    onset,
    detected,
    endStep,
    end,
    owner,
    flaps,
    gpuHoursSoFar,
    costUnknown,
    label,
    mergedInto,
    merged,
  } = incident;
  const row = (name: string, value: string | null): string[] => (value === null ? [] : [`| ${name} | ${cell(value)} |`]);
  return [
    `# Incident ${id}: ${text(title)}`,
    "",
    "| | |",
    "|---|---|",
    ...row(
      "Run",
      run === null
        ? "none that is watched"
        : `${run}${attempt === null ? "" : `, attempt ${attempt}`}${replacedBy === null ? "" : `, which ${replacedBy} has followed`}`,
    ),
    ...row("Severity", severity),
    ...row(
      "State",
      `${state}${ongoing ? ", still going on" : ""}${flaps > 0 ? `, was over and came back ${sayInteger(flaps)} times` : ""}`,
    ),
    ...row("Merged into", mergedInto === null ? null : `incident ${mergedInto}, which has its findings now`),
    ...row("Took in", merged.length === 0 ? null : `incidents ${merged.join(", ")}`),
    ...row("Began", moment(onsetStep, onset)),
    ...row("Detected", detected),
    ...row("Ended", ongoing ? null : moment(endStep, end)),
    ...row("Owner", owner),
    ...row(
      "Cost so far",
      gpuHoursSoFar === null ? (costUnknown === null ? null : `not known: ${costUnknown}`) : `${sayValue(gpuHoursSoFar)} GPU-hours`,
    ),
    ...row("Proposed", action === null ? null : `${action.text} (${action.confidence.word})`),
    ...row("The alarm was", label === null ? null : `${label.label}${label.reason === "" ? "" : `: ${label.reason}`} (${label.by})`),
  ];
}

function causes({ causes: assessment }: IncidentExportContent): string[] {
  if (assessment === null) return [];
  return [
    `## Causes (${assessment.word})`,
    "",
    ...assessment.causes.flatMap(({ cause, subjectKind, subjectId, share, facts }) => [
      `- **${CAUSE_WORDS[cause]}${text(` ${accusedName({ subjectKind, subjectId }) ?? ""}`).trimEnd()}**: ${sayShare(share)}`,
      ...facts.map(
        (fact) =>
          `  - ${fact.logBayesFactor >= 0 ? "for" : "against"} (${fact.logBayesFactor.toFixed(1)}): ${text(fact.text)} (${text(fact.source)})`,
      ),
    ]),
    ...(assessment.nextTest === null ? [] : ["", `Next test: ${text(assessment.nextTest.test)}. ${text(assessment.nextTest.why)}`]),
  ];
}

function evidence({ findings, shares }: IncidentExportContent): string[] {
  return [
    "## Evidence",
    ...findings.flatMap((finding) => [
      "",
      `### ${text(finding.summary)}`,
      "",
      `${text(finding.detector)} v${finding.version}, ${subjectWords(finding)}, ${finding.state}`,
      ...facts(finding),
    ]),
    ...(shares.findings.shown < shares.findings.total ? ["", `Shown: ${shares.findings.shown} of ${shares.findings.total} findings.`] : []),
  ];
}

function subjectWords({ subject, metric }: Finding): string {
  return `${text(metric)} of ${subject.kind} ${text(subject.id)}`;
}

function facts({ evidence: stated }: Finding): string[] {
  return ["for", "against", "neutral"].flatMap((weight) => {
    const own = stated.filter((fact) => fact.weight === weight);
    return own.length === 0
      ? []
      : [
          "",
          `${weight === "neutral" ? "Neither for nor against" : weight === "for" ? "For" : "Against"}:`,
          ...own.map((fact) => `- ${text(fact.text)}${fact.source === null ? "" : ` (${text(fact.source)})`}`),
        ];
  });
}

function decisions({ decisions: made }: IncidentExportContent): string[] {
  if (made.length === 0) return [];
  return ["## Decisions", "", ...made.map(({ at, actor, verdict, reason }) => `- ${at} **${text(actor)}** ${verdict}: ${text(reason)}`)];
}

function replays({ replays: told }: IncidentExportContent): string[] {
  if (told.length === 0) return [];
  return [
    "## Replays",
    "",
    ...told.map(({ at, actor, kind, outcome, runs, step, gpuId, nodeId, note }) => {
      const where = [step === null ? null : `step ${sayInteger(step)}`, gpuId, nodeId].filter((part) => part !== null).join(", ");
      return `- ${at} ${text(actor)}: ${kind}${where === "" ? "" : ` (${text(where)})`} ${outcome}, ${sayInteger(runs)} ${runs === 1 ? "run" : "runs"}${note === "" ? "" : `. ${text(note)}`}`;
    }),
  ];
}

function timeline({ timeline: entries, shares }: IncidentExportContent): string[] {
  return [
    "## Timeline",
    "",
    "| time (UTC) | step | who | what |",
    "|---|---:|---|---|",
    ...entries.map(
      ({ at, step, actor, text: said }) => `| ${at ?? ""} | ${step === null ? "" : sayInteger(step)} | ${cell(actor)} | ${cell(said)} |`,
    ),
    ...(shares.timeline.shown < shares.timeline.total
      ? ["", `Shown: the last ${shares.timeline.shown} of ${shares.timeline.total} entries.`]
      : []),
  ];
}

function notices({ notices: sent }: IncidentExportContent): string[] {
  if (sent.length === 0) return [];
  return [
    "## Who was told",
    "",
    "| time (UTC) | channel | why | state | tries |",
    "|---|---|---|---|---:|",
    ...sent.map(({ at, channel, reason, state, tries }) => `| ${at} | ${cell(channel)} | ${reason} | ${state} | ${tries.length} |`),
  ];
}

function series({ series: lines, fleetSeries, incident }: IncidentExportContent): string[] {
  if (lines.length + fleetSeries.length === 0) return [];
  return [
    "## Series",
    "",
    "| what | whose | unit | points | least | largest |",
    "|---|---|---|---:|---:|---:|",
    ...lines.map(
      (line) => `| ${cell(line.metric)} | ${cell(whose(line))} | ${cell(line.unit ?? "")} | ${sum(line.points)} | ${extremes(line)} |`,
    ),
    ...fleetSeries.map(
      (line) => `| ${cell(line.field)} | ${cell(line.entity)} | ${cell(line.unit)} | ${sum(line.readings)} | ${extremes(line)} |`,
    ),
    ...lines.flatMap((line) => ["", ...table(line, incident.onsetStep)]),
  ];
}

function whose({ attempt, labels, members }: ExportedSeries): string {
  const named = Object.entries(labels).map(([name, value]) => `${name} ${value}`);
  return [attempt, ...named, ...(members > 1 ? [`${sayInteger(members)} ranks`] : [])].join(", ");
}

function extremes({ min, max }: { readonly min: readonly (number | null)[]; readonly max: readonly (number | null)[] }): string {
  const known = (values: readonly (number | null)[]): readonly number[] => values.filter((value) => value !== null);
  const [lows, highs] = [known(min), known(max)];
  const least = lows.reduce((low, value) => Math.min(low, value), Infinity);
  const most = highs.reduce((high, value) => Math.max(high, value), -Infinity);
  return lows.length === 0 ? "| " : `${sayValue(least)} | ${sayValue(most)}`;
}

function table(line: ExportedSeries, onsetStep: number | null): string[] {
  const at =
    onsetStep === null
      ? 0
      : Math.max(
          0,
          line.lastStep.findIndex((step) => step >= onsetStep),
        );
  const from = Math.max(0, at - ROWS_BEFORE);
  const to = Math.min(line.firstStep.length, at + ROWS_AFTER);
  const words = new Map(line.nonFinite.map(([bin, word]) => [bin, word]));
  const rows = Array.from({ length: to - from }, (_, offset) => {
    const bin = from + offset;
    const value = (column: readonly (number | null)[]): string => String(column[bin] ?? words.get(bin) ?? "");
    return [line.firstStep[bin], line.points[bin], value(line.mean), value(line.min), value(line.max)].join(",");
  });
  return [
    `${text(line.metric)} (${text(whose(line))})${to - from < line.firstStep.length ? `, ${to - from} of ${line.firstStep.length} rows around the onset` : ""}:`,
    "```csv",
    "step,points,mean,min,max",
    ...rows,
    "```",
  ];
}

function leftOut({ leftOut: sentences, shares }: IncidentExportContent): string[] {
  const cut = (name: string, { shown, total }: { readonly shown: number; readonly total: number }): string[] =>
    shown < total ? [`${name}: ${shown} of ${total} are here.`] : [];
  const all = [...sentences, ...cut("Series", shares.series), ...cut("Series of suspects", shares.fleetSeries)];
  return all.length === 0 ? [] : ["## Not in this export", "", ...all.map((sentence) => `- ${text(sentence)}`)];
}

function moment(step: number | null, time: string | null): string | null {
  const parts = [...(step === null ? [] : [`step ${sayInteger(step)}`]), ...(time === null ? [] : [time])];
  return parts.length === 0 ? null : parts.join(", ");
}

function sum(counts: readonly number[]): string {
  return sayInteger(counts.reduce((total, count) => total + count, 0));
}

/** Marks of Markdown that would make a link, an image, code or struck-out words of what they stand in. */
const MARKS = /[\\`[\]*~]/g;

/** On one line, and neither HTML nor Markdown: people, logs and whoever names a run have written it, and an image that is fetched tells who reads. */
function text(value: string): string {
  return value.replaceAll(/\s+/g, " ").replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(MARKS, "\\$&");
}

function cell(value: string): string {
  return text(value).replaceAll("|", "\\|");
}
