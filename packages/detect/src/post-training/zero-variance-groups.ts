import { byChance } from "./groups-by-chance.ts";
import { shareLevelBeside } from "./share-level.ts";

export const zeroVarianceGroups = shareLevelBeside(
  {
    id: "zero-variance-groups",
    version: 3,
    title: "Groups without a signal",
    finds: "Prompts whose answers are all rewarded alike: their advantage is zero, so most of the batch teaches nothing.",
    source:
      "DAPO (dynamic sampling) and TRL's frac_reward_zero_std; under a success rate p chance makes p^G + (1 - p)^G of the groups of G answers alike, detection.md F.1 and F.3",
    metric: "zero_variance_share",
    warn: 0.5,
    page: 0.8,
    window: 10,
    counted: "share of groups without variance",
    logged: "share of zero-variance groups",
    meaning: "the effective batch, (1 - f) B, is less than what was paid for",
    against:
      "Where the task is solved, all-right groups are what success looks like: harder prompts or dynamic sampling bring the signal back",
  },
  byChance,
);
