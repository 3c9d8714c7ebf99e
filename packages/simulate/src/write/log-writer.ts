import type { SimulatedEvent } from "../event.ts";
import type { SimulationPlan } from "../plan.ts";

/** Writes the events of a run as a training framework would. */
export interface LogWriter {
  readonly id: string;
  /** What the log looks like, in one sentence. */
  readonly title: string;
  /** The lines of one event, each with its line break; "" where such a log says nothing of it. */
  write(event: SimulatedEvent, plan: SimulationPlan): string;
}
