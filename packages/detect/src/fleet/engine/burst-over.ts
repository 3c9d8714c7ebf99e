/** A burst that grows is told of for so long after it was told last, a quarter of an hour, and somewhat more. */
const GROWS_MS = 20 * 60_000;

export interface ToldBurst {
  /** Of its newest event, by the node's clock, epoch ms. */
  readonly lastMs: number;
  /** The tick that told of it last, epoch ms; absent in what an older version has stored. */
  readonly toldMs?: number;
}

/**
 * Whether no more will be told of a burst, so that what was counted of it may be forgotten: its time alone does not say so, for a node that was cut off for hours brings
 * its events late, and piece by piece. All of it would be counted again that is forgotten sooner.
 */
export function isBurstOver({ lastMs, toldMs = lastMs }: ToldBurst, nowMs: number, silenceMs: number): boolean {
  return nowMs - Math.max(lastMs, toldMs) > Math.max(2 * silenceMs, GROWS_MS);
}
