export const DAY_S = 86_400;

/** What a job does at a time. */
export interface Phase {
  /** Share of time that its GPUs work, 0 to 1. */
  readonly busy: number;
  /** Its NVLink traffic, as a share of the usual. */
  readonly link: number;
}

const REST: Phase = { busy: 0, link: 0 };
const CHECKPOINT: Phase = { busy: 0.15, link: 0 };
const EVAL: Phase = { busy: 0.8, link: 0.35 };

/** Jobs end and are started anew each six hours, save a checkpoint each 20 minutes (40 s), and evaluate each two hours (5 min). */
export function phaseOf(run: number | null, second: number): Phase {
  if (run === null) return REST;
  const own = second + run * 3_917;
  const inJob = own % (6 * 3_600);
  if (inJob < 150) return REST;
  if (inJob < 240) return { busy: 0.6, link: 0.1 };
  if (own % 7_200 < 300) return EVAL;
  return own % 1_200 < 40 ? CHECKPOINT : { busy: 1, link: 1 };
}
