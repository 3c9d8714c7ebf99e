import type { Cause } from "@trainwatch/core";

/** Where a fault sits: one rank (by number, or by node and GPU), a node, an NVLink of a GPU, a network port of a node; `some`: a rank, a node, or all; `run`: nowhere. */
export type FaultPlace = "rank" | "node" | "link" | "port" | "some" | "run";

export interface FaultParameter {
  readonly name: string;
  /** Where the file gives none. */
  readonly value: number;
  readonly least: number;
  readonly most: number;
  readonly meaning: string;
}

interface FaultKindEntry {
  readonly kind: string;
  readonly place: FaultPlace;
  /** What is to blame, in the words of `CAUSES`; null where nothing is wrong with the run. */
  readonly cause: Cause | null;
  /** What it does, in one sentence. */
  readonly does: string;
  readonly parameters: readonly FaultParameter[];
}

const number = <N extends string>(
  name: N,
  value: number,
  [least, most]: readonly [number, number],
  meaning: string,
): FaultParameter & { readonly name: N } => ({ name, value, least, most, meaning });

const share = number("share", 1, [0.0001, 1], "of the steps that are struck");
const flag = <N extends string>(name: N, meaning: string): FaultParameter & { readonly name: N } =>
  number(name, 0, [0, 1], `1: ${meaning}`);
const DAY_S = 86_400;
const downtimeS = number("downtimeS", 300, [0, 30 * DAY_S], "seconds from the end of the attempt to the next one");
const slower = (value: number): FaultParameter & { readonly name: "factor" } =>
  number("factor", value, [1, 20], "times its undisturbed time");
const stepsAs = (value: number): FaultParameter & { readonly name: "factor" } =>
  number("factor", value, [1, 20], "times an undisturbed step that a step takes");

/** Every fault that can be put into a simulated cluster: the faults file, its errors and its manual follow from this table. */
export const CLUSTER_FAULT_KINDS = [
  {
    kind: "silent-error",
    place: "rank",
    cause: "hardware",
    does: "A GPU calculates wrongly without saying so: its loss and gradient norm before the all-reduce are off.",
    parameters: [
      number("sigma", 5, [0.1, 1e6], "robust standard deviations of the rank's own noise"),
      share,
      flag("lossOnly", "the gradient norm is right"),
      flag("gradOnly", "the loss is right"),
      flag("hash", "its parameters differ from its replicas' from then on"),
      flag("recompute", "recomputed activations disagree on each struck step"),
    ],
  },
  { kind: "replica-drift", place: "rank", cause: "hardware", does: "A replica's parameters differ from its peers'.", parameters: [] },
  {
    kind: "nan",
    place: "rank",
    cause: "hardware",
    does: "One rank's loss and gradient norm are NaN; from the next step on all are.",
    parameters: [flag("skipped", "the trainer skips the step, so that no other rank follows")],
  },
  {
    kind: "straggler",
    place: "some",
    cause: "hardware",
    does: "A GPU or all of a node calculate slowly.",
    parameters: [slower(1.3), share],
  },
  {
    kind: "thermal",
    place: "rank",
    cause: "hardware",
    does: "A GPU runs hot, is throttled and slows its job.",
    parameters: [slower(1.25), number("celsius", 22, [1, 60], "degrees above its peers")],
  },
  {
    kind: "last-stage",
    place: "run",
    cause: "last-stage",
    does: "The last pipeline stage has more to do than the others.",
    parameters: [slower(1.3)],
  },
  {
    kind: "sequence-imbalance",
    place: "run",
    cause: "sequence-length",
    does: "Replicas get batches of very different lengths, so that each step waits for another one.",
    parameters: [number("spread", 0.8, [0.05, 3], "standard deviation of the log of a replica's sequence load")],
  },
  { kind: "data-slow", place: "some", cause: "data-loading", does: "Ranks wait for their data.", parameters: [stepsAs(1.3), share] },
  {
    kind: "jitter",
    place: "some",
    cause: "software",
    does: "Now and then a rank pauses, such as for garbage collection.",
    parameters: [stepsAs(1.5), number("share", 0.12, [0.0001, 1], "of the steps that are struck")],
  },
  {
    kind: "link-slow",
    place: "link",
    cause: "network",
    does: "An NVLink carries a share of its bandwidth; each step waits for its collectives.",
    parameters: [number("left", 0.3, [0.01, 0.99], "share of the bandwidth that is left")],
  },
  {
    kind: "link-errors",
    place: "link",
    cause: "network",
    does: "An NVLink repeats what it sends.",
    parameters: [number("perSecond", 180, [0.001, 1e7], "CRC errors"), stepsAs(1)],
  },
  { kind: "link-down", place: "link", cause: "network", does: "An NVLink fails for good (XID 74).", parameters: [] },
  {
    kind: "port-errors",
    place: "port",
    cause: "network",
    does: "A network port counts symbol errors, recoveries and discards.",
    parameters: [number("perSecond", 40, [0.001, 1e7], "symbol errors"), stepsAs(1)],
  },
  {
    kind: "port-down",
    place: "port",
    cause: "network",
    does: "A network port goes down; its traffic takes the others.",
    parameters: [stepsAs(1)],
  },
  {
    kind: "hang",
    place: "rank",
    cause: "software",
    does: "A rank never ends its step; the others wait in the collective until the job is killed. Heartbeats go on.",
    parameters: [number("killedAfterS", 900, [1, 30 * DAY_S], "seconds until the job is killed"), downtimeS],
  },
  {
    kind: "lost-node",
    place: "node",
    cause: "hardware",
    does: "A node goes down with all its ranks and exporters; the job waits, is killed and starts again.",
    parameters: [number("killedAfterS", 240, [1, 30 * DAY_S], "seconds until the job is killed"), downtimeS],
  },
  {
    kind: "ecc-chain",
    place: "rank",
    cause: "hardware",
    does: "An uncorrected memory error (XID 48), a row remap (63, or 64 where it fails), the GPU lost (79), and the job's teardown (45) on all others.",
    parameters: [flag("remapFails", "no spare row is left (XID 64)"), downtimeS],
  },
  {
    kind: "xid",
    place: "rank",
    cause: "hardware",
    does: "The driver reports an XID. 79 takes the GPU off the bus and ends the attempt.",
    parameters: [number("code", 79, [1, 999], "XID"), flag("alone", "no other GPU reports 45"), downtimeS],
  },
  {
    kind: "ecc",
    place: "rank",
    cause: "hardware",
    does: "A GPU counts memory errors.",
    parameters: [
      number("correctedPerHour", 600, [0, 1e9], "errors that were corrected"),
      number("uncorrected", 0, [0, 1e6], "errors that were not, at once"),
    ],
  },
  {
    kind: "bad-batch",
    place: "run",
    cause: "data",
    does: "A batch whose loss is off each time it is read.",
    parameters: [number("factor", 1.6, [0.1, 100], "times the loss")],
  },
  {
    kind: "lr-bug",
    place: "run",
    cause: "software",
    does: "The learning rate is not what its schedule says; loss and gradient norm rise after it.",
    parameters: [number("factor", 5, [0.001, 1000], "times the scheduled rate")],
  },
  {
    kind: "loss-scale-collapse",
    place: "run",
    cause: "optimizer",
    does: "The loss scale is halved each step, since each one overflows.",
    parameters: [],
  },
  {
    kind: "restart",
    place: "run",
    cause: null,
    does: "The job ends and starts again.",
    parameters: [number("resumeFrom", -1, [-1, 1e9], "step it goes on from; -1: the newest checkpoint"), downtimeS],
  },
  {
    kind: "resume-learning-rate",
    place: "run",
    cause: "software",
    does: "The job starts again, and its learning rate as if the run had begun anew.",
    parameters: [downtimeS],
  },
  {
    kind: "resume-data-order",
    place: "run",
    cause: "software",
    does: "The job starts again and reads its data from the beginning: batches that it has seen.",
    parameters: [number("shift", -0.12, [-5, 5], "nats by which the loss is off"), downtimeS],
  },
  {
    kind: "expert-imbalance",
    place: "run",
    cause: "software",
    does: "One expert gets more and more of the tokens.",
    parameters: [number("ratio", 4, [1, 1000], "largest expert's load over the mean")],
  },
  { kind: "checkpoint-fails", place: "run", cause: "software", does: "Checkpoints lack a shard.", parameters: [] },
  {
    kind: "checkpoint-slow",
    place: "run",
    cause: "software",
    does: "Saving takes long.",
    parameters: [number("factor", 6, [1, 1000], "times as long")],
  },
  { kind: "exporter-gap", place: "node", cause: null, does: "A node's exporters do not answer; its ranks go on.", parameters: [] },
  {
    kind: "clock-off",
    place: "node",
    cause: null,
    does: "A node's clock is wrong.",
    parameters: [number("offS", 90, [-1e6, 1e6], "seconds")],
  },
] as const satisfies readonly FaultKindEntry[];

type Entries = (typeof CLUSTER_FAULT_KINDS)[number];
export type ClusterFaultKind = Entries["kind"];
type EntryOf<K extends ClusterFaultKind> = Extract<Entries, { readonly kind: K }>;
export type ParameterOf<K extends ClusterFaultKind> = EntryOf<K>["parameters"][number]["name"];
