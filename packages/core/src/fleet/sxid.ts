import type { Severity } from "../severity.ts";

/**
 * What an SXid of an NVSwitch is worth. The driver's line says whether it is fatal; the number says what to do (NVSentinel's map; NVIDIA Fabric Manager user guide,
 * "NVSwitch SXid errors").
 */
export interface SxidVerdict {
  readonly severity: Severity;
  readonly action: string;
}

/** Codes whose remedy is another than that of all others of their weight. */
const ACTIONS: ReadonlyMap<number, string> = new Map([
  [11004, "Check the fabric manager: a packet went where no route is"],
  [12020, "Reset the fabric: all GPUs and NVSwitches of the node"],
  [12028, "Look at the GPU that asked first; then reset the fabric"],
  [14017, "Reset the fabric: all GPUs and NVSwitches of the node"],
]);

/** @param text of the event, which has the driver's own word */
export function sxidVerdict(code: number, text: string): SxidVerdict {
  const said = /\b(non-?fatal|fatal)\b/i.exec(text)?.[1]?.toLowerCase() ?? null;
  const isFatal = said === null ? ACTIONS.has(code) : said === "fatal";
  const isLimit = !isFatal && /\becc\b.*\blimit\b/i.test(text);
  return { severity: isLimit ? "info" : isFatal ? "critical" : "warning", action: ACTIONS.get(code) ?? actionOf(code, isFatal, isLimit) };
}

function actionOf(code: number, isFatal: boolean, isLimit: boolean): string {
  if (isLimit) return "Nothing to do: corrected errors have reached their count";
  if (isFatal) return "Drain the node and reset the fabric: all GPUs and NVSwitches of the node";
  const isSignal = (code >= 18_000 && code < 19_000) || code >= 19_001;
  return isSignal ? "Look at the link's signal: seating, cable, the GPU at its other end" : "Nothing to do; watch whether it repeats";
}
