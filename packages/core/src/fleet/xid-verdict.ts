import type { Severity } from "../severity.ts";
import { NVLINK5_VERDICTS, nvLink5Detail } from "./nvlink5.ts";
import type { NvLink5Detail } from "./nvlink5.ts";
import { XID_ACTIONS } from "./xid-words.ts";
import type { XidClass } from "./xid-words.ts";
import { xidEntry, xidSeverity } from "./xid.ts";

/** Of the table of XIDs and of its decode of sub-codes; grows when either changes. */
export const XID_TABLE = {
  version: 2,
  source: "NVIDIA Xid-Catalog.xlsx (sha256 7f70ce96) and its decode of XID 144-150; gpud 4a8de33; NVSentinel; policy of Trainwatch",
} as const;

/** What one XID is worth, by its code and by what its text says beside it. */
export interface XidVerdict {
  readonly severity: Severity;
  /** Null: not in the table. */
  readonly class: XidClass | null;
  /** What to do, in one sentence. */
  readonly action: string;
  /** The sub-code as the text has it: an NVLink 5 unit and words, or the recovery action of XID 154; null where the text has none. */
  readonly detail: string | null;
  readonly nvlink5: NvLink5Detail | null;
}

/**
 * Of a GPU's memory: uncorrected ECC, remaps pending and failed, contained and uncontained errors (detection.md A.6), and those that say so in other words (140, 171, 172).
 * What accuses a GPU of `node-memory-error`, whether a detector tells it or it is looked up afterwards.
 */
const MEMORY_XIDS: ReadonlySet<number> = new Set([48, 63, 64, 94, 95, 140, 171, 172]);

export function isMemoryXid(code: number): boolean {
  return MEMORY_XIDS.has(code);
}

/** `GPU recovery action changed from 0x0 (None) to 0x1 (GPU Reset Required)`. */
const RECOVERY = /recovery action changed from .{1,60}? to 0x[0-9a-f]+ \(([^)]{1,60})\)/i;

/** Severity and action by code and sub-code (F4): an NVLink 5 error that is not fatal, or whose link was taken down on purpose, is a ticket and no page. */
export function xidVerdict(code: number, text: string): XidVerdict {
  const entry = xidEntry(code);
  const plain = {
    severity: xidSeverity(code),
    class: entry?.class ?? null,
    action: entry === null ? "Look it up: this number is not in the table" : XID_ACTIONS[entry.action],
    detail: null,
    nvlink5: null,
  };
  if (code === 154) {
    const detail = RECOVERY.exec(text)?.[1] ?? null;
    return { ...plain, detail, severity: detail?.toLowerCase() === "none" ? "info" : plain.severity };
  }
  const nvlink5 = nvLink5Detail(code, text);
  if (nvlink5 === null) return plain;
  const { unit, link, intrInfo, errorStatus, isFatal, verdict } = nvlink5;
  return {
    ...plain,
    severity: isFatal && verdict !== "software" && verdict !== "recovery-action" ? plain.severity : "warning",
    action: NVLINK5_VERDICTS[verdict],
    detail: `${unit} link ${link} ${hex(intrInfo)} ${hex(errorStatus)}`,
    nvlink5,
  };
}

function hex(value: number): string {
  return `0x${value.toString(16).padStart(8, "0")}`;
}
