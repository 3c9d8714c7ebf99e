/** The newest samples of one metric, oldest first, columnar. JSON-safe; the caller gives the capacity. */
export interface SampleRing {
  steps: number[];
  times: (number | null)[];
  values: number[];
}

export function newSampleRing(): SampleRing {
  return { steps: [], times: [], values: [] };
}

export function pushSample(ring: SampleRing, capacity: number, step: number, timeMs: number | null, value: number): void {
  ring.steps.push(step);
  ring.times.push(timeMs);
  ring.values.push(value);
  if (ring.steps.length > capacity) {
    ring.steps.shift();
    ring.times.shift();
    ring.values.shift();
  }
}

/** The samples whose step lies in [from, to). */
export function sliceBySteps(ring: SampleRing, from: number, to: number): SampleRing {
  const start = lowerIndex(ring.steps, from);
  const end = lowerIndex(ring.steps, to);
  return { steps: ring.steps.slice(start, end), times: ring.times.slice(start, end), values: ring.values.slice(start, end) };
}

/** `first` and then `second`, cut to the newest `capacity`. */
export function joinRings(first: SampleRing, second: SampleRing, capacity: number): SampleRing {
  return {
    steps: [...first.steps, ...second.steps].slice(-capacity),
    times: [...first.times, ...second.times].slice(-capacity),
    values: [...first.values, ...second.values].slice(-capacity),
  };
}

/** Index of the first step that is not below `step`. */
export function lowerIndex(steps: readonly number[], step: number): number {
  let low = 0;
  let high = steps.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((steps[middle] ?? Number.POSITIVE_INFINITY) < step) low = middle + 1;
    else high = middle;
  }
  return low;
}
