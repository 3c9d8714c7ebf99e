import type { DetectorFamily, DetectorView, LabelCounts } from "@trainwatch/core";
import { fieldOf } from "@trainwatch/core";
import { formatFixed, formatInteger, metricTitle } from "@trainwatch/ui";

export const FAMILY_TITLES = {
  training: "Training curves",
  rank: "Ranks of a run",
  fleet: "Fleet",
  clock: "What did not happen",
} as const satisfies Record<DetectorFamily, string>;

export const FAMILY_NOTES = {
  training: "one series a metric of the whole run",
  rank: "steps × ranks, each among its peers",
  fleet: "GPUs, links, ports and nodes, every 10 s, and what kernels say",
  clock: "steps, checkpoints and nodes that are waited for",
} as const satisfies Record<DetectorFamily, string>;

/** What it reads, by the titles that pages use. */
export function readsWord(reads: readonly string[]): string {
  return reads.map((name) => (fieldOf(name) === null ? metricTitle(name) : (fieldOf(name)?.title ?? name))).join(", ");
}

/** "as it came", "2 changed", "off". */
export function forceWord({ enabled, parameters, severity }: Pick<DetectorView, "enabled" | "parameters" | "severity">): string {
  if (!enabled) return "off";
  const changed = parameters.filter(({ value, inForce }) => value !== inForce).length;
  const words = [...(changed === 0 ? [] : [`${formatInteger(changed)} changed`]), ...(severity === null ? [] : [`told as ${severity}`])];
  return words.length === 0 ? "as it came" : words.join(", ");
}

/** "8 of 10 right, 80 % (49 to 94)". */
export function precisionWord({ right, wrong, precision }: LabelCounts): string {
  if (precision === null) return "nobody has said";
  const percent = (share: number): string => formatFixed(share * 100, 0);
  return `${formatInteger(right)} of ${formatInteger(right + wrong)} right, ${percent(precision.share)} % (${percent(precision.lower)} to ${percent(precision.upper)})`;
}

/** A parameter's value with what it needs of digits: 0.0005 must not read 0. */
export function parameterWord(value: number, unit: string): string {
  const text = Number.isInteger(value) ? formatInteger(value) : String(value).replace("-", "−");
  return unit === "" ? text : `${text} ${unit}`;
}
