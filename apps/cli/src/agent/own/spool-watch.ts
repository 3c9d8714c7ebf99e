import type { FleetEvent } from "@trainwatch/core";
import type { AgentClock } from "../clock.ts";
import type { AppendOutcome, Spool } from "../spool/spool.ts";
import { ownEvent } from "./own-event.ts";

/** Below this share of its size a spool that was full counts as having room again. */
const ROOM = 0.75;

/** Dropping what is kept would help whoever has filled the disk, and nobody else. */
const DISK_POLICY = "What is kept stays; nothing new is taken until there is room.";

export interface SpoolWatchOptions {
  /** `readings` or `events and pushes`. */
  readonly what: string;
  readonly maxBytes: number;
  /** What happens to those that find no room in the spool, in words. */
  readonly policy: string;
  readonly clock: AgentClock;
  readonly say: (line: string) => void;
  readonly tell: (event: FleetEvent) => void;
}

/** Says once that a spool or its disk is full, what then happens, and once that there is room again, with what it has cost. */
export class SpoolWatch {
  /** Readings or events that were not taken since the start. */
  notTaken = 0;
  private readonly options: SpoolWatchOptions;
  private droppedBefore = 0;
  private lostBefore: number | null = null;

  constructor(options: SpoolWatchOptions) {
    this.options = options;
  }

  /** After each append. @param weight what was to be taken */
  seen(spool: Spool, outcome: AppendOutcome, weight: number): void {
    if (!outcome.ok) this.notTaken += weight;
    const isDropping = spool.dropped > this.droppedBefore;
    this.droppedBefore = Math.max(spool.dropped, this.droppedBefore);
    const { policy, maxBytes } = this.options;
    if (!outcome.ok) this.begin(outcome.message, outcome.why === "disk" ? DISK_POLICY : policy, spool);
    else if (isDropping) this.begin(`the spool holds its ${maxBytes} bytes`, policy, spool);
    else if (this.lostBefore !== null && spool.bytes < ROOM * this.options.maxBytes) this.end(spool);
  }

  private begin(why: string, policy: string, spool: Spool): void {
    if (this.lostBefore !== null) return;
    this.lostBefore = this.notTaken + spool.dropped;
    const { what, clock, say, tell } = this.options;
    const text = `No room for ${what}: ${why}. ${policy}`;
    say(text);
    tell(ownEvent(clock.now(), "spool-full", "warning", text));
  }

  private end(spool: Spool): void {
    const lost = this.notTaken + spool.dropped - (this.lostBefore ?? 0);
    this.lostBefore = null;
    const { what, clock, say, tell } = this.options;
    const text = `There is room for ${what} again; about ${lost} were lost meanwhile`;
    say(text);
    tell(ownEvent(clock.now(), "spool-full", "info", text));
  }
}
