import { formatInteger } from "@trainwatch/ui";

interface Interval {
  readonly low: number | null;
  readonly high: number | null;
}

/** What whiskers of evaluations stand for, and why some have none: a dot without one is no surer than the others. */
export function whiskerWords(points: readonly Interval[]): string {
  if (points.length === 0) return "";
  const without = points.filter(({ low, high }) => low === null || high === null).length;
  if (without === points.length) return "Dots are evaluations; they have no whiskers, since their source tells no error.";
  if (without === 0) return "Dots are evaluations, whiskers their 95 % intervals.";
  return `Dots are evaluations, whiskers their 95 % intervals; ${formatInteger(without)} of ${formatInteger(points.length)} have none, since their source tells no error.`;
}
