import { BinaryWriter } from "@bufbuild/protobuf/wire";
import SnappyJS from "snappyjs";
import { hostOf, nodeValues, seriesOf, SERIES_A_NODE, type NodeValues } from "./node-values.ts";

/** As Prometheus cuts them: so many samples a request, scrape after scrape. */
export const SAMPLES_A_REQUEST = 2_000;
export const STEP_MS = 10_000;

export interface RemoteWriteSender {
  /** Compressed bodies of the next `steps` scrapes of its nodes, the first at `startMs`; series after series in order of time. */
  next(startMs: number, steps: number): readonly Uint8Array[];
}

/** A Prometheus that scrapes these nodes' dcgm-exporters; the bytes are those of remote-write 1.0. */
export function remoteWriteSender(nodes: readonly number[]): RemoteWriteSender {
  const scraped = nodes.map((node) => ({ labels: labelBlocks(node), values: nodeValues(node) }));
  return {
    next(startMs, steps) {
      const bodies: Uint8Array[] = [];
      let request: Uint8Array[] = [];
      const close = (): void => {
        if (request.length > 0) bodies.push(SnappyJS.compress(Buffer.concat(request)));
        request = [];
      };
      for (let step = 0; step < steps; step++)
        for (const { labels, values } of scraped) {
          const readings = scrape(values);
          labels.forEach((block, series) => {
            request.push(timeSeries(block, readings.getFloat64(8 * series, true), startMs + step * STEP_MS));
            if (request.length === SAMPLES_A_REQUEST) close();
          });
        }
      close();
      return bodies;
    },
  };
}

function scrape(values: NodeValues): DataView {
  const readings = new DataView(new ArrayBuffer(8 * SERIES_A_NODE));
  values.next(readings, 0);
  return readings;
}

/** Of each series of a node its labels as protobuf: those of the exporter, of the scrape, and of the pod that has the GPU. */
function labelBlocks(node: number): readonly Uint8Array[] {
  const instance = `${hostOf(node)}.cluster.example:9400`;
  return seriesOf(node).map(([name, own]) => {
    const labels = {
      __name__: name,
      ...own,
      container: "trainer",
      instance,
      job: "gpu-metrics",
      namespace: "llm-pretraining",
      pod: `train-7b-a-worker-${node}`,
    };
    const writer = new BinaryWriter();
    for (const [label, value] of Object.entries(labels).sort(([a], [b]) => (a < b ? -1 : 1)))
      writer.tag(1, 2).fork().tag(1, 2).string(label).tag(2, 2).string(value).join();
    return writer.finish();
  });
}

function timeSeries(labels: Uint8Array, value: number, timeMs: number): Uint8Array {
  const writer = new BinaryWriter();
  writer.tag(1, 2).fork().raw(labels).tag(2, 2).fork();
  if (value !== 0) writer.tag(1, 1).double(value);
  writer.tag(2, 0).int64(timeMs).join().join();
  return writer.finish();
}
