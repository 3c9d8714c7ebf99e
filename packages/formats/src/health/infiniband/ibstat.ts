import type { HealthSink } from "../contract.ts";
import { quantity, words, type ValueReader } from "../nvidia-smi/value.ts";
import type { ToolReader } from "./tool-reader.ts";
import { PHYSICAL_STATES, PORT_STATES } from "./port-counters.ts";

/** `CA 'mlx5_0'`. */
const CARD = /^CA '([\w.-]{1,64})'/;
const PORT = /^\s+Port (\d{1,3}):\s*$/;
const ROW = /^\s+([A-Z][\w ]{1,40}?): (.*?)\s*$/;
/** `VM_hostname c11-n07`, above the GUIDs of its cards, one a line. */
const HOST = /^VM_hostname (\S{1,253})\s*$/;
const GUID = /^([0-9a-f]{16})\s*$/;

/** Whether a line begins what `ibstat` says of a card, or a list of GUIDs. */
export function isIbstatLine(line: string): boolean {
  return CARD.test(line) || HOST.test(line);
}

/** `Rate: 400` counts Gb/s. */
const FIELDS: ReadonlyMap<string, readonly [metric: string, read: ValueReader]> = new Map([
  ["State", ["node_infiniband_state_id", words(PORT_STATES)] as const],
  ["Physical state", ["node_infiniband_physical_state_id", words(PHYSICAL_STATES)] as const],
  ["Rate", ["node_infiniband_rate_bytes_per_second", quantity({ "": 1e9 / 8 })] as const],
]);

/** `ibstat`: state and rate of each port of this node; and lists of node GUIDs by host, which say only what is where. */
export function ibstat(sink: HealthSink): ToolReader {
  let device: string | null = null;
  let port: string | null = null;
  let host: string | null = null;
  return (text, line) => {
    const card = CARD.exec(text)?.[1];
    if (card !== undefined) {
      [device, port] = [card, null];
      return true;
    }
    host = HOST.exec(text)?.[1] ?? host;
    if (HOST.test(text)) return true;
    const guid = host === null ? undefined : GUID.exec(text)?.[1];
    if (host !== null && guid !== undefined) {
      sink.reading({ name: "infiniband_node_info", labels: { Hostname: host, guid: `0x${guid}` }, value: 1, line, timeMs: null });
      return true;
    }
    if (device === null) return false;
    const number = PORT.exec(text)?.[1];
    if (number !== undefined) {
      port = number;
      return true;
    }
    const [, name, value] = ROW.exec(text) ?? [];
    if (name === undefined || value === undefined) return false;
    const field = port === null ? undefined : FIELDS.get(name);
    if (port === null || field === undefined) return true;
    const [metric, read] = field;
    const result = read(value);
    if (result.kind === "fault")
      sink.issue({ line, code: "bad-value", message: `${name} of ${device}:${port} was left out: ${result.why}.` });
    if (result.kind === "number") sink.reading({ name: metric, labels: { device, port }, value: result.value, line, timeMs: null });
    return true;
  };
}
