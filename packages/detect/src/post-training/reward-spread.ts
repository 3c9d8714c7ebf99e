import { sayValue } from "@trainwatch/core";
import { median } from "@trainwatch/stats";
import { meanOf, pushRecent, sayPercent } from "./recent.ts";
import type { Beside } from "./share-level.ts";

/** Points whose median is the start, and whose mean is the present. */
const START = 10;
const NEWEST = 10;

interface Spread {
  /** Variances. */
  start: number[];
  recent: number[];
}

/** The variance of the reward beside its saturation: what the advantage is made of. A fact, and no bound: rewards of the same use differ in it by orders of magnitude. */
export const rewardSpread: Beside<Spread> = {
  metrics: ["reward_std"],
  parameters: [],
  fresh: () => ({ start: [], recent: [] }),
  take({ start, recent }, { metric, value }) {
    if (metric !== "reward_std" || value < 0) return;
    if (start.length < START) start.push(value ** 2);
    else pushRecent(recent, NEWEST, value ** 2);
  },
  judge: (_rules, { start, recent }) => ({ expected: 0, fact: sayOf(start, recent) }),
};

function sayOf(start: readonly number[], recent: readonly number[]): string {
  if (start.length === 0) return "How far rewards still differ is not known: no reward_std is logged";
  if (recent.length < NEWEST)
    return `How far rewards still differ is not known: ${start.length + recent.length} points of reward_std, a start and a present need ${START + NEWEST}`;
  const [before, now] = [median(start), meanOf(recent)];
  const left = before > 0 ? `, ${sayPercent(now / before)} of the ${sayValue(before)} at the start` : "";
  return `The variance of the reward, reward_std squared, is ${sayValue(now)}${left}`;
}
