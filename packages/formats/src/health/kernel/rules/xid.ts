import { type XidVerdict, xidVerdict } from "@trainwatch/core";
import { eventText, subCode } from "../../event-text.ts";
import { gpuAt, type KernelRule } from "./rule.ts";

/** `NVRM: Xid (PCI:0000:3b:00): 79, pid=4711, name=python, GPU has fallen off the bus.`; old drivers leave out `PCI:`, pid and name. */
const XID = /NVRM: (Xid \((?:PCI:)?([0-9a-f:.]+)\): (\d{1,6})\b(.*))$/i;
const ON_LINK = /\blink (\d{1,3})\b/i;

/** XIDs of the driver, with the severity of the catalogue by code and sub-code. */
export const xid: KernelRule = (text, world) => {
  const found = XID.exec(text);
  if (found === null) return null;
  const [, told = "", address, number, rest = ""] = found;
  const code = Number(number);
  const verdict = xidVerdict(code, rest);
  return {
    kind: "xid",
    code,
    subCode: subCode(detailOf(code, rest, verdict)),
    severity: verdict.severity,
    entity: gpuAt(address, world),
    text: eventText(told),
  };
};

function detailOf(code: number, rest: string, { detail }: XidVerdict): string | undefined {
  if (detail !== null) return detail;
  const link = code === 74 ? ON_LINK.exec(rest)?.[1] : undefined;
  return link === undefined ? undefined : `link ${Number(link)}`;
}
