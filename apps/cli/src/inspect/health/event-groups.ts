import { type Severity, XID_ACTIONS, severityRank, worstSeverity, xidEntry, xidTitle } from "@trainwatch/core";
import type { HealthEvent } from "@trainwatch/formats";

/** Events of the same kind, code and thing. */
export interface EventGroup {
  readonly kind: HealthEvent["kind"];
  readonly code: number | null;
  readonly subCode: string | null;
  readonly entity: HealthEvent["entity"];
  /** What it is, in words: of an XID as the catalogue has it. */
  readonly title: string;
  /** What to do about an XID; null where the catalogue does not know it, and for other events. */
  readonly action: string | null;
  severity: Severity;
  count: number;
  /** Epoch ms; null where no event of it has a time. */
  firstMs: number | null;
  lastMs: number | null;
  /** Line of the first, and what it says. */
  readonly line: number;
  readonly text: string;
}

/** Groups kept at most; events of further ones are counted only. */
const MAX_GROUPS = 5_000;

/** Events of one input, folded: a fault that repeats a thousand times is one row. */
export class EventGroups {
  private readonly groups = new Map<string, EventGroup>();
  total = 0;
  /** Events of groups beyond the limit. */
  omitted = 0;

  add(event: HealthEvent): void {
    this.total += event.count;
    const key = JSON.stringify([event.kind, event.code, event.subCode, event.entity]);
    const known = this.groups.get(key);
    if (known !== undefined) return join(known, event);
    if (this.groups.size >= MAX_GROUPS) this.omitted += event.count;
    else this.groups.set(key, begin(event));
  }

  /** The worst first, then in the order in which they came. */
  rows(): readonly EventGroup[] {
    return [...this.groups.values()].toSorted((a, b) => severityRank(b.severity) - severityRank(a.severity));
  }
}

function begin({ kind, code, subCode, entity, severity, count, timeMs, line, text }: HealthEvent): EventGroup {
  const entry = kind === "xid" && code !== null ? xidEntry(code) : null;
  return {
    kind,
    code,
    subCode,
    entity,
    title: titleOf(kind, code, subCode),
    action: entry === null ? null : XID_ACTIONS[entry.action],
    severity,
    count,
    firstMs: timeMs,
    lastMs: timeMs,
    line,
    text,
  };
}

function join(group: EventGroup, { severity, count, timeMs }: HealthEvent): void {
  group.severity = worstSeverity(group.severity, severity);
  group.count += count;
  if (timeMs === null) return;
  group.firstMs = Math.min(group.firstMs ?? timeMs, timeMs);
  group.lastMs = Math.max(group.lastMs ?? timeMs, timeMs);
}

const KIND_TITLES: Readonly<Partial<Record<HealthEvent["kind"], string>>> = {
  sxid: "SXid",
  oom: "Killed for memory",
  nccl: "NCCL",
  "fabric-manager": "Fabric manager",
  "link-down": "Link down",
  "link-up": "Link up",
  "gpu-lost": "GPU lost",
  kernel: "Kernel",
};

function titleOf(kind: HealthEvent["kind"], code: number | null, subCode: string | null): string {
  if (kind === "xid" && code !== null) return subCode === null ? xidTitle(code) : `${xidTitle(code)} (${subCode})`;
  const name = `${KIND_TITLES[kind] ?? kind}${code === null ? "" : ` ${code}`}`;
  return subCode === null ? name : `${name}: ${subCode}`;
}
