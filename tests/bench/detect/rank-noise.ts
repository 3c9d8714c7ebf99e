import type { RankPlacement } from "@trainwatch/core";
import { scaledT4Cdf } from "@trainwatch/stats";

/** Draws of Student's t with four degrees of freedom, scaled so that 1.4826 MAD is one: the planning null of detection.md B.4. */
export type Noise = () => number;

const CELLS = 65_536;
let quantiles: Float32Array | null = null;

/** Middle of each of 65,536 cells of equal probability, by bisection of the distribution function. */
function table(): Float32Array {
  if (quantiles !== null) return quantiles;
  const cells = new Float32Array(CELLS);
  for (let cell = 0; cell < CELLS / 2; cell++) {
    const share = (cell + 0.5) / CELLS;
    let [low, high] = [-60, 0];
    for (let round = 0; round < 40; round++) {
      const middle = (low + high) / 2;
      if (scaledT4Cdf(middle) < share) low = middle;
      else high = middle;
    }
    cells[cell] = (low + high) / 2;
    cells[CELLS - 1 - cell] = -(low + high) / 2;
  }
  quantiles = cells;
  return cells;
}

/** 32 random bits: xorshift (Marsaglia 2003), a few nanoseconds a draw. A null of billions of draws must be affordable. */
function wordsOf(seed: number): () => number {
  let state = (Math.imul(seed + 1, 0x9e3779b1) ^ 0x5bf03635) | 1;
  const next = (): number => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return state >>> 0;
  };
  for (let round = 0; round < 16; round++) next();
  return next;
}

export function heavyNoise(seed: number): Noise {
  const cells = table();
  const word = wordsOf(seed);
  return () => {
    const bits = word();
    const cell = bits >>> 16;
    if (cell > 0 && cell < CELLS - 1) return cells[cell] ?? 0;
    // In the outermost cells the tail itself, P(t > x) = 3 / x^4, so that z > 20 comes as often as it should.
    const share = ((word() >>> 0) + 1) / 2 ** 32 / CELLS;
    const far = (3 / share) ** 0.25 / 1.0981;
    return cell === 0 ? -far : far;
  };
}

export function uniformNoise(seed: number): Noise {
  const word = wordsOf(seed);
  return () => word() / 2 ** 32;
}

/** Gaussian to a few per cent: enough for offsets and for what a whole step has in common. */
export function softNoise(seed: number): Noise {
  const uniform = uniformNoise(seed);
  return () => {
    let sum = -6;
    for (let index = 0; index < 12; index++) sum += uniform();
    return sum;
  };
}

/** Ranks as Megatron numbers them: tensor ranks next to each other, then replicas, then stages; so many ranks a node. */
export function layoutOf({ dp, tp, pp, perNode = 8 }: { dp: number; tp: number; pp: number; perNode?: number }): RankPlacement[] {
  return Array.from({ length: dp * tp * pp }, (_, rank) => {
    const node = Math.floor(rank / perNode);
    return {
      rank,
      tp: rank % tp,
      dp: Math.floor(rank / tp) % dp,
      pp: Math.floor(rank / (tp * dp)),
      ep: null,
      gpuId: `GPU-${rank}`,
      nodeId: `node-${node}`,
      host: `n${node}`,
    };
  });
}
