import type { DetectorParameter } from "../contract.ts";

/** The pace rule's parameters for a rate, which falls where a time rises. */
export const RATE_PARAMETERS = [
  { name: "drop", value: 10, unit: "%", meaning: "A point so far below the lagged median is low", least: 5, most: 95 },
  { name: "in_a_row", value: 5, unit: "logged points", meaning: "Low points in a row" },
  { name: "deviations", value: 3, unit: "σ", meaning: "And by so many robust deviations, where the rate scatters", least: 0 },
  { name: "window", value: 50, unit: "logged points", meaning: "Length of the lagged median", least: 20, most: 2_048 },
  {
    name: "lag",
    value: 10,
    unit: "logged points",
    meaning: "Newest points kept out of it; their median below the limit is a drop too",
    least: 3,
    most: 512,
  },
] as const satisfies readonly DetectorParameter[];
