import type { Severity } from "@trainwatch/core";
import { eventText } from "../../event-text.ts";
import { gpuAt, type KernelRule } from "./rule.ts";

/** `nvidia 0000:41:00.0: PCIe Bus Error: severity=Uncorrected (Fatal), type=Transaction Layer, (Receiver ID)`; newer kernels write `Correctable`, `Uncorrectable`. */
const PCIE = /^(\S+) ([0-9a-f:.]+): (?:AER: )?(PCIe Bus Error: severity=(Correct\w+|Uncorrect\w+)(?: \((Fatal|Non-Fatal)\))?.*)$/i;
/** `EDAC MC0: 1 CE memory read error on CPU_SrcID#0_Ha#0_Chan#1_DIMM#0`. */
const EDAC = /^EDAC \w+: (\d{1,9}) (CE|UE)\b/;
/** `mce: [Hardware Error]: CPU 3: Machine Check Exception: 5 Bank 9: …`. */
const MACHINE_CHECK = /\[Hardware Error\]: CPU \d+: Machine Check( Exception)?:/;
const LOGGED = /\[Hardware Error\]: Machine check events logged/;
/** `{1}[Hardware Error]: event severity: fatal` of the firmware (GHES). */
const FIRMWARE = /\[Hardware Error\]: event severity: (corrected|recoverable|fatal|info)/;
const LOCKUP = /\b(?:soft lockup - CPU#\d+|hard LOCKUP)/;
const PANIC = /^Kernel panic - not syncing/;

/** Errors of the machine below the GPUs: PCIe (AER), memory (EDAC), processor, firmware, and the kernel itself. */
export const hardwareError: KernelRule = (text, world) => {
  const pcie = PCIE.exec(text);
  if (pcie !== null) {
    const [, driver, address, told = "", weight = "", fatal] = pcie;
    const isCorrected = weight.toLowerCase().startsWith("correct");
    const isFatal = fatal?.toLowerCase() === "fatal";
    return {
      kind: "kernel",
      code: null,
      subCode: isCorrected ? "pcie corrected" : isFatal ? "pcie fatal" : "pcie non-fatal",
      severity: isCorrected ? "info" : isFatal ? "critical" : "warning",
      entity: driver === "nvidia" ? gpuAt(address, world) : null,
      text: eventText(driver === "nvidia" ? told : text),
    };
  }
  const edac = EDAC.exec(text);
  if (edac !== null) {
    const isCorrected = edac[2] === "CE";
    return {
      ...machine(isCorrected ? "edac corrected" : "edac uncorrected", isCorrected ? "info" : "critical", text),
      count: Math.max(1, Number(edac[1])),
    };
  }
  const check = MACHINE_CHECK.exec(text);
  if (check !== null) return machine("machine check", check[1] === undefined ? "warning" : "critical", text);
  const firmware = FIRMWARE.exec(text)?.[1];
  if (firmware !== undefined)
    return machine(`firmware ${firmware}`, firmware === "fatal" ? "critical" : firmware === "recoverable" ? "warning" : "info", text);
  if (LOGGED.test(text)) return machine("machine check logged", "info", text);
  if (LOCKUP.test(text)) return machine("lockup", "critical", text);
  return PANIC.test(text) ? machine("panic", "critical", text) : null;
};

function machine(what: string, severity: Severity, text: string): NonNullable<ReturnType<KernelRule>> {
  return { kind: "kernel", code: null, subCode: what, severity, entity: null, text: eventText(text) };
}
