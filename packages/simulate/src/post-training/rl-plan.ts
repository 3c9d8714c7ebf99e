/** A reinforcement-learning run whose reward goes on climbing after the thing it stands for has turned. */
export interface RlPlan {
  readonly seed: number;
  readonly project: string;
  readonly name: string;
  readonly startTimeMs: number;
  readonly steps: number;
  readonly stepTimeS: number;
  readonly gpus: number;
  readonly checkpointEvery: number;
  /** Held-out evaluation every so many steps, always the same prompts. */
  readonly evalEvery: number;
  readonly heldOutPrompts: number;
  /** Accuracy before the first step, at its best, and the step of its best; `turns` false: it saturates there instead. */
  readonly startAccuracy: number;
  readonly peakAccuracy: number;
  readonly peakStep: number;
  readonly turns: boolean;
}

export function rlPlan(over: Partial<RlPlan> & Pick<RlPlan, "seed" | "startTimeMs">): RlPlan {
  return {
    project: "demo",
    name: "chat-8b-rl",
    steps: 2_200,
    stepTimeS: 18,
    gpus: 256,
    checkpointEvery: 200,
    evalEvery: 40,
    heldOutPrompts: 1_000,
    startAccuracy: 0.52,
    peakAccuracy: 0.63,
    peakStep: 1_100,
    turns: true,
    ...over,
  };
}

/** KL to the reference model at a step, nats: it grows faster as the policy finds what the proxy overrates. */
export function klAt({ steps }: RlPlan, step: number): number {
  return 1e-4 + 0.4 * (step / steps) ** 2.3;
}

/**
 * True held-out accuracy at a step. With d the root of the KL it is `start + d (a − b log d)`, the form of Gao, Schulman & Hilton 2023 for reinforcement learning, placed so
 * that its best is `peakAccuracy` at `peakStep`; a run that does not turn stays there.
 */
export function accuracyAt(plan: RlPlan, step: number): number {
  const d = Math.sqrt(klAt(plan, plan.turns ? step : Math.min(step, plan.peakStep)));
  const atPeak = Math.sqrt(klAt(plan, plan.peakStep));
  // The slope a − b (log d + 1) is zero at the peak: a = b (log d* + 1), and the rise there is b d*.
  const b = (plan.peakAccuracy - plan.startAccuracy) / atPeak;
  return plan.startAccuracy + d * b * (Math.log(atPeak) + 1 - Math.log(d));
}
