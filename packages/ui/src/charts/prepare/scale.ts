/** How values are laid along y. Everything drawn lives in scale space, where the axis is linear; words come from values. */
export const SCALE_KINDS = ["linear", "log", "symlog"] as const;
export type ScaleKind = (typeof SCALE_KINDS)[number];

export interface Transform {
  readonly kind: ScaleKind;
  /** Null where the scale has no place for the value: zero and below on a log axis. */
  readonly forward: (value: number) => number | null;
  readonly inverse: (scaled: number) => number;
}

export const LINEAR: Transform = { kind: "linear", forward: (value) => value, inverse: (scaled) => scaled };

export const LOG: Transform = {
  kind: "log",
  forward: (value) => (value > 0 ? Math.log10(value) : null),
  inverse: (scaled) => 10 ** scaled,
};

/**
 * sign(v) · log10(1 + |v| / within): linear where |v| is well below `within`, logarithmic beyond, and defined for every number
 * (Webber 2013, "A bi-symmetric log transformation for wide-range data").
 */
export function symlog(within: number): Transform {
  return {
    kind: "symlog",
    forward: (value) => Math.sign(value) * Math.log10(1 + Math.abs(value) / within),
    inverse: (scaled) => Math.sign(scaled) * within * (10 ** Math.abs(scaled) - 1),
  };
}

/** Decades that a symlog axis may spread between its linear middle and its largest value. */
const SYMLOG_DECADES = 6;

/** The transform of `kind` for these finite values; symlog turns linear at the smallest magnitude worth telling apart. */
export function transformFor(kind: ScaleKind, values: readonly number[]): Transform {
  if (kind === "linear") return LINEAR;
  if (kind === "log") return LOG;
  let smallest = Number.POSITIVE_INFINITY;
  let largest = 0;
  for (const value of values) {
    const magnitude = Math.abs(value);
    if (magnitude > 0 && magnitude < smallest) smallest = magnitude;
    if (magnitude > largest) largest = magnitude;
  }
  return symlog(largest === 0 ? 1 : Math.max(smallest, largest / 10 ** SYMLOG_DECADES));
}
