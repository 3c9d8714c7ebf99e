import { eventText, subCode } from "../../event-text.ts";
import { gpuAt, type KernelRule } from "./rule.ts";

const ADDRESS = /\b((?:[0-9a-f]{4,8}:)?[0-9a-f]{2}:[0-9a-f]{2}(?:\.[0-7])?)\b/i;
const OFF_THE_BUS = /^.{0,40}?NVRM: (.*fallen off the bus.*)$/;
/** `NVRM: GPU 0000:3b:00.0: RmInitAdapter failed! (0x24:0x72:1500)`. */
const NOT_STARTED = /NVRM: (GPU ([0-9a-f:.]+): RmInitAdapter failed! ?(?:\(([^)]{1,40})\))?.*)$/i;
/** `NVRM: Rate limiting GSP RPC error prints for GPU at PCI:0000:9b:00 (printing 1 of every 30).`: from here on XID 119 is counted short. */
const COUNTED_SHORT = /NVRM: (Rate limiting GSP RPC error prints for GPU at PCI:([0-9a-f:.]+).*)$/i;

/** What the driver says of a GPU that is gone, beside the XID. */
export const gpuLost: KernelRule = (text, world) => {
  const gone = OFF_THE_BUS.exec(text)?.[1];
  if (gone !== undefined) {
    return {
      kind: "gpu-lost",
      code: null,
      subCode: null,
      severity: "critical",
      entity: gpuAt(ADDRESS.exec(gone)?.[1], world),
      text: eventText(gone),
    };
  }
  const [, dead, address, why] = NOT_STARTED.exec(text) ?? [];
  if (dead !== undefined) {
    return {
      kind: "gpu-lost",
      code: null,
      subCode: subCode(why),
      severity: "critical",
      entity: gpuAt(address, world),
      text: eventText(dead),
    };
  }
  const [, limited, of] = COUNTED_SHORT.exec(text) ?? [];
  if (limited === undefined) return null;
  return { kind: "kernel", code: null, subCode: "gsp-rate-limit", severity: "warning", entity: gpuAt(of, world), text: eventText(limited) };
};
