import { createHash } from "node:crypto";
import { encodeFrame, type FrameSeries } from "@trainwatch/core";
import { createFleetIngest } from "../fleet-ingest/index.ts";
import { createVerbBench, type VerbBench } from "../fixtures/verb-bench.ts";

export const T0 = 1_800_000_000_000;
export const SECOND = 1_000;
export const MINUTE = 60_000;

export function uuid(number: number): string {
  return `GPU-00000000-0000-0000-0000-${String(number).padStart(12, "0")}`;
}

/** Labels of dcgm-exporter, as Prometheus hands them on. */
export function gpuLabels(host: string, index: number, id = uuid(index)): Readonly<Record<string, string>> {
  return {
    UUID: id,
    gpu: String(index),
    modelName: "NVIDIA H100 80GB HBM3",
    pci_bus_id: `00000000:${index}B:00.0`,
    Hostname: host,
    instance: `${host}:9400`,
    job: "dcgm",
  };
}

/** A reading: metric, labels and value. */
export type Told = readonly [metric: string, labels: Readonly<Record<string, string>>, value: number];

export interface FleetWorld extends AsyncDisposable {
  readonly bench: VerbBench;
  readonly read: ReturnType<VerbBench["as"]>;
  /** Sends readings of one time, as an agent or receiver does. */
  send(timeMs: number, told: readonly Told[]): Promise<void>;
}

export async function createFleetWorld(): Promise<FleetWorld> {
  const bench = await createVerbBench();
  bench.clock.set(T0);
  const ingest = createFleetIngest(bench.store, bench.clock.now);
  return {
    bench,
    read: bench.as("read", "operate", "admin", "ingest"),
    async send(timeMs, told) {
      if (timeMs > bench.clock.now()) bench.clock.set(timeMs);
      const series = told.map(([metric, labels]): FrameSeries => [metric, labels]);
      const values = new Uint8Array(new Float64Array(told.map(([, , value]) => value)).buffer);
      const dictionary = { digest: createHash("sha256").update(JSON.stringify(series)).digest("hex"), series };
      const answer = await ingest.writeFrame(
        encodeFrame({ source: "test", dictionaries: [dictionary] }, [{ dictionary: 0, timeMs, presence: null, values }]),
      );
      if (answer.refusedTotal > 0) throw new Error(JSON.stringify(answer.refused[0]));
    },
    async [Symbol.asyncDispose]() {
      await ingest.close();
      await bench[Symbol.asyncDispose]();
    },
  };
}
