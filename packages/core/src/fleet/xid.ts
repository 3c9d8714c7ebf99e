import type { Severity } from "../severity.ts";
import { XID_ROWS } from "./xid-rows.ts";

/** What an XID is mostly caused by. `ambiguous`: the application or the GPU; repeats on one GPU across jobs point to the GPU. */
export const XID_CLASSES = ["application", "driver", "gpu", "memory", "link", "pcie", "power", "ambiguous", "info", "unused"] as const;
export type XidClass = (typeof XID_CLASSES)[number];

/** Whom one of it is for: `page` somebody now, `ticket` for working hours, `log` nobody unless it repeats. */
export const XID_POLICIES = ["page", "ticket", "log"] as const;
export type XidPolicy = (typeof XID_POLICIES)[number];

/** What to do about an XID, in one sentence each. */
export const XID_ACTIONS = {
  none: "Nothing to do; watch whether it repeats on this GPU",
  "restart-app": "Restart the job; if it repeats on this GPU with other jobs, suspect the GPU",
  "reset-gpu": "Drain the node and reset the GPU before it is used again",
  "drain-reset": "Drain the node, reset the GPU and run its field diagnostics",
  "reset-at-next-window": "Reset the GPU at the next maintenance window",
  "reboot-node": "Drain and reboot the node; if it comes back, check the seating and have the GPU replaced",
  "restart-vm": "Restart the virtual machine",
  "restart-fabric-manager": "Follow the XID that came before it; if there is none, restart the fabric manager",
  "check-mechanical": "Check the seating, the power cable and the cooling of the GPU",
  "contact-support": "Open a case with the vendor",
  "update-software": "Bring the driver and the virtual GPU software to versions that go together",
  "decode-nvlink": "Drain the node, see which end reported first, reset the GPU and test the link",
  "decode-nvlink5": "If it is fatal, drain the node and reset the GPU; else look at the link's cable, temperature and peer",
  "follow-154": "Do what the driver asks for: reset, reboot, or drain and reset",
  "check-memory-client": "Check the process that used unified memory",
} as const;
export type XidAction = keyof typeof XID_ACTIONS;

export interface XidEntry {
  readonly number: number;
  /** NVIDIA's symbol. */
  readonly name: string;
  readonly title: string;
  readonly class: XidClass;
  readonly policy: XidPolicy;
  readonly action: XidAction;
}

/** Every XID that Trainwatch knows, ascending. Numbers and symbols are NVIDIA's catalogue's; class, policy and action are ours. */
export const XIDS: readonly XidEntry[] = XID_ROWS.map(([number, name, title, xidClass, policy, action]) => ({
  number,
  name,
  title,
  class: xidClass,
  policy,
  action,
}));

const BY_NUMBER: ReadonlyMap<number, XidEntry> = new Map(XIDS.map((entry) => [entry.number, entry]));

/** Null: not in the catalogue. */
export function xidEntry(number: number): XidEntry | null {
  return BY_NUMBER.get(number) ?? null;
}

const SEVERITY_OF = { page: "critical", ticket: "warning", log: "info" } as const satisfies Record<XidPolicy, Severity>;

/** Of one of it, alone. A number that nobody knows is a warning: it may be a newer driver's worst. */
export function xidSeverity(number: number): Severity {
  const entry = xidEntry(number);
  return entry === null ? "warning" : SEVERITY_OF[entry.policy];
}

/** `XID 79, GPU has fallen off the bus`, or `XID 999, not in the catalogue`. */
export function xidTitle(number: number): string {
  return `XID ${number}, ${xidEntry(number)?.title ?? "not in the catalogue"}`;
}
