import type { Checkpoint, PushInput } from "@trainwatch/core";
import { buildPush } from "@trainwatch/testkit";
import { vi } from "vitest";
import type { World } from "./world.ts";

/** A linear congruential generator (Numerical Recipes): the same run on every machine. */
function noise(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32 - 0.5;
  };
}

export const STEP_MS = 1_000;
export const STEPS = 2_000;
export const ONSET = 1_500;
/** Of the run that `shiftedRun` pushes. */
export const RUN_NAME = "llm-shift";

export interface RunShape {
  readonly name?: string;
  /** Added to the loss from ONSET on; 0 is a healthy run. */
  readonly shift?: number;
  readonly endsAtMs: number;
  readonly steps?: number;
  readonly seq?: number;
  readonly firstStep?: number;
}

const checkpoint = (step: number, state: Checkpoint["state"]): Omit<Checkpoint, "attempt"> => ({
  step,
  state,
  kind: "model",
  path: `/ckpt/${step}`,
  savedAtMs: null,
  reason: state === "verified" ? "replica hashes agree" : null,
});

/** 2,000 steps of loss and gradient norm on 1,024 GPUs of fjord-1, with checkpoints before and after the onset. */
export function shiftedRun({ name = RUN_NAME, shift = 1, endsAtMs, steps = STEPS, seq = 0, firstStep = 1 }: RunShape): PushInput {
  const random = noise(7);
  const lastStep = firstStep + steps - 1;
  const at = (step: number): number => endsAtMs - (lastStep - step) * STEP_MS;
  const range = Array.from({ length: steps }, (_, index) => firstStep + index);
  const loss = range.map((step): [number, number, number] => [step, 2 + 0.02 * random() + (step >= ONSET ? shift : 0), at(step)]);
  const norm = range.map((step): [number, number, number] => [step, 0.3 + 0.02 * random(), at(step)]);
  return buildPush(
    {
      source: `browser-test/${name}`,
      seq,
      run: { project: "lab", name },
      metadata: { gpus: 1_024, cluster: "fjord-1", targetSteps: 10_000 },
      checkpoints:
        seq === 0
          ? [checkpoint(500, "verified"), checkpoint(1_000, "verified"), checkpoint(1_400, "incomplete"), checkpoint(1_600, "unchecked")]
          : [],
    },
    [
      { metric: "loss", points: loss },
      { metric: "grad_norm", points: norm },
    ],
  );
}

interface Listed {
  readonly items: readonly { readonly id: number; readonly action: { readonly text: string } | null }[];
}

/** Waits until the detector has opened an incident with advice, and names it. */
export function incidentWithAdvice(world: World): Promise<number> {
  return vi.waitFor(
    async () => {
      const { items } = await world.call<Listed>("incidents.list", {});
      const found = items.find((incident) => incident.action !== null);
      if (found === undefined) throw new Error("no incident with advice so far");
      return found.id;
    },
    { timeout: 60_000, interval: 250 },
  );
}

/** Waits until every point has been judged: from then on no newer advice replaces the one on show. */
export function judgedToTheEnd(world: World): Promise<void> {
  return vi.waitFor(
    async () => {
      const { detectLagMs } = await world.call<{ readonly detectLagMs: number | null }>("status.get", undefined);
      if (detectLagMs !== null && detectLagMs > 0) throw new Error(`detectors are ${detectLagMs} ms behind`);
    },
    { timeout: 900_000, interval: 500 },
  );
}
