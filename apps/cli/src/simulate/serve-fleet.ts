import { completePlan, groundTruth, simulateFleet, slowSteps } from "@trainwatch/simulate";
import type { Fault, FleetFault, GroundTruth, PlanInput, SimulatedCluster, SimulatedFleet, Spelling } from "@trainwatch/simulate";
import { printJson, type CommandIo } from "../frame/io.ts";
import { untilStopped } from "../frame/until-stopped.ts";
import { serveExporters } from "./exporter-server.ts";

export interface ServedFleet {
  readonly nodes: number;
  readonly port: number;
  readonly faults: readonly ((startMs: number) => FleetFault)[];
  readonly spelling: Spelling;
  readonly run: PlanInput;
}

/** A fleet whose job begins now. What its hot GPUs slow is slow in the run as well. */
export function fleetFromNow(
  { nodes, faults, spelling, run }: Omit<ServedFleet, "port">,
  nowMs: number,
): { readonly fleet: SimulatedFleet; readonly runTruth: readonly GroundTruth[] } {
  const placed = faults.map((at) => at(nowMs));
  const plan = completePlan({ ...run, startTimeMs: nowMs });
  const slow = placed.flatMap((fault): Fault[] => (fault.kind === "hot-gpu" ? [slowSteps(fault, plan) ?? []].flat() : []));
  const coupled = { ...plan, faults: [...plan.faults, ...slow] };
  const fleet = simulateFleet({ nodes, seed: plan.seed, startMs: nowMs, faults: placed, spelling, run: { plan: coupled } });
  return { fleet, runTruth: groundTruth(coupled) };
}

/** Serves exporters until the process is asked to end. `onTruth` gets what is going to go wrong before anything is served. */
export async function serveFleet(served: ServedFleet, io: CommandIo, { json, onTruth }: Omit<ServeOptions, "port">): Promise<void> {
  const { fleet, runTruth } = fleetFromNow(served, io.now());
  await serve(fleet, [...runTruth, ...fleet.truth], io, { port: served.port, json, onTruth });
}

/** The same for a run that is simulated rank by rank. */
export async function serveCluster({ fleet, truth }: SimulatedCluster, io: CommandIo, options: ServeOptions): Promise<void> {
  await serve(fleet, truth, io, options);
}

interface ServeOptions {
  readonly port: number;
  readonly json: boolean;
  readonly onTruth: (truth: readonly object[]) => Promise<void>;
}

async function serve(fleet: SimulatedFleet, truth: readonly object[], io: CommandIo, { port, json, onTruth }: ServeOptions): Promise<void> {
  await onTruth(truth);
  const server = await serveExporters(fleet, { port, now: io.now });
  try {
    if (json) printJson(io, { url: server.url, nodes: fleet.nodes.map((node) => nodeJson(server.url, node)), truth });
    else io.out(announcement(server.url, fleet));
    await untilStopped(io.stop);
  } finally {
    await server.close();
  }
}

function nodeJson(url: string, { index, host, machineId, rack }: SimulatedFleet["nodes"][number]): object {
  return { host, machineId, rack, dcgm: `${url}/nodes/${index}/dcgm/metrics`, node: `${url}/nodes/${index}/node/metrics` };
}

function announcement(url: string, { nodes, plan }: SimulatedFleet): string {
  const count = nodes.length === 1 ? "The exporters of 1 node" : `The exporters of ${nodes.length} nodes`;
  return `${[
    `${count} with ${nodes.length * plan.gpusPerNode} GPUs answer at ${url}`,
    `  ${url}/nodes/0/dcgm/metrics`,
    `  ${url}/nodes/0/node/metrics`,
    "Prometheus scrapes all of them with",
    "  scrape_configs:",
    "    - job_name: fleet",
    `      http_sd_configs: [{ url: "${url}/targets" }]`,
    "Ctrl+C ends it.",
  ].join("\n")}\n`;
}
