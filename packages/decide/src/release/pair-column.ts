import type { PairColumn } from "./contract.ts";

/** A judgement as one of its two sides sees it. */
export interface SideJudgement {
  readonly key: string;
  /** Share for this side: 1, 0.5, 0; NaN not judged. */
  readonly preference: number;
  /** Length of this side's answer minus the other's; NaN where unknown. */
  readonly lengthDifference: number;
}

/** What a side of judgements is called: models of one name are told apart by their step. */
export function sideName({ model, step }: { readonly model: string; readonly step: number | null }): string {
  return step === null ? model : `${model}@${step}`;
}

/**
 * Judgements of one side against one opponent. A prompt that was judged several times (in both orders of the answers, as judges that prefer what
 * stands first ask for) is one sample with the mean of its shares.
 */
export function pairColumn(
  name: Pick<PairColumn, "task" | "opponent" | "opponentId" | "judge">,
  judgements: Iterable<SideJudgement>,
): PairColumn {
  const byKey = new Map<string, SideJudgement[]>();
  for (const judgement of judgements) {
    const known = byKey.get(judgement.key);
    if (known === undefined) byKey.set(judgement.key, [judgement]);
    else known.push(judgement);
  }
  const samples = [...byKey.values()];
  return {
    ...name,
    keys: [...byKey.keys()],
    preferences: Float64Array.from(samples, (of) => meanKnown(of, ({ preference }) => preference)),
    lengthDifferences: Float64Array.from(samples, (of) => meanKnown(of, ({ lengthDifference }) => lengthDifference)),
  };
}

/** NaN where none is known. */
function meanKnown(judgements: readonly SideJudgement[], read: (judgement: SideJudgement) => number): number {
  let sum = 0;
  let known = 0;
  for (const judgement of judgements) {
    const value = read(judgement);
    if (Number.isNaN(value)) continue;
    sum += value;
    known++;
  }
  return sum / known;
}
