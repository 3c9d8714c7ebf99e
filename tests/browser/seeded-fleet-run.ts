import type { FleetEventsPush, PushInput } from "@trainwatch/core";
import { buildPush } from "@trainwatch/testkit";
import { GPUS_PER_NODE, type SeededFleet, type SeededNode } from "./seeded-fleet.ts";

const STAGES = 16;
const STEPS = 720;
const STEP_MS = 5_000;

/** A run on the GPUs of the first nodes with its assignment, whose steps end every five seconds until `endsAtMs`. */
export function fleetRun({ nodes }: Pick<SeededFleet, "nodes">, endsAtMs: number, runNodes: number): PushInput {
  const ranks = runNodes * GPUS_PER_NODE;
  const assignments = nodes.slice(0, runNodes).flatMap(({ machineId, gpus }, node) =>
    gpus.map((gpuUuid, gpuIndex) => {
      const rank = node * GPUS_PER_NODE + gpuIndex;
      const place = { node: machineId, gpuUuid, gpuIndex, tp: gpuIndex, pp: Math.floor((rank * STAGES) / ranks) };
      return { rank, ...place, from: endsAtMs - STEPS * STEP_MS };
    }),
  );
  const points = Array.from({ length: STEPS }, (_, index): [number, number, number] => [
    46_000 + index,
    2 - index * 1e-4,
    endsAtMs - (STEPS - 1 - index) * STEP_MS,
  ]);
  return buildPush(
    {
      source: "browser-test/llm-fleet",
      seq: 0,
      run: { project: "lab", name: "llm-fleet" },
      metadata: { gpus: ranks, cluster: "fjord-1", targetSteps: 240_000 },
      assignments,
    },
    [{ metric: "loss", points }],
  );
}

/** The gradient norm as each rank of the same run logs it, over some steps up to `lastStep`: one rank is above its peers. */
export function rankNorms(ranks: number, bad: number, lastStep: number, endsAtMs: number): PushInput {
  const steps = 40;
  return buildPush(
    { source: "browser-test/ranks", seq: 0, run: { project: "lab", name: "llm-fleet" } },
    Array.from({ length: ranks }, (_, rank) => ({
      metric: "grad_norm",
      labels: { rank: String(rank) },
      points: Array.from({ length: steps }, (__, index): [number, number, number] => [
        lastStep - steps + 1 + index,
        0.5 + 0.01 * Math.sin(rank + index) + (rank === bad && index > steps / 2 ? 0.4 : 0),
        endsAtMs - (steps - 1 - index) * STEP_MS,
      ]),
    })),
  );
}

/** What the kernel of a node says of a GPU that is too hot, three times up to a minute before `nowMs`. */
export function slowdownOf({ machineId, host }: SeededNode, gpuId: string, nowMs: number): FleetEventsPush {
  return {
    source: "browser-test",
    seq: 0,
    node: { machineId, host, bootId: null },
    events: [
      {
        timeMs: nowMs - 400_000,
        lastTimeMs: nowMs - 60_000,
        kind: "kernel",
        code: null,
        subCode: null,
        severity: "warning",
        entity: { kind: "gpu", id: gpuId },
        text: "GPU temperature above its slowdown threshold",
        count: 3,
      },
    ],
  };
}
