import type { FleetEvent } from "@trainwatch/core";
import type { AgentClock } from "./clock.ts";
import { messageOf } from "./message-of.ts";
import { ownEvent } from "./own/own-event.ts";
import type { ConfiguredSource, Source } from "./source.ts";

/** Failures in a row that are told; one alone is a restart of an exporter. */
const TOLD_FAILURES = 3;
/** Agents that are started together do not read and send at the same moment. */
const LONGEST_SPREAD_MS = 10_000;

export interface SourceRunnerWorld {
  readonly clock: AgentClock;
  /** 0 to below 1. */
  readonly random: () => number;
  readonly say: (line: string) => void;
  readonly tell: (event: FleetEvent) => void;
}

/** Reads one source again and again, and keeps count of how it goes. */
export class SourceRunner {
  readonly configured: ConfiguredSource;
  /** Since the start, and in a row. */
  failures = 0;
  failing = 0;
  private readonly source: Source;
  private readonly world: SourceRunnerWorld;

  constructor(configured: ConfiguredSource, source: Source, world: SourceRunnerWorld) {
    this.configured = configured;
    this.source = source;
    this.world = world;
  }

  /** Until `stop` is asked for. What takes longer than its interval is not read twice at a time: the reading is skipped. */
  async run(stop: AbortSignal): Promise<void> {
    const { clock, random } = this.world;
    const { everyMs } = this.configured;
    let next = clock.monotonicMs() + random() * Math.min(everyMs, LONGEST_SPREAD_MS);
    while (!stop.aborted) {
      await clock.sleep(Math.max(0, next - clock.monotonicMs()), stop);
      if (stop.aborted) break;
      await this.collect(stop);
      next += everyMs * Math.max(1, Math.ceil((clock.monotonicMs() - next) / everyMs));
    }
  }

  /** Reads it once. @returns why it failed; null where it did not */
  async collect(stop: AbortSignal): Promise<string | null> {
    try {
      await this.source.collect(stop);
      if (this.failing >= TOLD_FAILURES) this.world.say(`${this.configured.name} is read again after ${this.failing} failures`);
      this.failing = 0;
      return null;
    } catch (error) {
      const why = messageOf(error);
      if (!stop.aborted) this.fail(why);
      return why;
    }
  }

  close(): Promise<void> {
    return this.source.close();
  }

  private fail(why: string): void {
    this.failures++;
    this.failing++;
    if (this.failing !== TOLD_FAILURES) return;
    const text = `Source ${this.configured.name} (${this.configured.kind}) failed ${TOLD_FAILURES} times in a row: ${why}`;
    this.world.say(text);
    this.world.tell(ownEvent(this.world.clock.now(), "source-failed", "warning", text));
  }
}
