/** The newest values, in order of arrival and sorted: median and MAD without sorting anew (Hampel filter). JSON-safe. */
export interface RunningWindow {
  values: number[];
  sorted: number[];
}

export function newRunningWindow(): RunningWindow {
  return { values: [], sorted: [] };
}

/** Adds a finite value and lets the oldest go beyond `capacity`. O(capacity) moves, no allocation. */
export function pushToWindow(window: RunningWindow, capacity: number, value: number): void {
  window.values.push(value);
  window.sorted.splice(lowerBound(window.sorted, value), 0, value);
  if (window.values.length <= capacity) return;
  const oldest = window.values.shift();
  if (oldest !== undefined) window.sorted.splice(lowerBound(window.sorted, oldest), 1);
}

/** Median of the values held; NaN for none. */
export function windowMedian(window: RunningWindow): number {
  return middleOf(window.sorted);
}

/** Median absolute deviation from the median, not scaled to sigma: walks outwards from the middle of the sorted values. NaN for none. */
export function windowMad(window: RunningWindow): number {
  const { sorted } = window;
  const count = sorted.length;
  if (count === 0) return Number.NaN;
  const centre = middleOf(sorted);
  const upper = count >> 1;
  let right = lowerBound(sorted, centre);
  let left = right - 1;
  let previous = 0;
  let current = 0;
  for (let taken = 0; taken <= upper; taken++) {
    const below = left < 0 ? Number.POSITIVE_INFINITY : centre - (sorted[left] ?? 0);
    const above = right >= count ? Number.POSITIVE_INFINITY : (sorted[right] ?? 0) - centre;
    previous = current;
    if (below < above) {
      current = below;
      left--;
    } else {
      current = above;
      right++;
    }
  }
  return count % 2 === 1 ? current : (previous + current) / 2;
}

function middleOf(sorted: readonly number[]): number {
  const middle = sorted.length >> 1;
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? Number.NaN) + upper) / 2;
}

/** Index of the first value that is not below `value`. */
function lowerBound(sorted: readonly number[], value: number): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sorted[middle] ?? Number.POSITIVE_INFINITY) < value) low = middle + 1;
    else high = middle;
  }
  return low;
}
