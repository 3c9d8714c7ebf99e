import { OVER_OPTIMISATION } from "@trainwatch/core";

/**
 * What to look into first, by detector; sentences. No checkpoint is claimed to be better for these: they are about how the run learns on from here.
 * Source: the limits and remedies of detection.md F; which one comes first is ours.
 */
const NEXT_STEP: Readonly<Record<string, string>> = {
  [OVER_OPTIMISATION]: "Evaluate the newest checkpoint and an older one on the same held-out prompts, and keep the better one.",
  "kl-drift": "Raise the KL coefficient or lower the learning rate, and check that the reference model is the one meant.",
  "entropy-collapse": "Add or raise the entropy bonus, or raise the upper clip bound (clip-higher), and check the sampling temperature.",
  "diversity-collapse":
    "Read samples of one prompt side by side; then raise the sampling temperature, the entropy bonus or the KL coefficient.",
  "zero-variance-groups": "Filter or resample groups whose rewards are all alike, and choose prompts that the policy solves sometimes.",
  "clip-fraction": "Lower the learning rate, or take fewer updates from each batch of rollouts.",
  truncation: "Raise the response limit, or mask or penalise overlong answers so that cut ones are not rewarded as if finished.",
  "rollout-mismatch":
    "Check the inference engine's precision, kernels and sampling settings, and that it has the trainer's newest weights; correct by truncated importance weights meanwhile.",
  "policy-staleness": "Sync the weights to the samplers more often, or bound how old a rollout may be when it is trained on.",
  "reward-saturation": "Add harder prompts or a finer reward: one that most answers have in full teaches no more.",
  "length-exploitation": "Compare reward at equal length, then control length in the reward or penalise it.",
  "reward-hacking": "Read the highest-rewarded answers and run hidden tests on them; close the hole in the reward before training goes on.",
  sycophancy: "Compare answers with and without the user's opinion, and take agreement out of what the reward prefers.",
};

/** Null for a detector that has none. */
export function nextStepOf(detector: string): string | null {
  return NEXT_STEP[detector] ?? null;
}
