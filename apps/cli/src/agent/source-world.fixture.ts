import { createHeldClock } from "./clock.fixture.ts";
import type { HeldClock } from "./clock.fixture.ts";
import { HttpClient } from "./http/request.ts";
import type { SourceOutput, SourceWorld } from "./source.ts";

export interface TestSourceWorld extends SourceWorld {
  readonly clock: HeldClock;
  /** What was taken, in order. */
  readonly taken: SourceOutput[];
  readonly said: string[];
  /** What `take` answers from now on; null takes. */
  refuse(error: Error | null): void;
}

/** The world of one source in a test: everything is taken at once, and its state is kept over a restart. */
export function createSourceWorld(name = "test", nowMs?: number): TestSourceWorld {
  const taken: SourceOutput[] = [];
  const said: string[] = [];
  let refusal: Error | null = null;
  let state: unknown;
  return {
    name,
    node: { machineId: "machine-1", host: "c11-n07", bootId: "boot-1" },
    clock: createHeldClock(nowMs),
    http: new HttpClient(),
    taken,
    said,
    say: (line) => void said.push(line),
    state: () => state,
    refuse(error) {
      refusal = error;
    },
    take(output) {
      if (refusal !== null) return Promise.reject(refusal);
      taken.push(output);
      if ("state" in output) state = JSON.parse(JSON.stringify(output.state));
      return Promise.resolve();
    },
  };
}

export const RUNNING: AbortSignal = new AbortController().signal;
