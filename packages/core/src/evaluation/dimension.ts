/** What a release is judged by. Quality is never averaged with cost or safety. */
export const DIMENSIONS = ["capability", "tool-calls", "refusal", "safety", "feel", "calibration", "regression", "cost"] as const;
export type Dimension = (typeof DIMENSIONS)[number];

export const DIMENSION_TITLES: Readonly<Record<Dimension, string>> = {
  capability: "Task results",
  "tool-calls": "Tool calls",
  refusal: "Refusals",
  safety: "Safety",
  feel: "Feel",
  calibration: "Calibration",
  regression: "Regression risk; counted against the baseline",
  cost: "Cost; never averaged with quality",
};
