/** Faults that can be put into a simulated run. Steps are optimizer steps; `factor` is a multiple of the undisturbed value. */
export type Fault = LossFault | NanFault | OutlierFault | SlowFault | GradientFault | RestartFault;

interface AtStep {
  /** First step that is not as it would have been. */
  readonly step: number;
  /** Name of the attempt it strikes (`a2`); the first attempt that passes the step where absent. */
  readonly attempt?: string;
}

/** The loss leaves its curve. All of them live in the weights: a rollback to before `step` undoes them. */
export type LossFault =
  /** Jumps to `factor` and falls back by half each `halfLifeSteps`. */
  | (AtStep & Precursor & { readonly kind: "spike"; readonly factor: number; readonly halfLifeSteps: number })
  /** The same, but settles `shift` nats above its old curve. */
  | (AtStep & Precursor & { readonly kind: "spike-shift"; readonly factor: number; readonly halfLifeSteps: number; readonly shift: number })
  /** Climbs to `ceiling` nats with time constant `growthSteps` and stays there. */
  | (AtStep & Precursor & { readonly kind: "divergence"; readonly ceiling: number; readonly growthSteps: number })
  /** Climbs `perStep` nats a step for `steps` steps and stays there. */
  | (AtStep & Precursor & { readonly kind: "ramp"; readonly perStep: number; readonly steps: number });

interface Precursor {
  /** The gradient norm rises so many steps before the loss does (BLOOM-176B: 4). */
  readonly gradLeadSteps?: number;
}

/** Loss and gradient norm are NaN for `steps` steps; to the end of the attempt where null. */
export type NanFault = AtStep & { readonly kind: "nan"; readonly steps: number | null };
/** One bad batch: a single step at `factor`. It comes with the data, so each attempt that passes the step meets it again. */
export type OutlierFault = AtStep & { readonly kind: "outlier"; readonly factor: number };
/** Each step takes `factor` times as long for `steps` steps. */
export type SlowFault = AtStep & { readonly kind: "slow"; readonly factor: number; readonly steps: number };
/** The gradient norm alone is at `factor` for `steps` steps; the loss does not follow. */
export type GradientFault = AtStep & { readonly kind: "grad-rise"; readonly factor: number; readonly steps: number };
/**
 * The job dies after `step`, having hung for `hangS` seconds (0 where absent); a new attempt goes on from `resumeFrom` after `downtimeS` seconds.
 * A rollback if `resumeFrom` is earlier.
 */
export type RestartFault = {
  readonly kind: "restart";
  readonly step: number;
  readonly resumeFrom: number;
  readonly downtimeS: number;
  readonly hangS?: number;
  readonly reason: string;
};

/** What was done to a run, for judging what is said about it. One JSON object a line in `trainwatch simulate --truth`. */
export interface GroundTruth {
  readonly kind: Fault["kind"];
  readonly attempt: string;
  /** The series that shows it first. */
  readonly metric: "loss" | "grad_norm" | "step_time" | "step";
  /** First step that is not as it would have been; a gradient norm that leads counts. */
  readonly onsetStep: number;
  /** First step at which the loss itself is off; null where it never is. */
  readonly lossOnsetStep: number | null;
  /** Last step at which the series is off by more than its noise; null where it never comes back in this attempt. */
  readonly endStep: number | null;
  readonly outcome: "recovered" | "shifted" | "diverged" | "non-finite" | "restarted";
  /** Nats above the old curve for good. */
  readonly shift: number | null;
  /** First logged step at or after the onset. */
  readonly firstLoggedStep: number;
  /** Of a restart: the attempt that follows and the last step it keeps. */
  readonly nextAttempt: string | null;
  readonly branchStep: number | null;
}
