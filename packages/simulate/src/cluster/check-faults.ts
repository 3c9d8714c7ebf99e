import { AppError } from "@trainwatch/core";
import type { ClusterFault, FaultSite } from "./cluster-fault.ts";
import { CLUSTER_FAULT_KINDS } from "./fault-kinds.ts";
import type { FaultPlace } from "./fault-kinds.ts";

interface ClusterSize {
  readonly nodes: number;
  readonly gpusPerNode: number;
  readonly ranks: number;
  readonly run: { readonly steps: number };
  readonly faults: readonly ClusterFault[];
}

/** Links of a GPU and ports of a node, as the simulated fleet has them. */
const LINKS = 18;

/** @throws AppError `bad-request` naming the entry by its number (from 1) and kind, and what is allowed */
export function checkFaults(size: ClusterSize): void {
  for (const [index, fault] of size.faults.entries()) {
    const why = whyNot(size, fault);
    if (why !== null) throw new AppError("bad-request", `Fault ${index + 1} (${fault.kind}): ${why}.`);
  }
}

function whyNot(size: ClusterSize, fault: ClusterFault): string | null {
  const entry = CLUSTER_FAULT_KINDS.find(({ kind }) => kind === fault.kind);
  if (entry === undefined) return `there is no such fault; known are ${CLUSTER_FAULT_KINDS.map(({ kind }) => kind).join(", ")}`;
  return whyNotThen(size, fault) ?? whyNotThere(size, fault, entry.place) ?? whyNotSo(fault, entry.parameters);
}

function whyNotThen({ run }: ClusterSize, { kind, step, seconds, forSteps, forSeconds }: ClusterFault): string | null {
  if ((step === undefined) === (seconds === undefined)) return "it needs either step or seconds, not both and not neither";
  if (kind === "bad-batch" && step === undefined) return "it needs the step that reads the batch first";
  if (step !== undefined && !isWhole(step, 1, run.steps)) return `step must be a whole number from 1 to ${run.steps}, not ${step}`;
  if (seconds !== undefined && !(seconds >= 0 && Number.isFinite(seconds))) return `seconds must not be negative, not ${seconds}`;
  if (forSteps !== undefined && forSeconds !== undefined) return "it lasts either forSteps or forSeconds, not both";
  if (forSteps !== undefined && !isWhole(forSteps, 1, Number.MAX_SAFE_INTEGER))
    return `forSteps must be a whole number from 1 on, not ${forSteps}`;
  if (forSeconds !== undefined && !(forSeconds > 0 && Number.isFinite(forSeconds)))
    return `forSeconds must be above zero, not ${forSeconds}`;
  return null;
}

const NEEDS: Readonly<Record<FaultPlace, string>> = {
  rank: "it needs a rank, or a node and a gpu",
  node: "it needs a node",
  link: "it needs a link, and a rank or a node and a gpu",
  port: "it needs a node and a port",
  some: "it takes a rank, or a node and a gpu, or a node, or none for all ranks",
  run: "it strikes the whole run and takes no rank, node, gpu, link or port",
};

function whyNotThere(size: ClusterSize, site: FaultSite, place: FaultPlace): string | null {
  if (!SHAPES[place](site)) return NEEDS[place];
  const most = { rank: size.ranks, node: size.nodes, gpu: size.gpusPerNode, link: LINKS, port: size.gpusPerNode };
  for (const name of ["rank", "node", "gpu", "link", "port"] as const) {
    const value = site[name];
    if (value !== undefined && !isWhole(value, 0, most[name] - 1))
      return `${name} must be a whole number from 0 to ${most[name] - 1}, not ${value}`;
  }
  return null;
}

/** Which sites a kind takes. */
const SHAPES: Readonly<Record<FaultPlace, (site: FaultSite) => boolean>> = {
  rank: (site) => namesOneRank(site) && site.link === undefined && site.port === undefined,
  node: ({ rank, node, gpu, link, port }) => node !== undefined && [rank, gpu, link, port].every((other) => other === undefined),
  link: (site) => namesOneRank(site) && site.link !== undefined && site.port === undefined,
  port: ({ rank, node, gpu, link, port }) =>
    node !== undefined && port !== undefined && [rank, gpu, link].every((other) => other === undefined),
  some: ({ rank, node, gpu, link, port }) =>
    [link, port].every((other) => other === undefined) &&
    (rank === undefined || (node === undefined && gpu === undefined)) &&
    (gpu === undefined || node !== undefined),
  run: (site) =>
    Object.values({ rank: site.rank, node: site.node, gpu: site.gpu, link: site.link, port: site.port }).every(
      (value) => value === undefined,
    ),
};

function namesOneRank({ rank, node, gpu }: FaultSite): boolean {
  return rank === undefined ? node !== undefined && gpu !== undefined : node === undefined && gpu === undefined;
}

function whyNotSo(fault: ClusterFault, parameters: (typeof CLUSTER_FAULT_KINDS)[number]["parameters"]): string | null {
  for (const { name, least, most } of parameters) {
    const value: unknown = Object.entries(fault).find(([key]) => key === name)?.[1];
    if (value === undefined) continue;
    if (typeof value !== "number" || !(value >= least && value <= most))
      return `${name} must be a number from ${least} to ${most}, not ${JSON.stringify(value)}`;
  }
  return null;
}

function isWhole(value: number, least: number, most: number): boolean {
  return Number.isSafeInteger(value) && value >= least && value <= most;
}
