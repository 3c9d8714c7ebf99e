import type { OpenIncidentTotals } from "@trainwatch/core";
import { formatCount, formatInteger } from "@trainwatch/ui";

type Rates = Pick<OpenIncidentTotals, "gpuHoursPerHour" | "rateUnknown">;

/** Why no rate is known: "not known: its run is silent". Told in place of the number. */
export function rateUnknownWord({ rateUnknown: { noGpus, silent } }: Rates): string {
  const reasons = [
    ...(silent === 0 ? [] : [`${formatCount(silent, "incident")} on ${silent === 1 ? "a silent run" : "silent runs"}`]),
    ...(noGpus === 0 ? [] : [`${formatCount(noGpus, "incident")} on ${noGpus === 1 ? "a run" : "runs"} without a number of GPUs`]),
  ];
  return `not known: ${reasons.join(", ")}`;
}

/** What a known rate leaves out; undefined where nothing is. */
export function rateNote({ gpuHoursPerHour, rateUnknown: { noGpus, silent } }: Rates): string | undefined {
  const left = noGpus + silent;
  return gpuHoursPerHour === null || left === 0 ? undefined : `and ${formatInteger(left)} more of unknown rate`;
}
