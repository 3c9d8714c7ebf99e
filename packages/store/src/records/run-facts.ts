import { RUN_STATES, type JsonNumber, type RunMetadata, type RunState } from "@trainwatch/core";
import { toJsonNumber } from "@trainwatch/core";
import type { Run } from "../generated/client.ts";

export interface NamedRun {
  readonly id: number;
  readonly project: string;
  readonly name: string;
  /** `project/name`. */
  readonly fullName: string;
}

/** What lists, costs and advice are made of; all of it stands in the run's own row. */
export interface RunFacts extends NamedRun {
  readonly metadata: RunMetadata;
  readonly state: RunState;
  /** Why it stands in that state, and since when. */
  readonly stateReason: string | null;
  readonly stateSinceMs: number | null;
  readonly watched: boolean;
  readonly attempt: string | null;
  readonly lastStep: number | null;
  readonly lastLoss: JsonNumber;
  readonly lastSampleAtMs: number | null;
  readonly lastReceivedAtMs: number | null;
  /** Median seconds per optimizer step of the newest attempt; null where times are unknown. */
  readonly stepTimeS: number | null;
  /** Optimizer steps between logged points; null before two came. */
  readonly logEvery: number | null;
  /** When the source said that the run is over; null where it did not. */
  readonly endedAtMs: number | null;
  readonly archivedAtMs: number | null;
  readonly createdAtMs: number;
  readonly seriesCount: number;
  readonly pointCount: number;
  readonly stepIsConstant: boolean;
  readonly zoneAssumed: boolean;
}

export function runFacts(run: Run): RunFacts {
  const { id, project, name, gpus, tokensPerStep, targetSteps, checkpointEvery, cluster } = run;
  return {
    id,
    project,
    name,
    fullName: `${project}/${name}`,
    metadata: { gpus, tokensPerStep, targetSteps, checkpointEvery, cluster },
    state: RUN_STATES.find((state) => state === run.state) ?? "running",
    stateReason: run.stateReason,
    stateSinceMs: run.stateSinceMs,
    watched: run.watched,
    attempt: run.attempt,
    lastStep: run.lastStep,
    lastLoss: toJsonNumber(run.lastLoss),
    lastSampleAtMs: run.lastSampleAtMs,
    lastReceivedAtMs: run.lastReceivedAtMs,
    stepTimeS: run.stepTimeS,
    logEvery: run.logEvery,
    endedAtMs: run.endedAtMs,
    archivedAtMs: run.archivedAtMs,
    createdAtMs: run.createdAtMs,
    seriesCount: run.seriesCount,
    pointCount: run.pointCount,
    stepIsConstant: run.stepIsConstant,
    zoneAssumed: run.zoneAssumed,
  };
}
