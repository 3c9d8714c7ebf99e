import { lineSplitter, MAX_LINE_CHARS } from "../../text/line-splitter.ts";
import { stripAnsi } from "../../text/ansi.ts";
import { healthEvent, type HealthEventParts, type HealthOptions, type HealthParser, type HealthSink } from "../contract.ts";
import { MAX_LOOKED_AT } from "../event-text.ts";
import { fabricText } from "../fabric-manager/fabric-text.ts";
import { pciAddress } from "../pci-address.ts";
import { readKernelLine } from "./kernel-line.ts";
import { lineClock } from "./line-time.ts";
import { outOfMemory } from "./out-of-memory.ts";
import { gpuLost } from "./rules/gpu-lost.ts";
import { hardwareError } from "./rules/hardware-error.ts";
import { linkChange } from "./rules/link-change.ts";
import { processFault } from "./rules/process-fault.ts";
import type { KernelRule, KernelWorld } from "./rules/rule.ts";
import { sxid } from "./rules/sxid.ts";
import { xid } from "./rules/xid.ts";

/** The first that knows a line has it. */
const RULES = [xid, sxid, gpuLost, linkChange, hardwareError, processFault] as const satisfies readonly KernelRule[];
/** `NVRM: GPU at PCI:0000:9b:00: GPU-509665ad-…` stands before the first XID of each GPU. */
const GPU_AT = /NVRM: GPU at PCI:([0-9a-f:.]+): (GPU-[0-9a-f-]{36})/i;
/** More GPUs than any node has. */
const MAX_GPUS = 1_024;

/** A reader of kernel lines one at a time; remembers which GPU sits where, and the last kill. */
export interface KernelLineReader {
  /** @param line without its break @param number from 1, for the event */
  line(line: string, number: number): void;
}

/**
 * Events of kernel logs: `/dev/kmsg` records, `dmesg` in all its time formats, syslog and journal lines. Lines of other programs are passed over, but for the
 * fabric manager's. A line that begins no record belongs to the one before and tells nothing that these rules look for.
 */
export function kernelLineReader(sink: Pick<HealthSink, "event" | "issue">, options: HealthOptions = {}): KernelLineReader {
  const uuids = new Map<string, string>();
  const oom = outOfMemory();
  const world: KernelWorld = { node: options.node, uuidAt: (address) => uuids.get(address) };
  let current = 1;
  const clock = lineClock(options, () =>
    sink.issue({ line: current, code: "zone-assumed", message: "Times name no zone and are taken as UTC; name one by --tz." }),
  );

  function remember(text: string): void {
    const [, address, uuid] = GPU_AT.exec(text) ?? [];
    const place = address === undefined ? null : pciAddress(address);
    if (place !== null && uuid !== undefined && uuids.size < MAX_GPUS) uuids.set(place, `GPU-${uuid.slice(4).toLowerCase()}`);
  }

  function partsOf(program: string, text: string, timeMs: number | null): HealthEventParts | null {
    if (program === "nv-fabricmanager") return fabricText(text, null, options.node);
    if (program !== "kernel") return null;
    remember(text);
    for (const rule of RULES) {
      const parts = rule(text, world);
      if (parts !== null) return parts;
    }
    return oom(text, timeMs);
  }

  return {
    line(line, number) {
      current = number;
      const read = readKernelLine(stripAnsi(line.slice(0, MAX_LOOKED_AT)));
      if (read === null) return;
      const timeMs = clock(read.time);
      const parts = partsOf(read.program, read.text, timeMs);
      if (parts !== null) sink.event(healthEvent(parts, timeMs, number));
    },
  };
}

/** {@link kernelLineReader} over bytes. */
export function kernelLogParser(sink: HealthSink, options: HealthOptions = {}): HealthParser {
  const reader = kernelLineReader(sink, options);
  return lineSplitter({
    line: (text, number) => reader.line(text, number),
    tooLong: (number) =>
      sink.issue({ line: number, code: "line-too-long", message: `The line is longer than ${MAX_LINE_CHARS} characters and was skipped.` }),
  });
}
