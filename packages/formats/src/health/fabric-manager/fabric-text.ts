import { nodeThing, type HealthEventParts } from "../contract.ts";
import { eventText, subCode } from "../event-text.ts";
import { pciAddress } from "../pci-address.ts";

/** `detected NVSwitch non-fatal error 12028 on fid 0 on NVSwitch pci bus id 00000000:86:00.0 physical id 3 port 61`. */
const SWITCH_ERROR = /detected NVSwitch (non-fatal|fatal) error (\d{1,6})(?:.*?pci bus id ([0-9a-f:.]+))?(?:.*? port (\d{1,3}))?/i;
const FATAL = /(non[- ]?)?\bfatal\b/i;

/**
 * What a message of the fabric manager is worth. @param level as the log names it; null where it is not known, and then only errors of a switch count
 */
export function fabricText(text: string, level: string | null, node: string | undefined): HealthEventParts | null {
  const found = SWITCH_ERROR.exec(text);
  if (found !== null) {
    const [, weight = "", code, bus, port] = found;
    const address = bus === undefined ? null : pciAddress(bus);
    return {
      kind: "fabric-manager",
      code: Number(code),
      subCode: subCode(port === undefined ? undefined : `port ${Number(port)}`),
      severity: weight.toLowerCase() === "fatal" ? "critical" : "warning",
      // Neither its fabric id nor its place on the board is the number by which the kernel knows it.
      entity: address === null ? null : { kind: "switch", id: nodeThing(node, `switch/pci:${address}`) },
      text: eventText(text),
    };
  }
  if (level !== "ERROR" && level !== "CRITICAL" && level !== "WARNING") return null;
  const fatal = FATAL.exec(text);
  const isFatal = level === "CRITICAL" || (fatal !== null && fatal[1] === undefined);
  return {
    kind: "fabric-manager",
    code: null,
    subCode: null,
    severity: level === "WARNING" ? "info" : isFatal ? "critical" : "warning",
    entity: null,
    text: eventText(text),
  };
}
