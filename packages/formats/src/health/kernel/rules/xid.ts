import { type Severity, xidSeverity } from "@trainwatch/core";
import { eventText, subCode } from "../../event-text.ts";
import { gpuAt, type KernelRule } from "./rule.ts";

/** `NVRM: Xid (PCI:0000:3b:00): 79, pid=4711, name=python, GPU has fallen off the bus.`; old drivers leave out `PCI:`, pid and name. */
const XID = /NVRM: (Xid \((?:PCI:)?([0-9a-f:.]+)\): (\d{1,6})\b(.*))$/i;
/** `RLW_RSP Nonfatal XC0 i0 Link 17 (0x00000004 0x80000000 …)`: unit, weight, link, intrInfo and errorStatus of NVLink 5. */
const NVLINK5 = /\b([A-Z][A-Z0-9_]+) (Non-?fatal|Fatal) [^(]{0,60}?Link (-?\d{1,3}) \((0x[0-9a-f]+)[ ,]+(0x[0-9a-f]+)/i;
const ON_LINK = /\blink (\d{1,3})\b/i;
/** `GPU recovery action changed from 0x0 (None) to 0x1 (GPU Reset Required)`. */
const RECOVERY = /recovery action changed from .{1,60}? to 0x[0-9a-f]+ \(([^)]{1,60})\)/i;

/** XIDs of the driver, with the severity of the catalogue. The decode of NVLink 5 words differs by driver, so they are kept as they are. */
export const xid: KernelRule = (text, world) => {
  const found = XID.exec(text);
  if (found === null) return null;
  const [, told = "", address, number, rest = ""] = found;
  const code = Number(number);
  const { severity, detail } = detailOf(code, rest);
  return { kind: "xid", code, subCode: subCode(detail), severity, entity: gpuAt(address, world), text: eventText(told) };
};

function detailOf(code: number, rest: string): { readonly severity: Severity; readonly detail?: string } {
  const severity = xidSeverity(code);
  if (code === 154) return recoveryOf(rest, severity);
  if (code === 74) return { severity, ...linkOf(rest) };
  if (code < 144 || code > 150) return { severity };
  const [, unit = "", weight = "", link = "", intrInfo = "", errorStatus = ""] = NVLINK5.exec(rest) ?? [];
  if (unit === "") return { severity };
  const isFatal = weight.toLowerCase() === "fatal";
  return { severity: isFatal ? severity : "warning", detail: `${unit} link ${Number(link)} ${intrInfo} ${errorStatus}` };
}

function recoveryOf(rest: string, severity: Severity): { readonly severity: Severity; readonly detail?: string } {
  const action = RECOVERY.exec(rest)?.[1];
  if (action === undefined) return { severity };
  return { severity: action.toLowerCase() === "none" ? "info" : severity, detail: action };
}

function linkOf(rest: string): { readonly detail?: string } {
  const link = ON_LINK.exec(rest)?.[1];
  return link === undefined ? {} : { detail: `link ${Number(link)}` };
}
