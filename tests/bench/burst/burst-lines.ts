// What the kernels of a fleet say when one GPU falls off the bus and the job's other processes are taken down, and what the agent makes of it.
import type { FleetEvent } from "@trainwatch/core";
import { kernelLogParser } from "@trainwatch/formats";
import { fleetEventOf } from "../../../apps/cli/src/agent/sources/fleet-event-of.ts";
import { foldFlood } from "../../../apps/cli/src/agent/sources/fold-flood.ts";
import { GPUS, hostOf } from "../fleet/node-values.ts";

/** XID 45 in all, of Delta's study (detection.md C.2): one XID 79 was followed by so many. */
export const FOLLOWERS = 170_000;
/** The teardown takes so long from its first line to its last. */
const TEARDOWN_MS = 30_000;
const FIRST_AFTER_MS = 2_000;
/** Lines that the agent finds in one read of the ring: below its own folding, so that each is an event, as from a slow trickle. */
const LINES_A_READ = 90;

/** Events of one request, as an agent sends what one read of its kernel's ring has told. */
export interface NodeRead {
  readonly node: number;
  readonly events: readonly FleetEvent[];
}

/** The GPU that begins it. */
export const INITIATOR = { node: 217, gpu: 3 } as const;

/** The kernel's line about the GPU that fell off the bus. */
export function initiatorRead(atMs: number): NodeRead {
  const line = xidLine(INITIATOR.gpu, 79, "pid='<unknown>', name=<unknown>, GPU has fallen off the bus.");
  return { node: INITIATOR.node, events: eventsOf(INITIATOR.node, [{ atMs, line }]) };
}

/** The flood on all GPUs, that one excepted; read by read, all nodes beside each other as they send. */
export function followerReads(nodes: number, atMs: number): readonly NodeRead[] {
  const gpus = nodes * GPUS - 1;
  const reads: NodeRead[][] = [];
  for (let node = 0; node < nodes; node++) {
    const lines: Line[] = [];
    for (let gpu = 0; gpu < GPUS; gpu++) {
      if (node === INITIATOR.node && gpu === INITIATOR.gpu) continue;
      const index = node * GPUS + gpu;
      const place = index > INITIATOR.node * GPUS + INITIATOR.gpu ? index - 1 : index;
      const count = Math.floor(FOLLOWERS / gpus) + (place < FOLLOWERS % gpus ? 1 : 0);
      for (let line = 0; line < count; line++)
        lines.push({
          atMs: atMs + FIRST_AFTER_MS + (TEARDOWN_MS * line) / count,
          line: xidLine(gpu, 45, `pid=${4_000 + index}, name=python, Ch ${line}`),
        });
    }
    lines.sort((a, b) => a.atMs - b.atMs);
    for (let from = 0, read = 0; from < lines.length; from += LINES_A_READ, read++)
      (reads[read] ??= []).push({ node, events: eventsOf(node, lines.slice(from, from + LINES_A_READ)) });
  }
  return reads.flat();
}

interface Line {
  readonly atMs: number;
  readonly line: string;
}

function xidLine(gpu: number, code: number, rest: string): string {
  return `NVRM: Xid (PCI:0000:${gpu}b:00): ${code}, ${rest}`;
}

function eventsOf(node: number, lines: readonly Line[]): readonly FleetEvent[] {
  const found: FleetEvent[] = [];
  const parser = kernelLogParser(
    { event: (event) => void found.push(fleetEventOf(event, 0)), reading: () => undefined, issue: () => undefined },
    { node: hostOf(node), referenceTimeMs: 0, bootTimeMs: 0 },
  );
  // A record of /dev/kmsg: level and facility, number, microseconds since the boot.
  const text = lines.map(({ atMs, line }, index) => `3,${index + 1},${Math.round(atMs * 1_000)},-;${line}\n`).join("");
  parser.push(new TextEncoder().encode(text));
  parser.end();
  return foldFlood(found);
}
