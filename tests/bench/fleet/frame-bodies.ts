import { encodeFrame, type FrameDictionary, type FrameRow } from "@trainwatch/core";
import { hostOf, nodeValues, seriesOf, SERIES_A_NODE } from "./node-values.ts";

/** How frames are cut: so many nodes in each, one time each, `steps` times 10 s apart. */
export interface FramePlan {
  readonly nodes: number;
  readonly nodesAFrame: number;
  readonly steps: number;
  /** Epoch ms of the first step. */
  readonly startMs: number;
}

export const STEP_MS = 10_000;

export interface FrameBodies {
  /** Frames that tell every series, with the readings of the step before the first. */
  readonly first: readonly Uint8Array[];
  /** By step, then by sender: what is sent while the clock runs. */
  readonly steps: readonly (readonly Uint8Array[])[];
}

/** Frames of all senders, step by step. */
export interface FrameSource {
  /** The next readings of every node, as if read at `timeMs`; a frame a sender. Series are told where they are asked for, else named. */
  next(timeMs: number, withSeries: boolean): readonly Uint8Array[];
}

export function frameSource({ nodes, nodesAFrame }: Pick<FramePlan, "nodes" | "nodesAFrame">): FrameSource {
  const senders = Array.from({ length: Math.ceil(nodes / nodesAFrame) }, (_, sender) => {
    const mine = Array.from({ length: Math.min(nodesAFrame, nodes - sender * nodesAFrame) }, (__, index) => sender * nodesAFrame + index);
    return { source: `bench-${nodesAFrame}-${sender}`, values: mine.map(nodeValues), dictionaries: mine.map(dictionaryOf) };
  });
  return {
    next: (timeMs, withSeries) =>
      senders.map(({ source, values, dictionaries }) => {
        const rows = values.map((node, dictionary): FrameRow => {
          const readings = new Uint8Array(8 * SERIES_A_NODE);
          node.next(new DataView(readings.buffer), 0);
          return { dictionary, timeMs, presence: null, values: readings };
        });
        return encodeFrame({ source, dictionaries: withSeries ? dictionaries : dictionaries.map(({ digest }) => ({ digest })) }, rows);
      }),
  };
}

/** Frames as they will be sent, made before the clock starts. */
export function frameBodies(plan: FramePlan): FrameBodies {
  const source = frameSource(plan);
  return {
    first: source.next(plan.startMs - STEP_MS, true),
    steps: Array.from({ length: plan.steps }, (_, step) => source.next(plan.startMs + step * STEP_MS, false)),
  };
}

function dictionaryOf(node: number): FrameDictionary {
  const host = hostOf(node);
  return { digest: `exporter of ${host}`, shared: { job: "dcgm", instance: `${host}:9400` }, series: seriesOf(node) };
}
