import type { CauseFactName } from "../cause.ts";
import type { Finding } from "../finding.ts";
import { xidEntry } from "../fleet/xid.ts";
import { causeFamily } from "./family.ts";

/** What a finding is in a chain of causes and effects. */
export type Signal =
  /** A GPU or node that is broken or computes wrongly: needs no other explanation. */
  | "device"
  /** An NVLink, a port or a switch. */
  | "link"
  /** A GPU or node that is held back: hot, throttled, slower than its peers. */
  | "slow-device"
  /** A node of which nothing comes any more. */
  | "lost"
  /** What an application raises as well as a broken GPU. */
  | "application"
  /** What a driver says while it clears away a process that is ending. */
  | "teardown"
  /** The run stands: no step, a collective that timed out. */
  | "stop"
  /** The run is slow. */
  | "slow"
  /** The model learns badly. */
  | "learning"
  /** Loss or norms are not finite: the worst that learning can come to, and what makes a trainer give up. */
  | "not-finite"
  | "other";

/** Signals that accuse a device. Two of them on different nodes are two faults, unless one brings the other about. */
export const ACCUSERS: ReadonlySet<Signal> = new Set<Signal>(["device", "link", "slow-device"]);

/** XID 43 and 45 follow whatever ended the process (detection.md C.2; case F1: 168,924 rows of XID 45 after one fault). */
const TEARDOWN_XIDS = new Set([43, 45]);

/** Of the one finding that a detector makes of all of them, on however many nodes. */
export const TEARDOWN_METRIC = "xid teardown";

const SIGNAL_OF_FACT: Readonly<Partial<Record<CauseFactName, Signal>>> = {
  "gpu-lost": "device",
  "node-lost": "lost",
  "node-memory-error": "device",
  "replica-hash-mismatch": "device",
  "recompute-mismatch": "device",
  "rank-deviates": "device",
  "replay-elsewhere-disagreed": "device",
  "rerun-disagreed": "device",
  "link-down": "link",
  "link-errors": "link",
  "link-slow": "link",
  hot: "slow-device",
  throttled: "slow-device",
  "rank-compute-slow": "slow-device",
  "node-compute-slow": "slow-device",
  "same-error-on-most-nodes": "application",
  "non-finite": "not-finite",
  "ranks-behind": "stop",
  "last-stage-slow": "slow",
  "sequence-load-correlates": "slow",
  "transfer-slow": "slow",
  "data-wait": "slow",
};

/** Of several that a finding states: whom it accuses comes before what the run suffers. */
const MOST_TELLING = [
  "device",
  "link",
  "lost",
  "slow-device",
  "application",
  "stop",
  "not-finite",
  "slow",
] as const satisfies readonly Signal[];

/** What a finding is, from the facts it states, else from what it accuses and the metric it read. */
export function signalOf(finding: Finding): Signal {
  if (finding.subject.kind === "logger") return "other";
  if (finding.metric === TEARDOWN_METRIC) return "teardown";
  for (const { fact, value } of finding.facts) if (fact === "gpu-error") return signalOfError(finding, value);
  const stated = finding.facts.flatMap(({ fact }) => SIGNAL_OF_FACT[fact] ?? []);
  const telling = MOST_TELLING.find((signal) => stated.includes(signal));
  if (telling !== undefined) return telling;
  switch (finding.subject.kind) {
    case "gpu":
    case "node":
      return finding.metric === "nccl" ? "stop" : "device";
    case "link":
    case "port":
    case "switch":
      return "link";
    case "run":
    case "rank":
    case "stage":
      return signalOfRun(finding);
  }
}

function signalOfError(finding: Finding, number: number | null): Signal {
  // An SXid has a number of its own, unknown to the table of XIDs.
  if (finding.subject.kind === "switch" || number === null) return finding.subject.kind === "switch" ? "link" : "device";
  if (TEARDOWN_XIDS.has(number)) return "teardown";
  const entry = xidEntry(number);
  switch (entry?.class) {
    case "link":
      return "link";
    case "application":
    case "ambiguous":
      return "application";
    case "driver":
      return entry.policy === "page" ? "device" : "application";
    default:
      return "device";
  }
}

function signalOfRun(finding: Finding): Signal {
  if (finding.state === "stalled") return "stop";
  const family = causeFamily(finding.metric);
  if (family === "optimisation" && finding.state === "non-finite") return "not-finite";
  return family === "optimisation" ? "learning" : family === "throughput" ? "slow" : "other";
}
