import type { SeriesLine, SeriesWindow } from "@trainwatch/core";

/** `effective`: what today's weights have seen. `superseded`: rolled back. `overlay`: a second run laid over. `single`: one rank of the band beneath. `spread`: the band of ranks under the run's own line, without a line of its own. */
export type LineRole = "spread" | "effective" | "superseded" | "overlay" | "single";

/** A second run laid over the first. */
export interface Overlay {
  readonly name: string;
  readonly window: SeriesWindow;
  /** Added to its x: on the time axis both runs begin together. */
  readonly shift: number;
}

/** A line of the window with its part in the lane. */
export interface LaneSource {
  readonly line: SeriesLine;
  readonly role: LineRole;
  /** Names the line within the lane, the same from one answer to the next. */
  readonly key: string;
  /** 1 to 8 where several series share the lane; null for the lane's one line. */
  readonly series: number | null;
  /** Stands at the end of the line; null where the lane's title says enough. */
  readonly label: string | null;
}

export interface LaneSources {
  readonly all: readonly LaneSource[];
  /** What the lane's numbers are of: the effective view, or what was rolled back where there is nothing else. */
  readonly counted: readonly SeriesLine[];
  /** Series beyond the eight that fit a lane. */
  readonly leftOut: number;
}

const MAX_SERIES = 8;
/** The series ink of a second run. */
const OVERLAY_SERIES = 2;
/** The series ink of the first single rank; the next ones follow. */
const FIRST_SINGLE_SERIES = 2;

/** @param singles lines of single ranks, drawn over the band that they are part of */
export function laneSources(
  metric: string,
  window: SeriesWindow,
  overlay: Overlay | null,
  singles: readonly SeriesLine[] = [],
): LaneSources {
  const own = window.lines.filter((line) => line.metric === metric);
  const groups = [...new Set(own.map(labelsText))];
  const drawn = own.filter((line) => groups.indexOf(labelsText(line)) < MAX_SERIES);
  const effective = drawn.filter((line) => !line.superseded);
  const several = groups.length > 1;
  const sources = drawn.map((line, index): LaneSource => {
    const role = line.superseded ? "superseded" : "effective";
    const label = line.superseded ? `${line.attempt}, rolled back` : several ? labelsText(line) || line.attempt : null;
    return {
      line,
      role,
      label,
      key: `${role} ${line.attempt} ${labelsText(line)} ${index}`,
      series: several ? groups.indexOf(labelsText(line)) + 1 : null,
    };
  });
  return {
    all: withLabelsOnce([
      ...spreadSources(metric, window),
      ...sources,
      ...overlaySources(metric, overlay),
      ...singleSources(metric, singles),
    ]),
    counted: effective.length > 0 ? effective : drawn,
    leftOut: Math.max(0, groups.length - MAX_SERIES),
  };
}

/** Of ranks beside the run's own line only how far they lie apart is drawn: their mean is another quantity. */
function spreadSources(metric: string, { spreads }: SeriesWindow): readonly LaneSource[] {
  const shown = spreads.filter((line) => line.metric === metric && !line.superseded);
  return shown.map((line, index) => ({
    line: { ...line, mean: line.mean.map(() => null) },
    role: "spread",
    label: null,
    series: null,
    key: `spread ${line.attempt} ${labelsText(line)} ${index}`,
  }));
}

function overlaySources(metric: string, overlay: Overlay | null): readonly LaneSource[] {
  if (overlay === null) return [];
  const lines = overlay.window.lines.filter((line) => line.metric === metric && !line.superseded);
  return lines.map((line, index) => ({
    line: shifted(line, overlay.shift),
    role: "overlay",
    label: overlay.name,
    series: OVERLAY_SERIES,
    key: `overlay ${line.attempt} ${labelsText(line)} ${index}`,
  }));
}

function singleSources(metric: string, singles: readonly SeriesLine[]): readonly LaneSource[] {
  const ranks = [...new Set(singles.map(labelsText))];
  return singles
    .filter((line) => line.metric === metric)
    .map((line, index) => ({
      line,
      role: "single",
      label: singleText(line),
      series: FIRST_SINGLE_SERIES + ranks.indexOf(labelsText(line)),
      key: `single ${line.attempt} ${labelsText(line)} ${index}`,
    }));
}

/** "rank 37", with what else tells the series apart. */
export function singleText({ labels: { rank, ...others } }: Pick<SeriesLine, "labels">): string {
  const rest = Object.entries(others).map(([name, value]) => `${name}=${value}`);
  return [...(rank === undefined ? [] : [`rank ${rank}`]), ...rest].join(" ");
}

function labelsText(line: SeriesLine): string {
  return Object.entries(line.labels)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, value]) => `${name}=${value}`)
    .join(" ");
}

/** Attempts of one series follow one another: the label stands at the end of the last of them. */
function withLabelsOnce(sources: readonly LaneSource[]): readonly LaneSource[] {
  const last = new Map<string, LaneSource>();
  for (const source of sources) {
    const before = source.label === null ? undefined : last.get(source.label);
    if (source.label !== null && (before?.line.x.at(-1) ?? Number.NEGATIVE_INFINITY) < (source.line.x.at(-1) ?? Number.NEGATIVE_INFINITY))
      last.set(source.label, source);
  }
  const named = new Set(last.values());
  return sources.map((source) => (named.has(source) ? source : { ...source, label: null }));
}

function shifted(line: SeriesLine, shift: number): SeriesLine {
  if (shift === 0) return line;
  const move = (x: number | null): number | null => (x === null ? null : x + shift);
  return { ...line, x: line.x.map((x) => x + shift), minX: line.minX.map(move), maxX: line.maxX.map(move) };
}
