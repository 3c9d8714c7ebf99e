/** The true accuracy of a policy over its run, as a share done from 0 to 1. */
export interface Shape {
  readonly name: string;
  readonly accuracy: (done: number) => number;
  /** Where it is best, on a plateau the last place; null: it never falls. */
  readonly peak: number | null;
}

/** The score falls by 16 points a run from a place on. */
const fallen = (done: number, from: number): number => 0.16 * Math.max(0, done - from);
const saturating = (done: number): number => 0.4 + 0.25 * (1 - Math.exp(-done / 0.15));
const plateau = (done: number): number => 0.4 + 0.25 * Math.min(1, done / 0.35);

/** a + b d + c d log d over d the root of the KL, which grows with the steps: the curve that the detector fits (Gao, Schulman & Hilton 2023). */
function overOptimised(peak: number): (done: number) => number {
  const top = Math.sqrt(peak);
  const c = -0.6 / top;
  const b = -c * (1 + Math.log(top));
  return (done) => {
    const d = Math.sqrt(done);
    return 0.35 + b * d + (d > 0 ? c * d * Math.log(d) : 0);
  };
}

const TURNING = [
  { name: "saturating, then falling", accuracy: (done: number) => saturating(done) - fallen(done, 0.5), peak: 0.5 },
  { name: "plateau, then falling", accuracy: (done: number) => plateau(done) - fallen(done, 0.5), peak: 0.5 },
] as const satisfies readonly Shape[];

/** By which alarms are judged (detection.md F.2). */
export const ALARM_SHAPES: readonly Shape[] = [
  { name: "saturating", accuracy: saturating, peak: null },
  { name: "plateau", accuracy: plateau, peak: null },
  { name: "rising", accuracy: (done) => 0.4 + 0.25 * done, peak: null },
  ...TURNING,
];

/** By which the place of the peak is judged: the fitted curve itself, and what it describes badly. */
export const PEAK_SHAPES: readonly (Shape & { readonly peak: number })[] = [
  { name: "the curve of the fit", accuracy: overOptimised(0.35), peak: 0.35 },
  ...TURNING,
  { name: "saturating, early fall", accuracy: (done) => saturating(done) - fallen(done, 0.35), peak: 0.35 },
  { name: "two straight lines", accuracy: (done) => 0.4 + 0.5 * Math.min(done, 0.5) - fallen(done, 0.5), peak: 0.5 },
  { name: "parabola", accuracy: (done) => 0.6 - 0.5 * (done - 0.4) ** 2, peak: 0.4 },
];
