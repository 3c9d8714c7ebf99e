import { shareLevel } from "./share-level.ts";

export const truncation = shareLevel({
  id: "truncation",
  version: 1,
  title: "Answers cut off",
  finds: "Answers that reach the length limit and are cut off: they are rewarded for what they did not finish.",
  source: "verl's response_length/clip_ratio and TRL's completions/clipped_ratio, detection.md F.3; levels are ours",
  metric: "truncation_share",
  warn: 0.05,
  page: 0.15,
  window: 10,
  counted: "share of answers cut off",
  logged: "share of truncated answers",
  meaning: "the length limit shapes what is learned",
  against: "A limit that is meant to cut (a soft length penalty, a curriculum of lengths) looks the same",
});
