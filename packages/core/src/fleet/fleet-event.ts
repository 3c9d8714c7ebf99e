import { z } from "zod";
import { severitySchema } from "../severity.ts";
import { textSchema } from "../text.ts";
import { timeMsSchema } from "../run.ts";
import { ENTITY_KINDS } from "./entity.ts";
import type { FrameRefusalCode } from "./frame.ts";

export const FLEET_EVENT_KINDS = [
  "xid",
  "sxid",
  "oom",
  "nccl",
  "fabric-manager",
  "link-down",
  "link-up",
  "gpu-lost",
  "gpu-replaced",
  "reboot",
  "clock-jump",
  "spool-full",
  "source-failed",
  "kernel",
] as const;

/** Something that happened on a node at a time. `code` is the XID, SXid or whatever number the source has for it. */
export const fleetEventSchema = z.object({
  timeMs: timeMsSchema,
  kind: z.enum(FLEET_EVENT_KINDS),
  /** 32 bits, signed, as it is stored. */
  code: z.int32().nullable().default(null),
  subCode: textSchema.max(64).nullable().default(null),
  severity: severitySchema.default("info"),
  /** Null: the node as a whole. A GPU that the kernel names by PCI address only has kind `gpu` and id `pci:0000:3b:00`. */
  entity: z
    .object({ kind: z.enum(ENTITY_KINDS), id: textSchema.min(1).max(256) })
    .nullable()
    .default(null),
  text: textSchema.max(2000),
  /** How many of the same the sender has folded into this one, the first at `timeMs` and the last at `lastTimeMs`. */
  count: z.number().int().positive().default(1),
  lastTimeMs: timeMsSchema.nullable().default(null),
});
export type FleetEvent = z.infer<typeof fleetEventSchema>;

/** How the sources of our agent's events begin: who else sends events reads a kernel log, the agent may send of anything. */
export const AGENT_SOURCE_PREFIX = "agent:";

/** Input of `ingest.events`: events of one node. The same (source, seq) is answered the same and stored once. */
export const fleetEventsPushSchema = z.object({
  source: textSchema.trim().min(1).max(256),
  seq: z.number().int().nonnegative(),
  node: z.object({
    machineId: textSchema.trim().min(1).max(128).nullable().default(null),
    /** As sent: whoever looks the node up writes it as `hostName` does. */
    host: textSchema.trim().min(1).max(253).nullable().default(null),
    /** Changes with every boot. */
    bootId: textSchema.max(64).nullable().default(null),
  }),
  events: z.array(fleetEventSchema).max(10_000),
});
export type FleetEventsPush = z.infer<typeof fleetEventsPushSchema>;

/**
 * `repeated` counts those that an earlier push had brought already; `folded` those of `accepted` that joined a burst that is still open (F1).
 * `refused` lists those whose time no clock says (of `events`, by index); the others of the push are stored.
 */
export interface FleetEventsAnswer {
  readonly accepted: number;
  readonly repeated: number;
  readonly folded: number;
  readonly refused: readonly { readonly index: number; readonly code: FrameRefusalCode; readonly message: string }[];
}
