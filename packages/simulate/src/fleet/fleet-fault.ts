/** Faults that can be put into a simulated fleet. Nodes, GPUs (by slot, whatever their index is) and links are named by number, from 0. */
export type FleetFault = OnGpu | OnLink | OnNode;

interface InTime {
  /** Epoch milliseconds. */
  readonly atMs: number;
  /** Exclusive; to the end where absent. */
  readonly untilMs?: number;
  readonly node: number;
}

type OnGpu = InTime & { readonly gpu: number } & (
    | {
        /** Warms up by so many degrees within some minutes. */
        readonly kind: "hot-gpu";
        readonly celsius: number;
        /** It throttles, and each step of its job takes so many times as long: put `slowSteps` of the fault into the run. */
        readonly slowsStepBy?: number;
      }
    /** The driver reports an XID. 79 takes the GPU off the bus; with `teardown` the job's other GPUs report 45 within 30 s. */
    | { readonly kind: "xid"; readonly code: number; readonly teardown?: boolean }
    /** Memory errors that were corrected, an hour, and ones that were not, at once. */
    | { readonly kind: "ecc"; readonly correctedPerHour: number; readonly uncorrected: number }
    | { readonly kind: "row-remap"; readonly rows: number; readonly failed: boolean }
    /** The node is down for some minutes and comes back with another GPU in the slot. */
    | { readonly kind: "gpu-replaced" }
    /** After a reboot the GPUs of two slots have each other's index. */
    | { readonly kind: "index-swap"; readonly with: number }
    /** One field reads so, such as "4294967295" or "9223372036854775794". `field` is its older name. */
    | { readonly kind: "sentinel"; readonly field: string; readonly text: string }
  );

type OnLink = InTime & { readonly gpu: number; readonly link: number } & (
    | { readonly kind: "link-errors"; readonly perSecond: number }
    | { readonly kind: "link-down" }
    /** It carries a share of its bandwidth, without an error. */
    | { readonly kind: "link-slow"; readonly left: number }
  );

type OnNode = InTime &
  (
    | { readonly kind: "exporter-restart" }
    /** dcgm-exporter and node_exporter do not answer. */
    | { readonly kind: "exporter-silent" }
    /** The node is down: nothing of it answers, until it has booted again at `untilMs`. */
    | { readonly kind: "node-lost" }
    /** From then on dcgm-exporter writes the newer names of fields and labels (E2). */
    | { readonly kind: "exporter-upgrade" }
    /** dcgm-exporter has only the fields of its default list (E7). */
    | { readonly kind: "default-fields" }
    | { readonly kind: "clock-off"; readonly seconds: number }
    | { readonly kind: "port-down"; readonly port: number }
    /** A port counts symbol errors, and now and then a recovery, a discard and an error on receipt. */
    | { readonly kind: "port-errors"; readonly port: number; readonly perSecond: number }
  );

export type FleetFaultKind = FleetFault["kind"];
export type FaultOf<K extends FleetFaultKind> = Extract<FleetFault, { readonly kind: K }>;

export function isActive({ atMs, untilMs }: FleetFault, timeMs: number): boolean {
  return timeMs >= atMs && (untilMs === undefined || timeMs < untilMs);
}

/** Seconds of [`fromMs`, `toMs`) in which a fault is active. */
export function activeSeconds({ atMs, untilMs = Number.POSITIVE_INFINITY }: FleetFault, fromMs: number, toMs: number): number {
  return Math.max(0, Math.min(toMs, untilMs) - Math.max(fromMs, atMs)) / 1000;
}
