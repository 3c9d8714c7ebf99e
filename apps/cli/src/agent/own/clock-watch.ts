import type { FleetEvent } from "@trainwatch/core";
import type { AgentClock } from "../clock.ts";

/** Clocks that are disciplined drift by far less between two looks; a leap second is below it. */
const LEAST_JUMP_MS = 2_000;

/** Notices that somebody has set the wall clock, or that the machine was asleep, by the clock that never jumps. */
export class ClockWatch {
  private readonly clock: AgentClock;
  private wall: number;
  private monotonic: number;

  constructor(clock: AgentClock) {
    this.clock = clock;
    this.wall = clock.now();
    this.monotonic = clock.monotonicMs();
  }

  /** The jump since the last look; null where there was none. Readings keep the times they were taken at. */
  look(): FleetEvent | null {
    const wall = this.clock.now();
    const monotonic = this.clock.monotonicMs();
    const jumpMs = wall - this.wall - (monotonic - this.monotonic);
    this.wall = wall;
    this.monotonic = monotonic;
    if (Math.abs(jumpMs) < LEAST_JUMP_MS) return null;
    const seconds = (Math.abs(jumpMs) / 1000).toFixed(1);
    return {
      timeMs: wall,
      kind: "clock-jump",
      code: null,
      subCode: null,
      severity: "warning",
      entity: null,
      text: `The node's clock jumped ${seconds} s ${jumpMs > 0 ? "forward" : "back"}; readings before and after keep the times they were taken at`,
      count: 1,
      lastTimeMs: null,
    };
  }
}
