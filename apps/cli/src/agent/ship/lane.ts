import type { AgentClock } from "../clock.ts";
import type { Group } from "../spool/segment-reader.ts";
import type { Spool } from "../spool/spool.ts";
import { backoffMs } from "./backoff.ts";

/** How far a delivery got: so many groups are done (taken or put aside), and what held up the next one. */
export interface Progress {
  readonly done: number;
  readonly held: { readonly why: string; readonly retryAfterMs: number | null } | null;
}

export interface Lane {
  readonly name: string;
  readonly spool: Spool;
  deliver(groups: readonly Group[], stop: AbortSignal): Promise<Progress>;
}

export interface LaneWorld {
  readonly clock: AgentClock;
  /** 0 to below 1. */
  readonly random: () => number;
  /** One line on standard error. */
  readonly say: (line: string) => void;
}

/** What goes into one request at most: small enough for the memory an agent may use, large enough to catch up after an outage. */
const REQUEST_BYTES = 1024 * 1024;

/** Ships a spool in order, one request in flight. Goes on only over what the server has acknowledged. */
export class LaneRunner {
  /** Requests that failed in a row; 0 while all is well. */
  failures = 0;
  private readonly lane: Lane;
  private readonly world: LaneWorld;

  constructor(lane: Lane, world: LaneWorld) {
    this.lane = lane;
    this.world = world;
  }

  /** Until `stop` is asked for. */
  async run(stop: AbortSignal): Promise<void> {
    const { spool } = this.lane;
    while (!stop.aborted) {
      const seen = spool.appends;
      const step = await this.step(stop);
      if (step === "empty") await spool.more(seen, stop);
      else if (step !== "moved") await this.world.clock.sleep(backoffMs(this.failures, step.retryAfterMs, this.world.random), stop);
    }
  }

  /** Until nothing is left or the server does not take it. @returns why it does not; null where all was taken */
  async drain(stop: AbortSignal): Promise<string | null> {
    for (;;) {
      const step = await this.step(stop);
      if (step === "empty") return null;
      if (step !== "moved") return step.why;
    }
  }

  private async step(stop: AbortSignal): Promise<"empty" | "moved" | NonNullable<Progress["held"]>> {
    const groups = await this.lane.spool.peek(REQUEST_BYTES);
    if (groups.length === 0) return "empty";
    const { done, held } = await this.lane.deliver(groups, stop);
    await this.lane.spool.acknowledge(groups.slice(0, done));
    if (held === null) {
      if (this.failures > 0) this.world.say(`${this.lane.name} are taken again after ${this.failures} failures`);
      this.failures = 0;
      return "moved";
    }
    this.failures++;
    // An outage is one line, not one a second; a long one is told again each time the count has doubled.
    const isRound = (this.failures & (this.failures - 1)) === 0;
    if (isRound && !stop.aborted) this.world.say(`${this.lane.name} wait, ${this.failures}. failure in a row: ${held.why}`);
    return held;
  }
}
