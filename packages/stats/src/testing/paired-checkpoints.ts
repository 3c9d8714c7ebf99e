import { normalCdf } from "../gaussian.ts";
import { normalQuantile } from "../normal-quantile.ts";
import { normalDraw } from "../random.ts";
import type { Random } from "../random.ts";

export interface CheckpointSettings {
  readonly prompts: number;
  /** True accuracy of each checkpoint. */
  readonly accuracies: readonly number[];
  /** Correlation of the pass or fail scores of two checkpoints on one prompt. */
  readonly correlation: number;
}

/**
 * A source of pass or fail columns of checkpoints on the same prompts (detection.md F.2): a latent normal is shared by all checkpoints of a prompt, and
 * given it the checkpoints answer independently.
 */
export function newCheckpointSource({ prompts, accuracies, correlation }: CheckpointSettings): (random: Random) => readonly Float64Array[] {
  const mean = accuracies.reduce((sum, accuracy) => sum + accuracy, 0) / accuracies.length;
  const shared = latentShare(mean, correlation);
  const levels = [...new Set(accuracies)];
  const limits = levels.map(normalQuantile);
  const levelOf = accuracies.map((accuracy) => levels.indexOf(accuracy));
  const chances = new Float64Array(levels.length);
  return (random) => {
    const columns = accuracies.map(() => new Float64Array(prompts));
    for (let prompt = 0; prompt < prompts; prompt++) {
      const common = normalDraw(random);
      for (let level = 0; level < limits.length; level++) chances[level] = passChance(limits[level] ?? 0, shared, common);
      for (let at = 0; at < columns.length; at++) {
        const column = columns[at];
        if (column !== undefined && random() < (chances[levelOf[at] ?? 0] ?? 0)) column[prompt] = 1;
      }
    }
    return columns;
  };
}

function passChance(limit: number, shared: number, common: number): number {
  return normalCdf((limit - Math.sqrt(shared) * common) / Math.sqrt(1 - shared));
}

/** The latent correlation at which the scores, which are coarser, have the one wanted; by bisection over an integral on a grid. */
function latentShare(accuracy: number, correlation: number): number {
  const limit = normalQuantile(accuracy);
  let low = 0;
  let high = 0.999;
  for (let round = 0; round < 40; round++) {
    const shared = (low + high) / 2;
    if (scoreCorrelation(limit, shared, accuracy) < correlation) low = shared;
    else high = shared;
  }
  return (low + high) / 2;
}

function scoreCorrelation(limit: number, shared: number, accuracy: number): number {
  let both = 0;
  let weights = 0;
  for (let x = -6; x <= 6; x += 0.02) {
    const weight = Math.exp(-x * x * 0.5);
    both += weight * passChance(limit, shared, x) ** 2;
    weights += weight;
  }
  return (both / weights - accuracy ** 2) / (accuracy * (1 - accuracy));
}
