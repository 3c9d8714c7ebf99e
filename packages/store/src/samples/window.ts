import type { Axis, SeriesLine, SeriesWindow } from "@trainwatch/core";
import { AppError, effectiveView } from "@trainwatch/core";
import type pg from "pg";
import type { AxisMap } from "./axis-map.ts";
import { timeMaps, tokenMaps } from "./axis-source.ts";
import { type Band, readBands } from "./bands/band-table.ts";
import { readingsOf } from "./bands/readings.ts";
import { bucketGrid } from "./bucket-grid.ts";
import { type RunFacts, readRunFacts } from "./dictionary.ts";
import { emitLine } from "./emit.ts";
import { levelWithin } from "./fold.ts";
import type { AttemptView } from "./attempt-view.ts";
import { type GatheredLine, gather } from "./gather.ts";
import { segmentsOf } from "./segments.ts";
import { type LineHead, type WindowLine, readLineHeads, readLines } from "./window-lines.ts";
import { portionsOf } from "./window-portions.ts";

export interface WindowQuestion {
  readonly runId: number;
  /** Canonical names; each gives lines of its own. */
  readonly metrics: readonly string[];
  /** `effective`: the newest attempt and what it builds on. `all`: replaced steps too, as lines marked superseded. Or attempts by name. */
  readonly attempts: "effective" | "all" | readonly string[];
  readonly axis: Axis;
  /** Ends on the axis, both included; null is where the data ends. */
  readonly from: number | null;
  readonly to: number | null;
  /** At most so many buckets a line. */
  readonly buckets: number;
  /** Only these ranks, each as a line of its own; left out: all, as bands. */
  readonly ranks?: readonly string[];
}

/** Series that a window merges at most: eight metrics of 131,072 ranks. */
const MAX_SERIES = 1_048_576;
/** Lines that it answers at most: a metric with more is to be narrowed down. */
const MAX_LINES = 4096;

/**
 * One window of some metrics of a run, at the resolution asked for, from all stored points.
 * Expects a read transaction, so that all parts see one state.
 * @throws AppError `not-found` for an unknown run, `too-large` where the metrics give more than 4,096 lines or 1,048,576 series.
 */
export async function readWindow(client: pg.ClientBase, question: WindowQuestion): Promise<SeriesWindow> {
  const { runId, metrics, axis } = question;
  const facts = await readRunFacts(client, runId);
  if (facts === null) throw new AppError("not-found", `There is no run ${runId}.`, { details: { runId } });
  const lines = await readLines(client, { runId, metrics, ranks: question.ranks ?? null }, MAX_SERIES + 1);
  const members = lines.reduce((sum, { seriesIds }) => sum + seriesIds.length, 0);
  if (lines.length > MAX_LINES || members > MAX_SERIES)
    throw new AppError("too-large", "These metrics have too many series. Ask for fewer.", { details: { runId, metrics } });
  const heads = await readLineHeads(client, runId, lines);
  const maps = await axisMaps(client, question, facts, heads);
  const plan = planAttempts(question, facts, heads, maps);
  const answered = range(question, plan);
  if (answered === null)
    return {
      axis,
      from: question.from,
      to: question.to,
      fromStep: null,
      toStep: null,
      buckets: question.buckets,
      points: 0,
      lines: [],
      spreads: [],
    };
  const { grid, ends } = answered;
  const views = plan.map((attempt) => attemptView(attempt, question, grid.width, ends));
  const withFar = axis === "step" && question.to !== null;
  const readings = readingsOf({ lines, heads, attempts: views, bands: await bandsFor(client, question), withFar });
  const lineOf = new Map(
    readings.flatMap(({ seriesOfLines }) => seriesOfLines.flatMap((ids, line) => ids.map((id) => [id, line] as const))),
  );
  const gathered = await gather(client, {
    groupId: runId,
    parts: readings.map(({ attempts, seriesOfLines }) => ({ attempts, portions: portionsOf(seriesOfLines, heads, grid.count) })),
    grid,
    ...ends,
    withFar,
    times: timeBounds(axis, ends, maps),
    lineOf: (seriesId) => lineOf.get(seriesId) ?? 0,
  });
  const isSpread = spreadsOf(lines, heads);
  const draw = (spread: boolean): readonly SeriesLine[] => {
    const chosen = gathered.filter(({ line, attemptId }) => isSpread(line, attemptId) === spread);
    return drawLines(chosen, views, lines, facts, metrics);
  };
  const drawn = draw(false);
  return {
    axis,
    ...shown(question, answered, drawn),
    buckets: question.buckets,
    points: drawn.reduce((sum, line) => sum + line.summary.points, 0),
    lines: drawn,
    spreads: draw(true),
  };
}

/** Whether a line is of ranks beside what the run logs of the same metric itself in that attempt, whatever the range asked for. */
function spreadsOf(lines: readonly WindowLine[], heads: readonly LineHead[]): (line: number, attemptId: number) => boolean {
  const place = ({ metric, labels }: WindowLine, attemptId: number): string => JSON.stringify([attemptId, metric, labels]);
  const own = new Set(heads.flatMap(({ line, attemptId }) => ownPlace(lines[line], attemptId)));
  function ownPlace(line: WindowLine | undefined, attemptId: number): string[] {
    return line === undefined || line.ranked ? [] : [place(line, attemptId)];
  }
  return (index, attemptId) => {
    const line = lines[index];
    return line !== undefined && line.ranked && own.has(place(line, attemptId));
  };
}

/** Bands hold no time of each rank, so that a step stands where its first rank was: they are for the axes on which a step has one place. */
async function bandsFor(client: pg.ClientBase, { runId, axis, ranks }: WindowQuestion): Promise<readonly Band[]> {
  return ranks === undefined && axis !== "time" ? readBands(client, runId) : [];
}

async function axisMaps(
  client: pg.ClientBase,
  { runId, axis }: WindowQuestion,
  facts: RunFacts,
  heads: readonly LineHead[],
): Promise<ReadonlyMap<number, AxisMap>> {
  // The reference series may be one that was not asked for.
  if (axis === "tokens") return tokenMaps(client, runId, facts);
  return axis === "time" && heads.some((head) => head.untimedPoints > 0) ? timeMaps(client, runId) : new Map();
}

interface AttemptPlan {
  readonly id: number;
  readonly limit: number;
  readonly withSuperseded: boolean;
  readonly map: AxisMap | undefined;
  readonly heads: readonly LineHead[];
  /** First and last position of the attempt's points on the axis; empty where it has none. */
  readonly extents: readonly (readonly [number, number])[];
}

function planAttempts(
  { attempts: scope, axis }: WindowQuestion,
  facts: RunFacts,
  lineHeads: readonly LineHead[],
  maps: ReadonlyMap<number, AxisMap>,
): readonly AttemptPlan[] {
  const { superseded } = effectiveView(facts.attempts);
  return facts.attempts.flatMap((attempt): AttemptPlan[] => {
    // The first replaced step ends what counts of an attempt: all that follows is replaced as well.
    const limit = (superseded.get(attempt.name)?.[0]?.fromStep ?? Infinity) - 1;
    const withSuperseded = scope !== "effective";
    if (typeof scope !== "string" && !scope.includes(attempt.name)) return [];
    const heads = lineHeads.filter((head) => head.attemptId === attempt.id);
    const map = maps.get(attempt.id);
    return [
      {
        id: attempt.id,
        limit,
        withSuperseded,
        map,
        heads,
        extents: heads.flatMap((head) => extent(head, axis, map, withSuperseded ? Infinity : limit)),
      },
    ];
  });
}

function extent(head: LineHead, axis: Axis, map: AxisMap | undefined, limit: number): [number, number][] {
  if (axis === "time" && head.firstTimeMs !== null && head.lastTimeMs !== null) return [[head.firstTimeMs, head.lastTimeMs]];
  if (head.firstStep === null || head.lastStep === null || head.firstStep > limit) return [];
  const steps: [number, number] = [head.firstStep, Math.min(head.lastStep, limit)];
  if (axis === "step") return [steps];
  const [from, to] = [map?.at(steps[0]), map?.at(steps[1])];
  return from === undefined || to === undefined ? [] : [[from, to]];
}

/** Null where nothing lies in the range asked for. */
function range({ from, to, buckets, axis }: WindowQuestion, plan: readonly AttemptPlan[]) {
  const extents = plan.flatMap((attempt) => attempt.extents);
  const first = Math.min(...extents.map(([lo]) => lo));
  // Far points lie beyond every extent, and are shown to who asks for their steps.
  const hasFar = plan.some((attempt) => attempt.heads.some((head) => head.farPoints > 0));
  const last = axis === "step" && to !== null && hasFar ? Infinity : Math.max(...extents.map(([, hi]) => hi));
  const lo = Math.max(from ?? -Infinity, first);
  const hi = Math.min(to ?? Infinity, last);
  if (!(lo <= hi) || !Number.isFinite(lo) || !Number.isFinite(hi)) return null;
  return { lo, hi, grid: bucketGrid(lo, hi, buckets), ends: { from: from ?? -Infinity, to: to ?? Infinity } };
}

function attemptView(
  { id, limit, withSuperseded, map, heads }: AttemptPlan,
  { axis }: WindowQuestion,
  width: number,
  ends: { from: number; to: number },
): AttemptView {
  if (axis === "step") {
    const exponent = Math.floor(Math.log2(width % 3 === 0 && width > 1 ? width / 3 : width));
    return {
      attemptId: id,
      endsInSteps: true,
      segments: segmentsOf(ends.from, ends.to, limit, withSuperseded),
      level: levelWithin(exponent),
      x: (step) => step,
    };
  }
  const steps =
    axis === "tokens" && map !== undefined
      ? { lo: (map.stepAt(ends.from) ?? -Infinity) - 1, hi: (map.stepAt(ends.to) ?? Infinity) + 1 }
      : { lo: -Infinity, hi: Infinity };
  const place =
    axis === "tokens" ? (step: number) => map?.at(step) : (step: number, timeMs: number) => (timeMs === timeMs ? timeMs : map?.at(step));
  // A cell goes where its first point lies, and so may reach into the next bucket, but never beyond.
  const exponent = Math.floor(Math.log2(Math.max(1, stepsPerUnit(axis, heads, map) * width)));
  return {
    attemptId: id,
    endsInSteps: false,
    segments: segmentsOf(Math.floor(steps.lo), Math.ceil(steps.hi), limit, withSuperseded),
    level: levelWithin(exponent),
    x: place,
  };
}

function stepsPerUnit(axis: Axis, heads: readonly LineHead[], map: AxisMap | undefined): number {
  const rates = heads.flatMap(({ firstStep, lastStep, slowestRate }): number[] => {
    if (firstStep === null || lastStep === null) return [];
    if (axis === "time" && slowestRate !== null) return [slowestRate];
    const span = (map?.at(lastStep) ?? 0) - (map?.at(firstStep) ?? 0);
    return span > 0 ? [(lastStep - firstStep) / span] : [];
  });
  return rates.length === 0 ? 0 : Math.min(...rates);
}

function timeBounds(axis: Axis, { from, to }: { from: number; to: number }, maps: ReadonlyMap<number, AxisMap>) {
  if (axis !== "time") return { from: -Infinity, to: Infinity, untimedLo: -Infinity, untimedHi: Infinity };
  const lows = [...maps.values()].map((map) => (Number.isFinite(from) ? (map.stepAt(from) ?? -Infinity) : -Infinity));
  const highs = [...maps.values()].map((map) => (Number.isFinite(to) ? (map.stepAt(to) ?? Infinity) : Infinity));
  return { from, to, untimedLo: Math.min(Infinity, ...lows), untimedHi: Math.max(-Infinity, ...highs) };
}

function drawLines(
  gathered: readonly GatheredLine[],
  views: readonly AttemptView[],
  keys: readonly WindowLine[],
  { attempts }: RunFacts,
  metrics: readonly string[],
): readonly SeriesLine[] {
  const order = (line: GatheredLine): readonly number[] => [
    metrics.indexOf(keys[line.line]?.metric ?? ""),
    line.line,
    attempts.findIndex((attempt) => attempt.id === line.attemptId),
    Number(line.superseded),
  ];
  const sorted = [...gathered].sort((a, b) => compare(order(a), order(b)));
  return sorted.flatMap((line): SeriesLine[] => {
    const key = keys[line.line];
    const attempt = attempts.find((each) => each.id === line.attemptId);
    const view = views.find((each) => each.attemptId === line.attemptId);
    if (key === undefined || attempt === undefined || view === undefined) return [];
    const drawn = emitLine(line.buckets, view);
    if (drawn.x.length === 0) return [];
    const { seriesIds, ranked: _, ...named } = key;
    return [{ ...named, members: seriesIds.length, attempt: attempt.name, superseded: line.superseded, ...drawn }];
  });
}

function compare(a: readonly number[], b: readonly number[]): number {
  return a.map((value, index) => value - (b[index] ?? 0)).find((difference) => difference !== 0) ?? 0;
}

/** Ends as asked, else where the data begins and ends; and the same in steps, by what counts of the lines. */
function shown(
  { axis, from, to }: WindowQuestion,
  { lo, hi }: { readonly lo: number; readonly hi: number },
  lines: readonly SeriesLine[],
): Pick<SeriesWindow, "from" | "to" | "fromStep" | "toStep"> {
  const ends = { from: from ?? lo, to: to ?? hi };
  if (axis === "step") return { ...ends, fromStep: ends.from, toStep: ends.to };
  const counted = lines.some((line) => !line.superseded) ? lines.filter((line) => !line.superseded) : lines;
  const firsts = counted.flatMap((line) => line.stepFirst.slice(0, 1));
  const lasts = counted.flatMap((line) => line.stepLast.slice(-1));
  return { ...ends, fromStep: firsts.length === 0 ? null : Math.min(...firsts), toStep: lasts.length === 0 ? null : Math.max(...lasts) };
}
