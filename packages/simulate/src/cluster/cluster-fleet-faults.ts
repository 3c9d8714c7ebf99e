import type { FleetFault } from "../fleet/fleet-fault.ts";
import type { FaultSpan } from "./fault-clock.ts";
import { numberOf } from "./placed-fault.ts";
import type { PlacedFault } from "./placed-fault.ts";
import { CHAIN_S } from "./stops.ts";

/** Seconds from the first XID of a chain to the remap. */
const REMAP_S = 1.5;

/** What a fault does to the fleet: its onset is the start of the first step that it strikes. */
export function fleetFaultsOf(placed: PlacedFault, { onset, end }: FaultSpan): readonly FleetFault[] {
  const { node, gpu, link, port } = placed;
  if (node === null) return [];
  const when = { atMs: onset.startMs, ...(end === null ? {} : { untilMs: end.startMs }), node };
  const onNode = nodeFault(placed, when);
  if (onNode !== null) return [onNode];
  if (port !== null) {
    if (placed.kind === "port-down") return [{ kind: "port-down", ...when, port }];
    return placed.kind === "port-errors"
      ? [{ kind: "port-errors", ...when, port, perSecond: numberOf(placed, "port-errors", "perSecond") }]
      : [];
  }
  if (gpu === null) return [];
  return link === null ? gpuFaults(placed, { ...when, gpu }) : linkFaults(placed, { ...when, gpu, link });
}

interface Sited {
  readonly atMs: number;
  readonly untilMs?: number;
  readonly node: number;
}

function nodeFault(placed: PlacedFault, when: Sited): FleetFault | null {
  switch (placed.kind) {
    case "lost-node":
      // It comes back while the job waits for its restart.
      return { kind: "node-lost", ...when };
    case "exporter-gap":
      return { kind: "exporter-silent", ...when };
    case "clock-off":
      return { kind: "clock-off", ...when, seconds: numberOf(placed, "clock-off", "offS") };
    default:
      return null;
  }
}

function gpuFaults(placed: PlacedFault, when: Sited & { readonly gpu: number }): readonly FleetFault[] {
  const { atMs, node, gpu } = when;
  switch (placed.kind) {
    case "thermal":
      return [
        { kind: "hot-gpu", ...when, celsius: numberOf(placed, "thermal", "celsius"), slowsStepBy: numberOf(placed, "thermal", "factor") },
      ];
    case "xid":
      return [
        {
          kind: "xid",
          ...when,
          code: numberOf(placed, "xid", "code"),
          teardown: numberOf(placed, "xid", "alone") === 0 && numberOf(placed, "xid", "code") === 79,
        },
      ];
    case "ecc":
      return [
        {
          kind: "ecc",
          ...when,
          correctedPerHour: numberOf(placed, "ecc", "correctedPerHour"),
          uncorrected: numberOf(placed, "ecc", "uncorrected"),
        },
      ];
    case "ecc-chain":
      return [
        { kind: "ecc", atMs, node, gpu, correctedPerHour: 0, uncorrected: 1 },
        { kind: "row-remap", atMs: atMs + REMAP_S * 1000, node, gpu, rows: 1, failed: numberOf(placed, "ecc-chain", "remapFails") === 1 },
        { kind: "xid", ...when, atMs: atMs + CHAIN_S * 1000, gpu, code: 79, teardown: true },
      ];
    default:
      return [];
  }
}

function linkFaults(placed: PlacedFault, when: Sited & { readonly gpu: number; readonly link: number }): readonly FleetFault[] {
  switch (placed.kind) {
    case "link-errors":
      return [{ kind: "link-errors", ...when, perSecond: numberOf(placed, "link-errors", "perSecond") }];
    case "link-slow":
      return [{ kind: "link-slow", ...when, left: numberOf(placed, "link-slow", "left") }];
    case "link-down":
      return [{ kind: "link-down", ...when }];
    default:
      return [];
  }
}
