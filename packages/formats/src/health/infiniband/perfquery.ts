import type { HealthSink } from "../contract.ts";
import type { ToolReader } from "./tool-reader.ts";
import { PORT_COUNTERS } from "./port-counters.ts";

/** `# Port extended counters: Lid 2052 port 1 (CapMask: …)`, `# PortRcvErrorDetails counters: Lid 2052 port 1`. */
const HEAD = /^# (Port(?: extended)? counters|Port\w{1,40}Details counters): Lid (\d{1,6}) port (\d{1,3})\b/;
/** `PortXmitData:....................178791657177235`. */
const COUNTER = /^(\w{1,64}):\.{2,}(\d{1,20})\s*$/;
/** What was asked for, and no counter. */
const QUESTION = /^(?:PortSelect|CounterSelect2?)$/;
const KNOWN = new Map(PORT_COUNTERS.flatMap((counter) => (counter.perfquery === null ? [] : [[counter.perfquery, counter] as const])));

export function isPerfqueryHead(line: string): boolean {
  return HEAD.test(line);
}

/**
 * `perfquery` with its extensions, of switches and cards. Ports are named by LID and number, for perfquery knows no device. Counters that
 * node_exporter does not have come under names of their own, such as `infiniband_port_malformed_pkt_errors_total`.
 */
export function perfquery(sink: HealthSink): ToolReader {
  let labels: Readonly<Record<string, string>> | null = null;
  return (text, line) => {
    const [, , lid, port] = HEAD.exec(text) ?? [];
    if (lid !== undefined && port !== undefined) {
      labels = { lid, port };
      return true;
    }
    const [, name, value] = COUNTER.exec(text) ?? [];
    if (labels === null || name === undefined) return false;
    if (QUESTION.test(name)) return true;
    const known = KNOWN.get(name);
    const metric = known?.metric ?? `infiniband_${snakeCase(name)}_total`;
    sink.reading({ name: metric, labels, value: Number(value) * (known?.factor ?? 1), line, timeMs: null });
    return true;
  };
}

/** `PortMalformedPktErrors` and `QP1Dropped` as `port_malformed_pkt_errors` and `qp1_dropped`. */
function snakeCase(name: string): string {
  return name
    .replace(/([a-z0-9])([A-Z])/g, "$1_$2")
    .replace(/([A-Z]+)([A-Z][a-z])/g, "$1_$2")
    .toLowerCase();
}
