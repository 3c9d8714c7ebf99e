import { nodeThing } from "../../contract.ts";
import { eventText, subCode } from "../../event-text.ts";
import type { KernelRule } from "./rule.ts";

/** `nvidia-nvswitch3: SXid (PCI:0000:c1:00.0): 20034, Fatal, Link 30 LTSSM Fault Up`. */
const SXID = /nvidia-nvswitch(\d{0,3}): (SXid \(PCI:([0-9a-f:.]+)\): (\d{1,6}), (.*))$/i;
/** Further lines of the same SXid: `Severity 1 Engine instance 30 …`, `Data {0x…}`. */
const MORE_OF_IT = /^(?:Severity|Engine|Data)\b/i;
const ON_LINK = /\bLink (\d{1,3})\b/;

/** Errors of an NVSwitch. A fatal one takes the fabric down: it pages. */
export const sxid: KernelRule = (text, world) => {
  const found = SXID.exec(text);
  if (found === null) return null;
  const [, number = "", told = "", address = "", code, rest = ""] = found;
  if (MORE_OF_IT.test(rest)) return null;
  const link = ON_LINK.exec(rest)?.[1];
  return {
    kind: "sxid",
    code: Number(code),
    subCode: subCode(link === undefined ? undefined : `link ${Number(link)}`),
    severity: /^fatal\b/i.test(rest) ? "critical" : "warning",
    entity: { kind: "switch", id: nodeThing(world.node, `switch/${number === "" ? address.toLowerCase() : Number(number)}`) },
    text: eventText(told),
  };
};
