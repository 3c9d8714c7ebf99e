import { AppError } from "@trainwatch/core";
import type { PlanInput } from "../plan.ts";
import type { FleetFault } from "./fleet-fault.ts";
import { GPU_FIELDS } from "./gpu-fields.ts";
import type { PaceEvent } from "./job-phase.ts";
import type { Spelling } from "./spelling.ts";

/** A simulated fleet. Same plan, same fleet, at whatever times and in whatever order it is read. */
export interface FleetPlan {
  readonly seed: number;
  readonly nodes: number;
  readonly gpusPerNode: number;
  readonly linksPerGpu: number;
  readonly nodesPerRack: number;
  /** Epoch milliseconds. All nodes have booted days before, and what no run explains has been going on for two hours. */
  readonly startMs: number;
  readonly faults: readonly FleetFault[];
  /** The run whose work the GPUs show; a job that just goes on where absent. */
  readonly run: FleetRun | null;
  readonly spelling: Spelling;
  /** Logical processors that node_exporter reports. Real nodes have 224, which is 1,792 series. */
  readonly cpus: number;
}

export interface FleetRun {
  readonly plan: PlanInput;
  /** What happens to it and when; what its plan says where absent. */
  readonly events?: () => Iterable<PaceEvent>;
  /** It runs on so many nodes, from the first; the others idle. */
  readonly nodes: number;
  readonly tensorParallel: number;
  readonly pipelineParallel: number;
  readonly expertParallel: number;
}

export type FleetInput = Pick<FleetPlan, "seed" | "nodes" | "startMs"> &
  Partial<Omit<FleetPlan, "run">> & { readonly run?: Pick<FleetRun, "plan"> & Partial<FleetRun> };

const DEFAULTS = {
  gpusPerNode: 8,
  linksPerGpu: 18,
  nodesPerRack: 4,
  faults: [],
  spelling: "classic",
  cpus: 8,
} satisfies Partial<FleetPlan>;

/** @throws AppError `bad-request` naming what cannot be simulated */
export function completeFleetPlan({ run, ...input }: FleetInput): FleetPlan {
  const size = { ...DEFAULTS, ...input };
  const plan: FleetPlan = {
    ...size,
    run: run === undefined ? null : { nodes: size.nodes, tensorParallel: size.gpusPerNode, pipelineParallel: 1, expertParallel: 1, ...run },
  };
  checkRange("nodes", plan.nodes, 1, 16_384);
  checkRange("gpusPerNode", plan.gpusPerNode, 1, 16);
  checkRange("linksPerGpu", plan.linksPerGpu, 0, 18);
  checkRange("nodesPerRack", plan.nodesPerRack, 1, 64);
  checkRange("cpus", plan.cpus, 1, 512);
  checkRange("seed", plan.seed, 0, Number.MAX_SAFE_INTEGER);
  for (const fault of plan.faults) checkFault(plan, fault);
  if (plan.run !== null) checkRun(plan, plan.run);
  return plan;
}

function checkRun({ nodes, gpusPerNode }: FleetPlan, run: FleetRun): void {
  checkRange("run.nodes", run.nodes, 1, nodes);
  const parallel = run.tensorParallel * run.pipelineParallel;
  if (!Number.isInteger((run.nodes * gpusPerNode) / parallel))
    throw new AppError(
      "bad-request",
      `${run.nodes * gpusPerNode} GPUs cannot be parted into ${run.pipelineParallel} stages of tensor groups of ${run.tensorParallel}.`,
    );
}

function checkFault(plan: FleetPlan, fault: FleetFault): void {
  checkRange(`the node of ${fault.kind}`, fault.node, 0, plan.nodes - 1);
  if ("gpu" in fault) checkRange(`the GPU of ${fault.kind}`, fault.gpu, 0, plan.gpusPerNode - 1);
  if ("link" in fault) checkRange(`the link of ${fault.kind}`, fault.link, 0, plan.linksPerGpu - 1);
  if ("with" in fault) checkRange(`the other GPU of ${fault.kind}`, fault.with, 0, plan.gpusPerNode - 1);
  if ("port" in fault) checkRange(`the port of ${fault.kind}`, fault.port, 0, plan.gpusPerNode - 1);
  if (fault.kind === "sentinel" && !GPU_FIELDS.some(({ classic }) => classic === fault.field))
    throw new AppError(
      "bad-request",
      `sentinel needs a field of dcgm-exporter by its older name, such as DCGM_FI_DEV_GPU_TEMP, not ${fault.field}.`,
    );
  if (!Number.isFinite(fault.atMs)) throw new AppError("bad-request", `${fault.kind} needs a time, not ${fault.atMs}.`);
}

function checkRange(what: string, value: number, least: number, most: number): void {
  if (!Number.isSafeInteger(value) || value < least || value > most)
    throw new AppError("bad-request", `The simulated fleet needs a whole number from ${least} to ${most} for ${what}, not ${value}.`);
}
