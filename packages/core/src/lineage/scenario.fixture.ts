import {
  type Lineage,
  type LineageCorrection,
  type LineagePoint,
  type LineageState,
  type PlacedPoint,
  createLineage,
  placeBatch,
} from "./index.ts";

/** What a source does, for tests: points, and words between them. */
export type Act = { readonly point: LineagePoint } | { readonly marker: string } | { readonly named: string | null };

let nextValue = 0;
/** Points of one series at the given steps, each with a value of its own. */
export function points(series: string, steps: Iterable<number>): Act[] {
  return [...steps].map((step) => ({ point: { series, step, timeMs: null, value: (nextValue += 0.001) } }));
}

export function range(from: number, to: number, by = 1): number[] {
  const steps: number[] = [];
  for (let step = from; step <= to; step += by) steps.push(step);
  return steps;
}

/** Takes one from each list in turn. */
export function interleave(...lists: readonly Act[][]): Act[] {
  const longest = Math.max(...lists.map((list) => list.length));
  return Array.from({ length: longest }, (_, index) => lists.flatMap((list) => list[index] ?? [])).flat();
}

export function act(lineage: Lineage, acts: readonly Act[]): { placed: PlacedPoint[]; corrections: LineageCorrection[] } {
  const placed: PlacedPoint[] = [];
  const corrections: LineageCorrection[] = [];
  let batch: LineagePoint[] = [];
  const flush = (): void => {
    const result = placeBatch(lineage, batch);
    placed.push(...result.placed);
    corrections.push(...result.corrections);
    batch = [];
  };
  for (const item of acts) {
    if ("point" in item) {
      batch.push(item.point);
      continue;
    }
    flush();
    if ("marker" in item) lineage.marker(item.marker);
    else lineage.named(item.named);
  }
  flush();
  return { placed, corrections };
}

/** Where a receiver that obeys the corrections ends up when the acts come in these pushes, the state going through JSON between. */
export function inPushes(
  pushes: readonly (readonly Act[])[],
  afterPush: (lineage: Lineage) => void = () => undefined,
): { lineage: Lineage; where: Map<LineagePoint, string>; far: Set<LineagePoint> } {
  const where = new Map<LineagePoint, string>();
  const far = new Set<LineagePoint>();
  const enter = ({ point, placement }: PlacedPoint): void => {
    where.set(point, `${placement.attempt}/${placement.writer ?? "-"}`);
    if (placement.flag !== null) far.add(point);
  };
  let state: LineageState | undefined;
  let lineage = createLineage();
  for (const push of pushes) {
    lineage = createLineage(state);
    for (const item of push) {
      if ("point" in item) {
        const placed = lineage.place(item.point);
        correct(where, far, lineage.takeCorrections());
        placed.forEach(enter);
      } else {
        if ("marker" in item) lineage.marker(item.marker);
        else lineage.named(item.named);
        correct(where, far, lineage.takeCorrections());
      }
    }
    const placed = lineage.settle();
    correct(where, far, lineage.takeCorrections());
    placed.forEach(enter);
    afterPush(lineage);
    state = JSON.parse(JSON.stringify(lineage.state())) as LineageState;
  }
  return { lineage, where, far };
}

function correct(where: Map<LineagePoint, string>, far: Set<LineagePoint>, corrections: readonly LineageCorrection[]): void {
  for (const { series, attempt, writer, becomes, reflag } of corrections) {
    for (const [point, identity] of where) {
      if (point.series !== series || identity !== `${attempt}/${writer ?? "-"}`) continue;
      if (reflag !== undefined) {
        if (far.has(point) === (reflag.flag !== null) || point.step < reflag.fromStep || point.step > reflag.toStep) continue;
        if (reflag.flag === null) far.delete(point);
        else far.add(point);
      }
      where.set(point, `${becomes.attempt}/${becomes.writer ?? "-"}`);
    }
  }
}
