import { createHash } from "node:crypto";
import { encodeFrame, type FleetEvent, type FrameSeries } from "@trainwatch/core";
import { createFleetWatch, FLEET_DETECTOR_FIELDS } from "@trainwatch/detect";
import { createDetectBench, type DetectBench } from "../detect/detect-bench.fixture.ts";
import { fleetDetectStep, type FleetDetection, type HeldFleet } from "./fleet-detect-step.ts";

export const SECOND = 1_000;
export const MINUTE = 60_000;
export const T0 = 1_800_000_000_000;

/** A reading: metric, labels and value. */
export type Told = readonly [metric: string, labels: Readonly<Record<string, string>>, value: number];

export interface FleetBench extends AsyncDisposable {
  readonly bench: DetectBench;
  /** Sends readings of one time, as an agent does. */
  send(timeMs: number, told: readonly Told[]): Promise<void>;
  /** Kernel lines of a node. */
  events(host: string, events: readonly (Partial<FleetEvent> & Pick<FleetEvent, "timeMs">)[]): Promise<void>;
  /** Lets the clock run to a time, second by second as the worker looks, and judges each tick that is due. */
  runTo(timeMs: number, options?: { readonly restarts?: boolean }): Promise<void>;
  /** Forgets what the worker keeps in memory, as a restart does. */
  restart(): void;
}

export function gpuId(number: number): string {
  return `GPU-00000000-0000-0000-0000-${String(number).padStart(12, "0")}`;
}

/** Labels of dcgm-exporter, as Prometheus hands them on. */
export function gpuLabels(host: string, index: number, number: number): Readonly<Record<string, string>> {
  return {
    UUID: gpuId(number),
    gpu: String(index),
    modelName: "NVIDIA H100 80GB HBM3",
    pci_bus_id: `00000000:${index}B:00.0`,
    Hostname: host,
    instance: `${host}:9400`,
    job: "dcgm",
  };
}

export const DETECTION: FleetDetection = { fields: FLEET_DETECTOR_FIELDS, create: createFleetWatch };

export async function createFleetBench(detection = DETECTION): Promise<FleetBench> {
  const bench = await createDetectBench();
  const { store, views, clock, verbs } = bench;
  clock.set(T0);
  let held: HeldFleet | null = null;
  let seq = 0;
  const step = async (): Promise<boolean> => {
    const { next, hasMore } = await fleetDetectStep({ store, views, lease: await bench.lease(), detection, held, nowMs: clock.now() });
    held = next;
    return hasMore;
  };
  return {
    bench,
    async send(timeMs, told) {
      if (timeMs > clock.now()) clock.set(timeMs);
      const series = told.map(([metric, labels]): FrameSeries => [metric, labels]);
      const values = new Uint8Array(new Float64Array(told.map(([, , value]) => value)).buffer);
      const dictionary = { digest: createHash("sha256").update(JSON.stringify(series)).digest("hex"), series };
      const frame = encodeFrame({ source: "test", dictionaries: [dictionary] }, [{ dictionary: 0, timeMs, presence: null, values }]);
      const answer = await bench.fleetIngest.writeFrame(frame);
      if (answer.refusedTotal > 0) throw new Error(JSON.stringify(answer.refused[0]));
    },
    async events(host, events) {
      const node = { machineId: null, host, bootId: null };
      const filled = events.map((event) => ({ kind: "xid" as const, code: null, severity: "info" as const, text: "NVRM: Xid", ...event }));
      await verbs.ingest.events({ source: `agent:${host}`, seq: seq++, node, events: filled });
    },
    async runTo(timeMs, { restarts = false } = {}) {
      while (clock.now() < timeMs) {
        clock.set(Math.min(timeMs, clock.now() + SECOND));
        if (restarts) held = null;
        while (await step()) if (restarts) held = null;
      }
    },
    restart() {
      held = null;
    },
    [Symbol.asyncDispose]: () => bench[Symbol.asyncDispose](),
  };
}
