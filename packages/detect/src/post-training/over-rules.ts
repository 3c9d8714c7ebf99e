import type { DetectorParameter } from "../contract.ts";
import type { ParameterValues } from "../parameters.ts";

/** What the rule of detection.md F.2 asks for; each is honoured. */
export const OVER_PARAMETERS = [
  { name: "slope_z", value: 3.5, unit: "σ", meaning: "The fitted curve must fall at its end by so many standard errors" },
  {
    name: "drop",
    value: 2.7,
    unit: "σ",
    meaning: "And the newest evaluations must lie so many standard errors below those about the peak",
  },
  {
    name: "proxy_z",
    value: 3,
    unit: "σ",
    meaning: "It pages where the reward has risen since the peak by so many standard errors of its slope",
  },
  {
    name: "prompts",
    value: 0,
    unit: "prompts",
    meaning:
      "Held-out prompts, the same at each evaluation: a share of so many scatters by √(p(1-p)/n) at most, which counts where few evaluations say little of the noise. 0: not told",
    least: 0,
    most: 10_000_000,
  },
] as const satisfies readonly DetectorParameter[];
export type OverOptimisationRules = ParameterValues<typeof OVER_PARAMETERS>;
