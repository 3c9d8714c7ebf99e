import type { IncidentSummary } from "@trainwatch/core";

/** Costliest first; those of unknown cost after those that burn, before those that cost nothing: unknown is not zero. */
export function byCostRate<T extends Pick<IncidentSummary, "gpuHoursPerHour">>(incidents: readonly T[]): readonly T[] {
  const rank = ({ gpuHoursPerHour }: T): number => gpuHoursPerHour ?? Number.MIN_VALUE;
  return incidents.toSorted((a, b) => rank(b) - rank(a));
}
