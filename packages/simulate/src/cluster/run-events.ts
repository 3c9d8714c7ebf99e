import type { SimulatedEvent } from "../event.ts";
import type { ClusterEvent, RunValues } from "./cluster-event.ts";

/** The log of a cluster run as its first rank writes it: means over the steps since the last line. */
export function* runEvents(events: Iterable<ClusterEvent>, logEvery: number): Generator<SimulatedEvent, void, undefined> {
  let held: RunValues[] = [];
  for (const event of events) {
    if (event.kind === "heartbeat" || event.kind === "stuck-step" || event.kind === "saving") continue;
    if (event.kind !== "step") {
      if (event.kind === "start") held = [];
      yield event;
      continue;
    }
    held.push(event.values);
    if (event.step % logEvery !== 0) continue;
    const mean = (of: (values: RunValues) => number): number => held.reduce((sum, values) => sum + of(values), 0) / held.length;
    const stepTimeS = mean(({ step_time }) => step_time);
    yield {
      kind: "point",
      attempt: event.attempt,
      step: event.step,
      timeMs: event.timeMs,
      nanSteps: held.filter(({ loss }) => !Number.isFinite(loss)).length,
      values: {
        loss: mean(({ loss }) => loss),
        grad_norm: mean(({ grad_norm }) => grad_norm),
        learning_rate: event.values.learning_rate,
        step_time: stepTimeS,
        tokens_per_second: (event.values.tokens_per_second * event.values.step_time) / stepTimeS,
        tokens_consumed: event.values.tokens_consumed,
      },
    };
    held = [];
  }
}
