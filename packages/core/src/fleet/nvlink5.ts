/**
 * What an NVLink 5 line (XID 144 to 150) says beside its number: `RLW_RSP Nonfatal XC0 i0 Link 17 (0x00000004 0x80000000 …)`. The low bits of intrInfo name the unit
 * another way below and from driver R575 on (bits 9:5 against 6:0); the line's own name of the unit is read instead, and only bits 25:20, the same in both, are decoded.
 * NVIDIA, "Analyzing the XID catalog", XID 144-150 decode (docs.nvidia.com/deploy/xid-errors), read 2026-11-30.
 */
export interface NvLink5Detail {
  /** Such as `NETIR_LINK_DOWN`. */
  readonly unit: string;
  readonly isFatal: boolean;
  /** Link number; negative where the line names none. */
  readonly link: number;
  readonly intrInfo: number;
  readonly errorStatus: number;
  /** Bits 25:20 of intrInfo. */
  readonly subCode: number;
  readonly verdict: NvLink5Verdict;
}

/**
 * `reset`: the GPU must be reset; `peer`: so, and the other end of the link is the source; `software`: the driver or host took the link down on purpose;
 * `cable`: signal quality, no reset; `recovery-action`: do what XID 154 asks for; `watch`: no action.
 */
export const NVLINK5_VERDICTS = {
  reset: "Drain the node and reset the GPU",
  peer: "Look at the other end of the link first: it is the source; then drain and reset the GPU",
  software: "Nothing to reset: software or the host took the link down; look at what it did",
  cable: "Nothing to reset: look at the link's cable, seating and temperature",
  "recovery-action": "Do what XID 154 asks for on this GPU; where there is none, restart the application",
  watch: "Nothing to do; watch whether it repeats on this link",
} as const;
export type NvLink5Verdict = keyof typeof NVLINK5_VERDICTS;

const LINE = /\b([A-Z][A-Z0-9_]+) (Non-?fatal|Fatal) [^(]{0,60}?Link (-?\d{1,3}) \((0x[0-9a-f]+)[ ,]+(0x[0-9a-f]+)/i;
/** Sub-codes of NETIR_LINK_DOWN for which the catalogue's action is none: a link that software (38) or the host (40) has taken down. */
const TAKEN_DOWN: readonly number[] = [0x26, 0x28];
/** Those of which the catalogue says that the other end is the source (21, 32 to 37). */
const PEER_SIDE: readonly number[] = [0x15, 0x20, 0x21, 0x22, 0x23, 0x24, 0x25];

/** Null where the text is no such line. */
export function nvLink5Detail(code: number, text: string): NvLink5Detail | null {
  if (code < 144 || code > 150) return null;
  const [, unit, weight = "", link = "", intr = "", status = ""] = LINE.exec(text) ?? [];
  if (unit === undefined) return null;
  const intrInfo = Number(intr);
  const detail = { unit, link: Number(link), intrInfo, errorStatus: Number(status), subCode: (intrInfo >>> 20) & 0x3f };
  const isFatal = weight.toLowerCase() === "fatal" && !/BER_EVENT/.test(unit);
  return { ...detail, isFatal, verdict: verdictOf(code, unit, isFatal, detail.subCode) };
}

function verdictOf(code: number, unit: string, isFatal: boolean, subCode: number): NvLink5Verdict {
  if (/BER_EVENT/.test(unit)) return "cable";
  if (/REMAP/.test(unit)) return "recovery-action";
  if (!isFatal) return "watch";
  if (code !== 149 || !/LINK_(?:DOWN|EVT)/.test(unit)) return "reset";
  if (TAKEN_DOWN.includes(subCode)) return "software";
  return PEER_SIDE.includes(subCode) ? "peer" : "reset";
}
