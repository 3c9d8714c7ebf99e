import type { HealthSink } from "../contract.ts";
import type { ToolReader } from "./tool-reader.ts";
import { rateOf } from "./port-counters.ts";

/** `SW  1719 10 0x7cfe9003009ce5b0 4x EDR - CA   134  1 0x7cfe9003003b4bde ( 'ib-i1l1s01' - 'o0001 HCA-1' )`; without a peer `SW 2052 37 0x506b… 4x ??? 'ib-i4l1s01'`. */
const LISTED = /^(CA|SW|RT) +(\d{1,6}) +(\d{1,3}) (0x[0-9a-f]{16}) (\d{1,2})x (\S{1,8})( - )?[^']*'(.{1,128}?)'/;
/** `Switch 41 "S-0ff08c43213b3f30"  # "MF0;…" enhanced port 0 lid 387 lmc 0`, `Ca 1 "H-0ff08c4321729742" # "RMD701091901053 ibp11s0f0"`. */
const NODE = /^(Switch|Ca|Rt)\s+\d{1,4} "[SHR]-([0-9a-f]{16})"\s+# "([^"]{0,128})"/;
/** `[1] "S-0ff08c432172aa1a"[21] # "…" lid 226 4xHDR s=4 …`, `[1](ff08c4321729742) "S-…"[1] # …`. */
const LINK = /^\[(\d{1,3})\](?:\([0-9a-f]{1,16}\))?\s+"[SHR]-[0-9a-f]{16}"\[\d{1,3}\].* (\d{1,2})x([A-Z0-9]{2,6})\b/;

export function isNetdiscoverLine(line: string): boolean {
  return LISTED.test(line) || NODE.test(line);
}

/**
 * `ibnetdiscover`, as a topology and as a list of ports (`-p`): for each port whether it has a peer, and at which rate. Every cable is told from both of its
 * ends.
 */
export function netdiscover(sink: HealthSink): ToolReader {
  let node: Readonly<Record<string, string>> | null = null;

  function give(labels: Readonly<Record<string, string>>, isUp: boolean, width: string, speed: string, line: number): void {
    sink.reading({ name: "infiniband_link_up", labels, value: isUp ? 1 : 0, line, timeMs: null });
    const rate = isUp ? rateOf(Number(width), speed) : null;
    if (rate !== null) sink.reading({ name: "node_infiniband_rate_bytes_per_second", labels, value: rate, line, timeMs: null });
    else if (isUp) sink.issue({ line, code: "bad-value", message: `The speed ${width}x ${speed} is not known; the rate was left out.` });
  }

  return (text, line) => {
    const [, kind, lid, port, guid, width, speed, peer, description] = LISTED.exec(text) ?? [];
    if (kind !== undefined && lid !== undefined && port !== undefined && guid !== undefined && width !== undefined && speed !== undefined) {
      give({ guid, port, lid, description: description ?? "" }, peer !== undefined, width, speed, line);
      return true;
    }
    const [, , nodeGuid, nodeDescription] = NODE.exec(text) ?? [];
    if (nodeGuid !== undefined) {
      node = { guid: `0x${nodeGuid}`, description: nodeDescription ?? "" };
      return true;
    }
    const [, number, linkWidth, linkSpeed] = LINK.exec(text) ?? [];
    if (node === null || number === undefined || linkWidth === undefined || linkSpeed === undefined) return false;
    give({ ...node, port: number }, true, linkWidth, linkSpeed, line);
    return true;
  };
}
