import type { RunMetadata } from "@trainwatch/core";
import type { RunFacts } from "@trainwatch/store";

/** Facts of a run as a test needs them; everything not named is as in a run that has just begun. */
export function runFactsFixture(given: Partial<Omit<RunFacts, "metadata">> & { readonly metadata?: Partial<RunMetadata> } = {}): RunFacts {
  const { metadata, ...facts } = given;
  return {
    id: 1,
    project: "test",
    name: "run",
    fullName: "test/run",
    state: "running",
    stateReason: null,
    stateSinceMs: null,
    watched: true,
    attempt: "a1",
    lastStep: null,
    lastLoss: null,
    lastSampleAtMs: null,
    lastReceivedAtMs: null,
    stepTimeS: null,
    logEvery: null,
    endedAtMs: null,
    archivedAtMs: null,
    createdAtMs: 0,
    seriesCount: 0,
    pointCount: 0,
    stepIsConstant: false,
    zoneAssumed: false,
    ...facts,
    metadata: { gpus: null, tokensPerStep: null, targetSteps: null, checkpointEvery: null, cluster: null, ...metadata },
  };
}
