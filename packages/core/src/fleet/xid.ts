import type { Severity } from "../severity.ts";
import { XID_ROWS } from "./xid-rows.ts";
import type { XidAction, XidClass, XidPolicy } from "./xid-words.ts";

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
