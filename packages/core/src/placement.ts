/** Where one rank of an attempt runs and which part of the model it holds; null where nobody has told. Ids as in `Entity`. */
export interface RankPlacement {
  readonly rank: number;
  readonly dp: number | null;
  readonly tp: number | null;
  readonly pp: number | null;
  readonly ep: number | null;
  readonly gpuId: string | null;
  readonly nodeId: string | null;
  readonly host: string | null;
}
