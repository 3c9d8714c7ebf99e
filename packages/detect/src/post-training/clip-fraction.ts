import { shareLevel } from "./share-level.ts";

export const clipFraction = shareLevel({
  id: "clip-fraction",
  version: 1,
  title: "Updates clipped",
  finds: "A policy that moves so far in one update that the clip takes away a large part of the gradient.",
  source: "PPO's clip (0.2; DAPO 0.2 below, 0.28 above), detection.md F.1 and F.3; levels are ours",
  metric: "clip_fraction",
  warn: 0.2,
  page: 0.4,
  window: 20,
  counted: "share of tokens clipped",
  logged: "clip fraction",
  meaning: "the step is too large, or rollouts and trainer do not agree",
  against: "Many epochs over one batch clip more by design; reward and KL say whether it harms",
});
