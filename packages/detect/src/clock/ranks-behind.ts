import { sayInteger } from "@trainwatch/core";

/** Which ranks hold the others up, from the newest step of each: in a job that steps together the others wait for those one step behind (F5). */
export interface RanksBehind {
  /** Ranks at the lowest step, ascending. */
  readonly ranks: readonly number[];
  readonly step: number;
  /** Step of the foremost. */
  readonly front: number;
  /** Ranks that are near the front, those behind included. */
  readonly known: number;
  /** Others that are behind the foremost as well, though not as far. */
  readonly between: number;
  /** Ranks that were last heard of so long before that they have no part in this. */
  readonly gone: number;
}

/** Ranks of one job are a step or two apart; what logs each tenth step seems ten apart. Twice that and some more is another matter. */
const NEAR_STEPS = 8;

/** Null where fewer than two ranks are near the front or all have come to the same step. */
export function ranksBehind(rankSteps: ReadonlyMap<number, number>, logEvery: number): RanksBehind | null {
  let front = Number.NEGATIVE_INFINITY;
  for (const at of rankSteps.values()) front = Math.max(front, at);
  const near = [...rankSteps].filter(([, at]) => front - at <= NEAR_STEPS + 2 * logEvery);
  const step = near.reduce((least, [, at]) => Math.min(least, at), front);
  if (near.length < 2 || step === front) return null;
  return {
    ranks: near.flatMap(([rank, at]) => (at === step ? [rank] : [])).sort((a, b) => a - b),
    step,
    front,
    known: near.length,
    between: near.filter(([, at]) => at > step && at < front).length,
    gone: rankSteps.size - near.length,
  };
}

/** Whether so few are behind that they can be what the others wait for. */
export function areFew({ ranks, known }: RanksBehind): boolean {
  return ranks.length * 2 <= known;
}

const MOST_NAMED = 12;

/** `rank 17`, `ranks 3, 8 to 15 and 21`; the rest is counted. */
export function sayRanks(ranks: readonly number[]): string {
  const spans: [number, number][] = [];
  for (const rank of ranks) {
    const last = spans.at(-1);
    if (last !== undefined && rank === last[1] + 1) last[1] = rank;
    else spans.push([rank, rank]);
  }
  const runs = spans.flatMap(([from, to]): [number, number][] =>
    to === from + 1
      ? [
          [from, from],
          [to, to],
        ]
      : [[from, to]],
  );
  const named = runs.slice(0, MOST_NAMED).map(([from, to]) => (from === to ? String(from) : `${from} to ${to}`));
  const left = runs.slice(MOST_NAMED).reduce((sum, [from, to]) => sum + to - from + 1, 0);
  if (left > 0) named.push(`${sayInteger(left)} more`);
  const last = named.pop() ?? "";
  return `${ranks.length === 1 ? "rank" : "ranks"} ${named.length === 0 ? last : `${named.join(", ")} and ${last}`}`;
}
