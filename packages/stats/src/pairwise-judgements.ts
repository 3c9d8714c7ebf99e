/** Pairwise judgements in parallel columns. */
export interface PairwiseJudgements {
  /** How many are rated; `left` and `right` are 0 to items − 1. */
  readonly items: number;
  readonly left: ArrayLike<number>;
  readonly right: ArrayLike<number>;
  /** Share for the left: 1, 0, ½ for a tie or anything between; NaN: not judged, left out. */
  readonly preference: ArrayLike<number>;
  readonly weights?: ArrayLike<number>;
  /** What else moves a judgement, left − right, a value a judgement (length difference); a column of ones is the advantage of the left place. */
  readonly covariates?: readonly ArrayLike<number>[];
}
