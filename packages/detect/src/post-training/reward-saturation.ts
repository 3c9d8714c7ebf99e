import { rewardSpread } from "./reward-spread.ts";
import { shareLevelBeside } from "./share-level.ts";

export const rewardSaturation = shareLevelBeside(
  {
    id: "reward-saturation",
    version: 2,
    title: "Reward at its limit",
    finds: "A reward that most answers already have in full: it tells good answers from better ones no more.",
    source: "detection.md F.3; the level is ours",
    metric: "reward_saturation",
    warn: 0.6,
    page: null,
    window: 10,
    counted: "share of answers at the largest reward",
    logged: "share of answers at the largest reward",
    meaning: "little is left to learn from it",
    against: "A solved task saturates as well: look at the held-out score before the reward is blamed",
  },
  rewardSpread,
);
