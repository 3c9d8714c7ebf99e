import type { Finding } from "../finding.ts";
import { xidEntry } from "../fleet/xid.ts";
import { gpuOfFinding } from "./place.ts";

/** Whether both tell of the memory of one GPU: a row goes bad, is counted, is remapped, and waits for a reset over hours and days. A note is too weak to tie over so long. */
export function isOneMemory(a: Finding, b: Finding): boolean {
  if (!isOfMemory(a) || !isOfMemory(b)) return false;
  const gpu = gpuOfFinding(a);
  return gpu !== null && gpu === gpuOfFinding(b);
}

function isOfMemory({ severity, facts }: Finding): boolean {
  return (
    severity !== "info" &&
    facts.some(
      ({ fact, value }) => fact === "node-memory-error" || (fact === "gpu-error" && value !== null && xidEntry(value)?.class === "memory"),
    )
  );
}
