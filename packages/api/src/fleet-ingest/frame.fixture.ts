import { createHash } from "node:crypto";
import { encodeFrame, type FrameDictionary, type FrameSeries } from "@trainwatch/core";

/** A dictionary named by its content, as an agent names it. */
export function dictionary(series: readonly FrameSeries[], shared: Readonly<Record<string, string>> = {}): FrameDictionary {
  const digest = createHash("sha256")
    .update(JSON.stringify([shared, series]))
    .digest("hex");
  return { digest, shared, series };
}

/** A temperature of each GPU of a node, as dcgm-exporter labels it. */
export function temperatures(host: string, gpus = 8): FrameDictionary {
  return dictionary(
    Array.from({ length: gpus }, (_, gpu): FrameSeries => [
      "DCGM_FI_DEV_GPU_TEMP",
      { gpu: String(gpu), UUID: `GPU-${host}-${gpu}`, device: `nvidia${gpu}` },
    ]),
    { Hostname: host, job: "dcgm", instance: `${host}:9400` },
  );
}

/** Values of a row; null where a series has no reading. */
export interface PlainRow {
  readonly dictionary: number;
  readonly timeMs: number;
  readonly values: readonly (number | null)[];
}

export function frameOf(source: string, dictionaries: readonly FrameDictionary[], rows: readonly PlainRow[]): Uint8Array {
  return encodeFrame(
    { source, dictionaries },
    rows.map(({ dictionary: index, timeMs, values }) => {
      const present = values.flatMap((value) => (value === null ? [] : [value]));
      const presence = new Uint8Array(Math.ceil(values.length / 64) * 8);
      values.forEach((value, at) => {
        if (value !== null) presence[at >> 3] = (presence[at >> 3] ?? 0) | (1 << (at & 7));
      });
      return {
        dictionary: index,
        timeMs,
        presence: present.length === values.length ? null : presence,
        values: new Uint8Array(Float64Array.from(present).buffer),
      };
    }),
  );
}

/** The same without the series: what a sender sends once the server knows them. */
export function bare({ digest }: FrameDictionary): FrameDictionary {
  return { digest };
}
