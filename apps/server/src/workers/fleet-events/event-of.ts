import type { FleetField, LastEventChange } from "@trainwatch/core";
import type { GaugeEvent } from "@trainwatch/store";

/** The entity's event behind a change of a gauge. How bad a code is the kernel's log and the XID table say; a gauge alone is a ticket at most. */
export function eventOf(field: FleetField, { timeMs, code, isOld }: LastEventChange): GaugeEvent["event"] {
  const name = field.name.includes("XID_ERROR") && field.entity === "gpu" ? "XID" : "SXid";
  const text = isOld
    ? `${name} ${code} stood in the gauge when we began to watch: it happened before.`
    : `${name} ${code}: the gauge of the last one (${field.name}) has changed to it.`;
  return { timeMs, kind: name === "XID" ? "xid" : "sxid", code, severity: isOld ? "info" : "warning", text };
}
