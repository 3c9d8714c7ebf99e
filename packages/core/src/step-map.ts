import { interpolateWithin } from "./interpolate.ts";

/** A rising quantity known at some steps. */
export interface StepPair {
  readonly step: number;
  readonly value: number;
}

/** Where the quantity fell from one known step to the next: nothing is interpolated across. */
export interface StepBreak {
  readonly afterStep: number;
  readonly step: number;
  /** How far it fell; positive. */
  readonly by: number;
}

export interface StepMap {
  /** The quantity at a step, linear between known steps; null outside them and across a break. */
  at(step: number): number | null;
  /** The step at which the quantity had this value; null where it never had. Where it had it twice (a clock set back), the later. */
  stepAt(value: number): number | null;
  /** Growth between two steps, negative where they are given in falling order; null where either is unknown or a break lies between. */
  between(fromStep: number, toStep: number): number | null;
  readonly breaks: readonly StepBreak[];
}

/**
 * Piecewise linear map through the pairs. They may come in any order; of several at one step the smallest counts (the step ended when
 * it was first reported). What is not finite is left out.
 */
export function stepMap(pairs: Iterable<StepPair>): StepMap {
  const { segments, breaks } = toSegments(sortedBySteps(pairs));

  const segmentOf = (step: number): Segment | undefined =>
    segments.find(({ steps }) => step >= (steps[0] ?? Infinity) && step <= (steps.at(-1) ?? -Infinity));
  const at = (step: number): number | null => {
    const segment = segmentOf(step);
    return segment === undefined ? null : (interpolateWithin(segment.steps, segment.values, step) ?? null);
  };
  return {
    at,
    breaks,
    stepAt(value) {
      const segment = segments.findLast(({ values }) => value >= (values[0] ?? Infinity) && value <= (values.at(-1) ?? -Infinity));
      return segment === undefined ? null : (interpolateWithin(segment.values, segment.steps, value) ?? null);
    },
    between(fromStep, toStep) {
      const segment = segmentOf(fromStep);
      if (segment === undefined || segment !== segmentOf(toStep)) return null;
      const from = at(fromStep);
      const to = at(toStep);
      return from === null || to === null ? null : to - from;
    },
  };
}

interface Segment {
  readonly steps: number[];
  readonly values: number[];
}

function sortedBySteps(pairs: Iterable<StepPair>): StepPair[] {
  const finite = [...pairs].filter(({ step, value }) => Number.isFinite(step) && Number.isFinite(value));
  finite.sort((a, b) => a.step - b.step || a.value - b.value);
  return finite.filter(({ step }, index) => index === 0 || step !== finite[index - 1]?.step);
}

function toSegments(pairs: readonly StepPair[]): { segments: Segment[]; breaks: StepBreak[] } {
  const segments: Segment[] = [];
  const breaks: StepBreak[] = [];
  let open: Segment | undefined;
  let previous: StepPair | undefined;
  for (const pair of pairs) {
    if (previous !== undefined && pair.value < previous.value) {
      breaks.push({ afterStep: previous.step, step: pair.step, by: previous.value - pair.value });
      open = undefined;
    }
    if (open === undefined) {
      open = { steps: [], values: [] };
      segments.push(open);
    }
    open.steps.push(pair.step);
    open.values.push(pair.value);
    previous = pair;
  }
  return { segments, breaks };
}
