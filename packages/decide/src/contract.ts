import type { Advice, CauseAssessment, Checkpoint, Finding } from "@trainwatch/core";

export interface AdviceInput {
  /** Findings of one incident: same run, same attempt. */
  readonly findings: readonly Finding[];
  readonly attempt: string;
  /** Checkpoints of the attempt and of its ancestors up to the branch. */
  readonly checkpoints: readonly Checkpoint[];
  /** Assume a checkpoint each so many steps where none is known; they are named as assumed in the reasons. */
  readonly checkpointEvery: number | null;
  readonly firstStep: number | null;
  readonly lastStep: number | null;
  /** Median seconds per optimizer step; null when unknown. */
  readonly stepTimeS: number | null;
  readonly gpus: number | null;
  /** Optimizer steps between logged points. */
  readonly logEvery: number;
  /** Findings of earlier incidents on the run: re-spikes change the proposal. */
  readonly earlier: readonly Finding[];
  /** What the incident is caused by, where that was weighed: bad hardware is pulled and not waited for, and its data are not skipped (detection.md E.4 to E.6). */
  readonly assessment?: CauseAssessment | null;
  /** Seed of the 1,000 draws behind the confidence; same input and seed, same advice. */
  readonly seed: number;
}
export type ProposeAdvice = (input: AdviceInput) => Advice;
// index.ts exports: proposeAdvice: ProposeAdvice, describeAction(advice: Advice): string ("Roll back to 48,000, skip 48,160 to 48,360")
