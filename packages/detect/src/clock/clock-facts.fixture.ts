import type { Finding } from "@trainwatch/core";
import { CONTEXT } from "../testing/series.fixture.ts";
import { createClockWatch } from "./clock-watch.ts";
import type { ClockFacts } from "./contract.ts";

export const START_MS = 1_700_000_000_000;

/** A run that is well at second `s`, with what differs. */
export function factsAt(seconds: number, more: Partial<ClockFacts> = {}): ClockFacts {
  return {
    nowMs: START_MS + seconds * 1_000,
    lastStep: 189,
    stepMovedAtMs: START_MS,
    lastReceivedAtMs: START_MS + seconds * 1_000 - 500,
    stepTimeS: 4,
    phase: null,
    checkpoint: null,
    checkpointEvery: null,
    trafficShare: null,
    ended: false,
    ...more,
  };
}

/** Findings of one watch over facts each so many seconds, with the second at which each was said. */
export function watchEach(
  everyS: number,
  untilS: number,
  facts: (seconds: number) => ClockFacts,
  rankSteps: ReadonlyMap<number, number> = new Map(),
  parameters: Readonly<Record<string, Readonly<Record<string, number>>>> = {},
): readonly { readonly second: number; readonly finding: Finding }[] {
  const context = { ...CONTEXT, parameters };
  let watch = createClockWatch(context);
  const said: { second: number; finding: Finding }[] = [];
  for (let second = everyS; second <= untilS; second += everyS) {
    for (const finding of watch.observe(facts(second), rankSteps)) said.push({ second, finding });
    // As after a restart of the server at each tick: the state is all there is.
    watch = createClockWatch(context, JSON.parse(JSON.stringify(watch.state())));
  }
  return said;
}
